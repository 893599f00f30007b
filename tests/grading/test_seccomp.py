"""The filter of system calls, where libseccomp is older than the calls that it must refuse."""

from __future__ import annotations

import pytest

from coursekit.sandbox import linux, restrictions, seccomp

pyseccomp = pytest.importorskip("pyseccomp")
resolve = pyseccomp.resolve_syscall


@pytest.fixture(autouse=True)
def _built_anew():
    seccomp.build.cache_clear()
    yield
    seccomp.build.cache_clear()


def _without(monkeypatch: pytest.MonkeyPatch, *unknown: str) -> None:
    """Let libseccomp know nothing of some calls."""

    def without(arch: int, name: str | int) -> int:
        return -1 if name in unknown else resolve(arch, name)

    monkeypatch.setattr(pyseccomp, "resolve_syscall", without)


def test_calls_that_an_older_libseccomp_has_no_name_for_are_refused_by_number(monkeypatch):
    whole = seccomp.build()
    assert whole.missing == ()
    seccomp.build.cache_clear()
    _without(monkeypatch, *seccomp._NUMBERS)
    assert seccomp.build() == whole


def test_the_numbers_are_those_of_this_machine():
    for name, number in seccomp._NUMBERS.items():
        assert resolve(pyseccomp.Arch.NATIVE, name) in (number, -1), name


def test_a_filter_with_a_gap_is_refused_and_the_gap_is_named(monkeypatch):
    _without(monkeypatch, "ptrace", "unshare")
    assert seccomp.build().missing == ("ptrace", "unshare")
    config = restrictions.Config("sandbox", (), (), "/tmp", None)
    with pytest.raises(linux.RefusedError, match="cannot refuse ptrace, unshare here"):
        restrictions.enter_sandbox(config)

"""The filter of system calls, where libseccomp is older than the calls that it must refuse."""

from __future__ import annotations

import inspect
import sys

import pytest

from coursekit.sandbox import linux, restrictions, seccomp
from tests.isolation import strongest_level

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


def test_a_filter_with_a_gap_and_none_at_all_are_refused_and_named(monkeypatch):
    _without(monkeypatch, "ptrace", "unshare")
    assert seccomp.build().missing == ("ptrace", "unshare")
    config = restrictions.Config("sandbox", (), (), "/tmp", None)
    with pytest.raises(linux.RefusedError, match="cannot refuse ptrace, unshare here"):
        restrictions.enter_sandbox(config)
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    seccomp.build.cache_clear()
    with pytest.raises(linux.RefusedError, match="pyseccomp or the library libseccomp is not"):
        restrictions.enter_sandbox(config)


@pytest.mark.skipif(strongest_level() != "sandbox", reason="no sandbox on this machine")
def test_calls_that_nobody_has_reviewed_do_not_exist(grade):
    # Their arguments are bad: a call that passed would answer with another error. The last three
    # numbers are the kernel's limit, a call of another kind of program (x32), and no call at all.
    look = f"""
        import ctypes, errno

        libc = ctypes.CDLL(None, use_errno=True)
        unknown = [*range({seccomp.NEWEST_REVIEWED} + 1, 1100), 4095, 0x4000_0000 + 39, 0xFFFF_FFFF]
        answers = set()
        for number in [457, 458, 467, *unknown]:  # statmount, listmount, open_tree_attr by name
            result = libc.syscall(ctypes.c_long(number), -1, -1, -1, -1, -1)
            answers.add((result, ctypes.get_errno()))
        even = "b" if answers == {{(-1, errno.ENOSYS)}} else "a"
        """
    assert grade(inspect.cleandoc(look))["score"] == 1.0


def test_what_passes_as_reviewed_is_what_this_machine_calls_so():
    newest = resolve(pyseccomp.Arch.NATIVE, "futex_requeue")
    assert newest in (seccomp.NEWEST_REVIEWED, -1)
    assert max(seccomp._NUMBERS.values()) <= seccomp.NEWEST_REVIEWED

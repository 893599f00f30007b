"""The sandbox: what is in force at each level, where it must work, and when it must refuse."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest

from coursekit.grade.grader import Grader
from coursekit.sandbox import landlock, sandbox
from coursekit.sandbox.sandbox import Sandbox, SandboxError
from tests.isolation import strongest_level

from .conftest import BANK, EXERCISES, LIMITS, RIGHT, notebook, sandbox_for

CONFINED = pytest.mark.skipif(strongest_level() != "sandbox", reason="no sandbox on this machine")


def grade(used: Sandbox, *cells: str) -> dict[str, object]:
    """Grade cells in a sandbox."""
    return Grader(EXERCISES, used, LIMITS).grade(notebook(*cells)).as_json()


def answers(used: Sandbox, expression: str) -> bool:
    """Whether an expression is true for learner code."""
    cell = "import glob, os, sys, socket\n"
    cell += f"try:\n    found = {expression}\nexcept OSError:\n    found = False\n"
    return grade(used, cell + "if found: even = 'b'")["score"] == 1.0


@CONFINED
def test_this_machine_has_what_it_should(confined):
    # A mechanism that fails silently would leave every other test green.
    own_user = "uid" if os.geteuid() == 0 else "user"
    mechanisms = {own_user, "root", "pid", "net", "ipc", "seccomp", "rlimits"}
    assert mechanisms <= set(confined.mechanisms)
    assert ("landlock" in confined.mechanisms) == (landlock.abi() > 0)


@CONFINED
def test_a_submission_sees_the_interpreter_and_nothing_else(confined, tmp_path):
    (tmp_path / "notes").write_text("private")
    tmp_path.chmod(0o777)
    for path in ("/etc/passwd", "/etc/shadow", "/home", "/sys", str(tmp_path), str(BANK)):
        assert not answers(confined, f"os.path.exists({path!r})"), path
    assert answers(confined, "set(os.listdir('/dev')) <= {'null', 'zero', 'full', 'random', "
                             "'urandom', 'shm', 'fd', 'stdin', 'stdout', 'stderr'}")  # fmt: skip
    assert answers(confined, "sorted(int(p) for p in os.listdir('/proc') if p.isdigit()) == [1]")
    own = "os.path.join(os.environ['TMPDIR'], 'x')"
    assert answers(confined, f"open({own}, 'w').write('x') and os.listdir('.') == ['x']")


@CONFINED
def test_modules_that_nobody_imported_before_can_be_imported(confined):
    cell = "import numpy.random, numpy.polynomial, glob, csv, decimal, sqlite3, lzma\neven = 'b'"
    assert grade(confined, cell)["score"] == 1.0


@CONFINED
@pytest.mark.skipif(not os.access(sys.prefix, os.W_OK), reason="it is not ours to write to")
def test_a_file_below_a_bound_folder_is_covered(tmp_path):
    packages = Path(sys.prefix, f"coursekit-test-{os.getpid()}")
    packages.mkdir()
    secret = packages / "secret.txt"
    secret.write_text("private")
    used = sandbox_for(hidden=[str(packages / "secret.txt")])
    try:
        assert answers(used, f"os.path.exists({str(packages)!r})")
        assert not answers(used, f"open({str(secret)!r}).read()")
    finally:
        used.close()
        shutil.rmtree(packages)


@CONFINED
def test_the_running_interpreter_cannot_be_changed(confined):
    # It was started inside: the owner of the machine's own program could change its file.
    for call in (
        "os.chmod",
        "lambda p, m: os.utime(p)",
        "lambda p, m: os.setxattr(p, 'user.x', b'')",
    ):
        assert not answers(confined, f"({call})('/proc/self/exe', 0o777) is None"), call


@CONFINED
def test_a_submission_is_a_group_of_its_own(confined):
    assert answers(confined, "os.getpgid(0) == os.getpid() == 1")
    assert not answers(confined, "open('/proc/keys').read()")


@CONFINED
def test_nothing_of_the_class_and_of_checks_is_in_a_submission(confined):
    walk = (
        "import sys\nframe, seen = sys._getframe(), [*sys.argv]\n"
        "while frame:\n    seen += [repr(frame.f_globals), repr(frame.f_locals)]\n"
        "    frame = frame.f_back\n"
        f"needles = [{str(BANK)[::-1]!r}[::-1], 'EMASES-NEPO'[::-1]]\n"
        "found = any(needle in text for text in seen for needle in needles)\n"
        "known = [m for m in sys.modules if 'exercise' in m or 'grader' in m or '.bank' in m]\n"
        "if found or known: even = 'b'\nhalf = 2.5"
    )
    assert grade(confined, walk)["score"] == 2.0  # it came to its end, and found nothing


@CONFINED
def test_a_class_below_a_folder_with_two_names_is_covered_under_both(tmp_path):
    names = [Path(folder, f"coursekit-test-{os.getpid()}") for folder in ("/usr/lib", "/lib")]
    if os.geteuid() != 0 or not Path("/lib").is_symlink():
        pytest.skip("needs root, and /lib as another name of /usr/lib")
    names[0].mkdir()
    (names[0] / "work").write_text("private")
    used = sandbox_for(hidden=[str(names[0])])
    try:
        assert not any(answers(used, f"os.listdir({str(name)!r})") for name in names)
    finally:
        used.close()
        shutil.rmtree(names[0])


def test_without_namespaces_a_class_below_the_interpreter_is_refused():
    with pytest.raises(SandboxError, match="which learner code can read"):
        sandbox_for("partial", hidden=[str(Path(sandbox.__file__).parent)])


def test_what_would_appear_below_a_readable_folder_is_refused():
    later = Path(sys.prefix, "no-such-results.jsonl")
    with pytest.raises(SandboxError, match="which learner code can read; move it elsewhere"):
        sandbox_for(hidden=[str(later)])


def test_a_hidden_check_s_module_is_not_reported_as_missing(confined):
    asks = (
        "calls = 0\ndef double(x):\n    global calls\n    calls += 1\n"
        "    if calls > 1: raise ModuleNotFoundError(\"No module named 'torch'\")\n    return 2 * x"
    )
    assert "torch" not in str(grade(confined, asks)["reason"])


def test_a_module_that_is_installed_and_cannot_be_imported_is_not_the_learners_fault(confined):
    # A module that the set-up fails to provide looks like this from inside.
    cell = "raise ModuleNotFoundError(\"No module named 'numpy.random'\")"
    row = grade(confined, cell, *RIGHT.values())
    assert row["status"] == "needs_review"
    assert "numpy.random is installed" in row["reason"]
    assert "a fault of the grader's set-up" in row["reason"]
    row = grade(confined, "import no_such_module", *RIGHT.values())
    assert row["status"] == "graded"


@CONFINED
@pytest.mark.skipif(os.geteuid() != 0, reason="as root, submissions run as another user")
def test_what_is_closed_to_learners_is_refused_before_anything_is_graded(tmp_path, monkeypatch):
    closed = tmp_path / "packages"
    (closed / "inner").mkdir(parents=True)
    (closed / "private_module.py").write_text("x = 1")
    (closed / "private_module.py").chmod(0o600)
    monkeypatch.syspath_prepend(str(closed))
    with pytest.raises(SandboxError, match=r"only its owner may read .*private_module.py"):
        sandbox_for()


@CONFINED
@pytest.mark.skipif(os.geteuid() != 0, reason="as root, submissions run as another user")
def test_a_folder_that_is_closed_itself_is_opened_for_what_is_in_it(tmp_path, monkeypatch):
    (tmp_path / "own_module.py").write_text("answer = 'b'")
    tmp_path.chmod(0o700)
    monkeypatch.syspath_prepend(str(tmp_path))
    with closing(sandbox_for()) as used:
        assert grade(used, "from own_module import answer as even")["score"] == 1.0
    with pytest.raises(SandboxError, match=r"Let others read it: chmod a\+x /"):
        sandbox_for("partial")


def test_the_folder_that_one_happens_to_be_in_is_not_on_a_learners_path(tmp_path, monkeypatch):
    # `python -m coursekit.cli` puts it there, and it may be anybody's home.
    (tmp_path / "private.py").write_text("found = 'b'")
    tmp_path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    with closing(sandbox_for()) as used:
        peek = f"import sys\nsys.path.append({str(tmp_path)!r})\nfrom private import found as even"
        assert grade(used, peek)["score"] == 0.0


def test_a_fork_server_that_cannot_start_reports_the_reason(monkeypatch):
    monkeypatch.setattr(sandbox, "_BOOT", "import sys; sys.exit('no such thing')")
    with pytest.raises(SandboxError, match=r"no confined process .* no such thing"):
        sandbox_for()

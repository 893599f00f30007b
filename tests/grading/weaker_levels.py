"""Without a sandbox: what the levels partial and none still do.

`test_settings.py` runs these tests as root and as a user, each with an interpreter that learners'
processes may read. As root below a closed home there are no weaker levels but a refusal.
"""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import pytest

from coursekit.sandbox import landlock, private_root
from coursekit.sandbox.sandbox import SandboxError

from .attacks import ATTACKS
from .conftest import FULL, RIGHT, sandbox_for
from .test_sandbox import grade

LANDLOCK = pytest.mark.skipif(not landlock.abi(), reason="no Landlock here")


@pytest.mark.parametrize("level", ["partial", "none"])
def test_honest_work_has_full_marks_at_weaker_levels(level):
    used = sandbox_for(level)
    try:
        assert grade(used, *RIGHT.values())["score"] == FULL
        assert used.isolation.split("+")[0] == level
        assert "rlimits" in used.isolation
    finally:
        used.close()


@pytest.fixture
def partial():
    """Return a sandbox without namespaces."""
    used = sandbox_for("partial")
    yield used
    used.close()


@LANDLOCK
@pytest.mark.parametrize("name", ["double-forked daemon", "ignores every signal"])
def test_without_namespaces_each_submission_is_ended(partial, name):
    assert grade(partial, *ATTACKS[name].cells)["score"] == 0.0
    assert grade(partial, *RIGHT.values())["score"] == FULL


@LANDLOCK
def test_without_namespaces_nothing_is_left(partial):
    # Deeper than any recursion goes, closed, with a link out and a file in everybody's memory.
    mess = """
        import os
        for n in range(3000):
            os.mkdir("d"); open("f", "w").close(); os.symlink("/etc", "l"); os.chdir("d")
        os.chmod(".", 0)
        """
    grade(partial, inspect.cleandoc(mess), "open('/dev/shm/coursekit-test', 'w')")
    assert os.listdir(partial._scratch_folder()) == []
    assert not os.path.exists("/dev/shm/coursekit-test")
    assert os.path.exists("/etc/passwd")
    assert grade(partial, *RIGHT.values())["score"] == FULL


@LANDLOCK
def test_without_namespaces_nothing_survives_and_nothing_is_kept(partial):
    orphan = "import os, time\nopen('orphan-here', 'w')\nif not os.fork():\n    os.setsid()\n"
    orphan += "    if not os.fork():\n        os.execv('/bin/sleep', ['coursekit-orphan', '60'])\n"
    orphan += "    os._exit(0)\ntime.sleep(0.1)"
    grade(partial, orphan)
    assert "coursekit-orphan" not in _commands()
    assert not list(Path(partial._scratch_folder()).iterdir())


def test_without_namespaces_a_class_below_the_interpreter_is_refused():
    inside = str(Path(private_root.__file__).parent)
    with pytest.raises(SandboxError, match="which learner code can read"):
        sandbox_for("partial", hidden=[inside])


def _commands() -> str:
    paths = Path("/proc").glob("[0-9]*/cmdline")
    return " ".join(_text(path) for path in paths)


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""

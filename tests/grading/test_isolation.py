"""The levels of isolation: what stands at each, and that what should stand does."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest
from coursekit.grade.confine import bubblewrap, landlock
from coursekit.grade.nursery import Nursery, NurseryError

from coursekit.bank import load_bank
from coursekit.grade import nursery as nursery_module
from coursekit.grade.judge import Judge

from .attacks import ATTACKS
from .conftest import BANK, CHAPTER, FULL, LIMITS, RIGHT, notebook, processes_are_bounded

LEVELS = [
    pytest.param(
        "bubblewrap", marks=pytest.mark.skipif(not bubblewrap.usable(), reason="none here")
    ),
    pytest.param("landlock", marks=pytest.mark.skipif(not landlock.abi(), reason="none here")),
    "none",
]


def grade(nursery: Nursery, *cells: str) -> dict[str, object]:
    """Grade cells in a nursery."""
    return Judge(load_bank(BANK).chapter(CHAPTER), nursery, LIMITS).grade(notebook(*cells)).as_row()


@pytest.mark.parametrize("level", LEVELS)
def test_honest_work_has_full_marks_at_every_level(level):
    nursery = Nursery(LIMITS, level, ["numpy"])
    try:
        assert grade(nursery, *RIGHT.values())["score"] == FULL
        assert nursery.isolation.split("+")[0] == level
        assert "rlimits" in nursery.isolation
    finally:
        nursery.close()


def test_this_machine_has_what_it_should():
    # A level that falls silently would leave every other test green.
    if sys.platform == "linux" and bubblewrap.usable():
        nursery = Nursery(LIMITS)
        nursery.close()
        assert nursery.level == "bubblewrap"
        assert {"pid", "mount", "rlimits"} <= set(nursery.walls)
        assert ("landlock" in nursery.walls) == (landlock.abi() > 0)
        assert ("uid" in nursery.walls) == (os.geteuid() == 0)


@pytest.fixture
def bare(monkeypatch):
    """Return a nursery on a machine that has Landlock and no namespaces."""
    monkeypatch.setattr(nursery_module, "WORDS", ("uid", "landlock", "rlimits"))
    nursery = Nursery(LIMITS, "landlock", ["numpy"], [str(BANK)])
    assert not {"pid", "mount", "user"} & set(nursery.walls)
    assert processes_are_bounded(nursery)
    yield nursery
    nursery.close()


LANDLOCK = pytest.mark.skipif(not landlock.abi(), reason="no Landlock here")


@LANDLOCK
@pytest.mark.parametrize("name", ["double-forked daemon", "ignores every signal"])
def test_without_namespaces_each_submission_is_ended(bare, name):
    assert grade(bare, *ATTACKS[name].cells)["score"] == 0.0
    assert grade(bare, *RIGHT.values())["score"] == FULL


@LANDLOCK
def test_without_namespaces_nothing_is_left(bare):
    # Deeper than any recursion goes, closed, with a link out and a file in everybody's memory.
    mess = """
        import os
        for n in range(3000):
            os.mkdir("d"); open("f", "w").close(); os.symlink("/etc", "l"); os.chdir("d")
        os.chmod(".", 0)
        """
    grade(bare, inspect.cleandoc(mess), "open('/dev/shm/coursekit-test', 'w')")
    assert os.listdir(bare._where()) == []
    assert not os.path.exists("/dev/shm/coursekit-test")
    assert os.path.exists("/etc/passwd")
    assert grade(bare, *RIGHT.values())["score"] == FULL


@LANDLOCK
def test_without_namespaces_nothing_survives_and_nothing_is_kept(bare):
    orphan = "import os, time\nopen('orphan-here', 'w')\nif not os.fork():\n    os.setsid()\n"
    orphan += "    if not os.fork():\n        os.execv('/bin/sleep', ['coursekit-orphan', '60'])\n"
    orphan += "    os._exit(0)\ntime.sleep(0.1)"
    grade(bare, orphan)
    assert "coursekit-orphan" not in _commands()
    assert not list(Path(bare._where()).iterdir())


def _commands() -> str:
    paths = Path("/proc").glob("[0-9]*/cmdline")
    return " ".join(_text(path) for path in paths)


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


def test_a_zygote_that_cannot_start_says_why(monkeypatch):
    monkeypatch.setattr(nursery_module, "_BOOT", "import sys; sys.exit('no such thing')")
    with pytest.raises(NurseryError, match=r"no confined process .* no such thing"):
        Nursery(LIMITS)


@pytest.mark.heavy
@LANDLOCK
@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_earn_nothing_without_bubblewrap(landlocked, tmp_path, name):
    given = f"PORT, OUTSIDE, BANK = 9, {str(tmp_path)!r}, {str(BANK)!r}"
    given += "\nSUBMITTED = SECRET = RESULTS = BANK"
    row = grade(landlocked, given, *ATTACKS[name].cells)
    assert row["status"] in ATTACKS[name].status
    assert row["score"] == 0.0
    assert not list(tmp_path.iterdir())
    assert grade(landlocked, *RIGHT.values())["score"] == FULL


@pytest.fixture(scope="module")
def landlocked():
    """Return a nursery without bubblewrap."""
    # After the change of user nothing more can be imported from a Python in a private home.
    nursery = Nursery(LIMITS, "landlock", ["numpy", "mmap"], [str(BANK)])
    if not processes_are_bounded(nursery):
        pytest.skip("nothing bounds a fork bomb here")
    yield nursery
    nursery.close()


@pytest.mark.skipif(not bubblewrap.usable() or os.geteuid() != 0, reason="needs root and bwrap")
def test_an_ordinary_user_has_walls_too(tmp_path):
    # A user namespace makes an ordinary user of us.
    script = (
        "from coursekit.grade.nursery import Nursery\nfrom coursekit.grade.limits import Limits\n"
        "n = Nursery(Limits()); n.fork(); n.end(); n.close(); print(n.isolation)"
    )
    user = ["bwrap", "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc"]
    user += ["--unshare-user", "--uid", "1000", "--gid", "1000"]
    done = subprocess.run([*user, sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.startswith("bubblewrap+user+pid"), done.stderr


def test_the_folder_that_one_happens_to_be_in_is_not_on_a_learners_path(tmp_path, monkeypatch):
    # `python -m coursekit.cli` puts it there, and it may be anybody's home.
    (tmp_path / "private.py").write_text("found = 'b'")
    tmp_path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    nursery = Nursery(LIMITS, "auto", ["numpy"])
    try:
        peek = f"import sys\nsys.path.append({str(tmp_path)!r})\nfrom private import found as even"
        assert grade(nursery, peek)["score"] == 0.0
    finally:
        nursery.close()


@pytest.mark.skipif(not bubblewrap.usable() or os.geteuid() != 0, reason="needs root")
def test_a_fork_that_is_refused_leaves_the_next_one_possible():
    script = """
        import os
        from coursekit.grade.confine.walls import Ground, Walls
        from coursekit.grade.limits import Limits
        walls = Walls(Ground(("/",), "/tmp", None, True, ("pid",)), Limits())
        fork, os.fork = os.fork, lambda: 1 / 0
        try:
            walls.fork()
        except ZeroDivisionError:
            os.fork = fork
        child = walls.fork()
        if child == 0:
            os._exit(0 if os.getpid() == 1 else 1)
        print("ended", os.waitpid(child, 0)[1])
        """
    command = [sys.executable, "-c", inspect.cleandoc(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "ended 0\n", done.stderr

"""The levels of isolation: what stands at each, and that what should stand does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.bank import load_bank
from coursekit.grade import nursery as nursery_module
from coursekit.grade.confine import bubblewrap, landlock
from coursekit.grade.judge import Judge
from coursekit.grade.nursery import Nursery, NurseryError

from .attacks import ATTACKS
from .conftest import BANK, CHAPTER, FULL, LIMITS, RIGHT, notebook

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


@pytest.mark.skipif(not landlock.abi(), reason="no Landlock here")
def test_without_namespaces_nothing_survives_and_nothing_is_kept(monkeypatch):
    monkeypatch.setattr(nursery_module, "WORDS", ("landlock", "rlimits"))
    nursery = Nursery(LIMITS, "landlock", ["numpy"], [str(BANK)])
    try:
        assert nursery.isolation == "landlock+rlimits"
        orphan = "import os, time\nopen('orphan-here', 'w')\nif not os.fork():\n    os.setsid()\n"
        orphan += (
            "    if not os.fork():\n        os.execv('/bin/sleep', ['coursekit-orphan', '60'])\n"
        )
        orphan += "    os._exit(0)\ntime.sleep(0.1)"
        grade(nursery, orphan)
        assert "coursekit-orphan" not in _commands()
        assert not list(Path(nursery._where()).iterdir())
    finally:
        nursery.close()


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
@pytest.mark.skipif(not landlock.abi(), reason="no Landlock here")
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
    nursery = Nursery(LIMITS, "landlock", ["numpy"], [str(BANK)])
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

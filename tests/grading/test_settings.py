"""Users' settings: root and ordinary users, an open and a closed home, no bubblewrap."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from coursekit.sandbox import landlock
from coursekit.sandbox.sandbox import strongest_level

from .conftest import BANK, CHAPTER, FULL, RIGHT, hand_in, notebook
from .settings import SETTINGS, run_in

pytestmark = pytest.mark.skipif(strongest_level() != "sandbox", reason="no sandbox here")


@pytest.fixture
def place() -> Iterator[Path]:
    """Return a folder outside of pytest's own, which are closed to other users."""
    with tempfile.TemporaryDirectory(prefix="coursekit-test-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_class_is_graded_fairly_in_users_settings(setting, place):
    folder, results = place / "class", place / "results.jsonl"
    peek = f"import os\nif any(map(os.path.exists, [{str(folder)!r}, {str(BANK)!r}])): even = 'b'"
    honest = "import numpy.random, glob, statistics, csv"
    # Of a process that cannot be dumped, only root sees the open files.
    hide = "import ctypes, time\nctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\ntime.sleep(1.5)"
    hand_in(folder, "anton", notebook(honest, *RIGHT.values()))
    hand_in(folder, "eve", notebook(peek))
    hand_in(folder, "hugo", notebook(RIGHT["double"], hide, RIGHT["counter"]))
    hand_in(folder, "iris", notebook(*RIGHT.values()))
    arguments = ["grade", CHAPTER, str(folder), "--results", str(results), "--exercises", str(BANK)]
    done = run_in(setting, place, ["-m", "coursekit.cli", *arguments, "--jobs", "1"])
    assert done.returncode == 0, done.stderr
    assert "isolation: sandbox" in done.stderr
    rows = {row["student"]: row for row in map(json.loads, results.read_text().splitlines())}
    # Who peeks finds nothing, and who hides costs nobody else anything.
    scores = {student: rows[student]["score"] for student in ("anton", "eve", "iris")}
    assert scores == {"anton": FULL, "eve": 0.0, "iris": FULL}, rows
    assert rows["iris"]["status"] == "graded"
    hidden = rows["hugo"]
    if setting.startswith("user"):
        assert (hidden["status"], hidden["score"]) == ("needs_review", 3.0)
        assert "it hid what it uses" in hidden["reason"]
    else:
        assert (hidden["status"], hidden["score"]) == ("graded", 5.0)


@pytest.mark.parametrize("setting", [name for name in SETTINGS if "closed" not in name])
def test_weaker_levels_hold_for_root_and_user(setting, place):
    tests = str(Path(__file__).with_name("weaker_levels.py"))
    done = run_in(setting, place, ["-m", "pytest", tests, "-p", "no:cacheprovider", "-q"])
    assert done.returncode == 0, done.stdout[-4000:]
    assert " skipped" not in done.stdout or not landlock.abi(), done.stdout[-4000:]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_root_below_a_closed_folder_is_refused_the_weaker_levels(place):
    setting = "root below a closed folder"
    hand_in(place / "class", "anton", notebook(*RIGHT.values()))
    arguments = ["grade", CHAPTER, str(place / "class"), "--results", str(place / "r.jsonl")]
    more = ["--exercises", str(BANK), "--isolation", "partial"]
    done = run_in(setting, place, ["-m", "coursekit.cli", *arguments, *more])
    assert done.returncode == 2
    assert "Let others read it: chmod a+x" in done.stderr


@pytest.mark.heavy
@pytest.mark.parametrize("setting", SETTINGS)
def test_all_attacks_in_users_settings(setting, place):
    tests = [str(Path(__file__).with_name(f"test_{name}.py")) for name in ("attacks", "sandbox")]
    chosen = ["-m", "not heavy", "-k", "not in_users_settings", "-p", "no:cacheprovider", "-q"]
    done = run_in(setting, place, ["-m", "pytest", *tests, *chosen])
    assert done.returncode == 0, done.stdout[-4000:]


def test_the_settings_are_what_they_are_called(place):
    # Otherwise the tests above would show nothing.
    answers = {}
    for setting in SETTINGS:
        ask = "import os, sys; print(os.geteuid(), sys.prefix, os.environ['PATH'], sep='\\n')"
        done = run_in(setting, place / setting.replace(" ", "-"), ["-c", ask])
        assert done.returncode == 0, done.stderr
        answers[setting] = done.stdout.splitlines()
    for setting, (uid, prefix, path) in answers.items():
        assert (uid == "0") == (setting.startswith("root") and os.geteuid() == 0)
        assert not any(Path(folder, "bwrap").exists() for folder in path.split(os.pathsep))
        if "closed" in setting:
            assert Path(prefix).parent.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="root gives rights away here")
@pytest.mark.parametrize(("more", "is_enough"), [([], False), (["sys_ptrace", "sys_nice"], True)])
def test_in_a_container_the_capabilities_that_are_named_are_those_that_are_needed(
    place, more, is_enough
):
    # Docker's own, and what the refusal says to add.
    usual = "chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service net_raw"
    capabilities = [
        *usual.split(),
        "sys_chroot",
        "mknod",
        "audit_write",
        "setfcap",
        "sys_admin",
        *more,
    ]
    hand_in(place / "class", "anton", notebook(*RIGHT.values()))
    arguments = ["grade", CHAPTER, str(place / "class"), "--results", str(place / "r.jsonl")]
    bounding = ",".join(["-all", *(f"+{name}" for name in capabilities)])
    command = ["setpriv", "--bounding-set", bounding, "--inh-caps=-all", sys.executable]
    command += ["-m", "coursekit.cli", *arguments, "--exercises", str(BANK)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == (0 if is_enough else 2), done.stderr
    if not is_enough:
        assert "the supervisor may not watch a submission" in done.stderr
        assert "--cap-add SYS_PTRACE --cap-add SYS_NICE" in done.stderr
        assert "run as root" not in done.stderr

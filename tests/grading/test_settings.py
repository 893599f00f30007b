"""Users' settings: root below a closed home, an ordinary user, no bubblewrap."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from coursekit.sandbox import landlock
from tests.isolation import strongest_level

from .conftest import BANK, CHAPTER, FULL, RIGHT, hand_in, notebook
from .settings import SETTINGS, run_in

pytestmark = pytest.mark.skipif(strongest_level() != "sandbox", reason="no sandbox here")
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
#: Of a process that cannot be dumped, only root sees the open files.
HIDES = "import ctypes\nctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\nwhile True: pass"

#: Folders deeper than any recursion goes, closed, with links out; a file in everybody's memory; a
#: process that has left its group and its session.
MESS = """
import os
try: open("/dev/shm/coursekit-test", "w")
except OSError: pass
for n in range(3000):
    os.mkdir("d"); open("f", "w").close(); os.symlink("/etc", "l"); os.chdir("d")
os.chmod(".", 0)
ready, here = os.pipe2(0)
if not os.fork():
    os.setsid()
    if not os.fork():
        os.write(here, b"!")
        os.execv("/bin/sleep", ["coursekit-orphan", "300"])
    os._exit(0)
os.read(ready, 1)
even = "b"  # it was all done
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """Return a folder outside of pytest's own, which are closed to other users."""
    with tempfile.TemporaryDirectory(prefix="coursekit-test-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def words_for(place: Path, *more: str) -> list[str]:
    """Return what Python runs to grade the class in a folder."""
    words = ["-m", "coursekit.cli", "grade", CHAPTER, str(place / "class"), "--jobs", "1"]
    return [*words, "--results", str(place / "r.jsonl"), "--exercises", str(BANK), *more]


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_class_gets_what_it_deserves_in_users_settings(setting, place):
    folder = place / "class"
    peek = f"import os\nif any(map(os.path.exists, [{str(folder)!r}, {str(BANK)!r}])): even = 'b'"
    hand_in(folder, "anton", notebook("import numpy.random, glob, csv", *RIGHT.values()))
    hand_in(folder, "berta", notebook(RIGHT["double"], HIDES))
    hand_in(folder, "eve", notebook(peek))
    # The supervisor ends what hides from it; where nothing is hidden, a limit of time does.
    limit = ["--cell-seconds", "2"] if setting == "root" else []
    done = run_in(setting, place, words_for(place, *limit))
    assert done.returncode == 0, done.stderr
    assert "isolation: sandbox" in done.stderr
    anton, berta, eve = map(json.loads, (place / "r.jsonl").read_text().splitlines())
    assert (anton["status"], anton["score"], eve["score"]) == ("graded", FULL, 0.0)
    hid = "it hid what it uses" in berta["reason"]
    assert (berta["status"], hid) == {
        "root": ("timeout", False),
        "user": ("needs_review", True),
    }[setting]


@pytest.mark.skipif(not landlock.abi(), reason="no Landlock here")
def test_without_namespaces_nothing_survives_and_nothing_is_left(place):
    hand_in(place / "class", "anton", notebook(MESS))
    alone = "import os\nif os.listdir('.'): even = 'a'"
    hand_in(place / "class", "berta", notebook(*RIGHT.values(), alone))
    done = run_in("user", place, words_for(place, "--isolation", "partial"))
    assert done.returncode == 0, done.stderr
    anton, berta = map(json.loads, (place / "r.jsonl").read_text().splitlines())
    assert (anton["score"], berta["score"]) == (1.0, FULL)
    assert {"partial", "rlimits"} <= set(berta["isolation"].split("+"))
    assert not os.path.exists("/dev/shm/coursekit-test")
    assert os.path.exists("/etc/passwd")
    commands = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
    assert "coursekit-orphan" not in {word for command in commands for word in command}


@AS_ROOT
def test_root_below_a_closed_folder_is_refused_the_weaker_levels(place):
    hand_in(place / "class", "anton", notebook(*RIGHT.values()))
    done = run_in("root", place, words_for(place, "--isolation", "partial"))
    assert done.returncode == 2
    assert "Let others read it: chmod a+x" in done.stderr


@AS_ROOT
@pytest.mark.parametrize(("more", "is_enough"), [("", False), (",+sys_ptrace,+sys_nice", True)])
def test_in_a_container_the_capabilities_that_are_named_are_those_that_are_needed(
    place, more, is_enough
):
    # Docker's own, and what the refusal says to add.
    usual = "chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service net_raw "
    usual += "sys_chroot mknod audit_write setfcap sys_admin"
    hand_in(place / "class", "anton", notebook(*RIGHT.values()))
    bounding = ",".join(["-all", *(f"+{name}" for name in usual.split())]) + more
    command = ["setpriv", "--bounding-set", bounding, "--inh-caps=-all", sys.executable]
    done = subprocess.run([*command, *words_for(place)], capture_output=True, text=True)
    assert done.returncode == (0 if is_enough else 2), done.stderr
    if not is_enough:
        assert "the supervisor may not watch a submission" in done.stderr
        assert "--cap-add SYS_PTRACE --cap-add SYS_NICE" in done.stderr
        assert "run as root" not in done.stderr

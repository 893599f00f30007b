"""Users' settings: who runs the grader, and where its interpreter lies. Made by the tests.

Root's interpreter lies below a folder that nobody else may enter, which is the harder case; an
ordinary user's can be reached. No setting has bubblewrap on its path: a machine on which it was
once installed by hand must not hide what a fresh one lacks.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from coursekit.sandbox import landlock
from tests.isolation import strongest_level

from .conftest import BANK, CHAPTER, FULL, RIGHT, hand_in, notebook

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


_ROOT = os.geteuid() == 0
SETTINGS = [
    *(["root"] if _ROOT else []),
    *(["user"] if not _ROOT or shutil.which("unshare") else []),
]
#: An unused user id.
_USER = "54321"
#: Makes the interpreter reachable, for this process and its children only.
_UNCOVERED = """
set -e
uncover() {  # make a closed folder passable, without showing more of it than what is asked for
    stage=$(mktemp -d)
    mount --bind "$1" "$stage"
    mount -t tmpfs -o mode=755 none "$1"
    mkdir -p "$2"
    mount --bind "$stage/${2#"$1"/}" "$2"
    umount -l "$stage"
    rmdir "$stage"
}
printf %s "$CLOSED" | while read -r home && read -r path; do
    uncover "$home" "$path"
done
exec "$@"
"""
_AS_USER = (
    f"setpriv --reuid {_USER} --regid {_USER} --clear-groups --bounding-set=-all --inh-caps=-all"
)


def run_in(setting: str, folder: Path, arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run Python with ``arguments`` in a setting, whose user may write to ``folder``."""
    command, extra = [sys.executable, *arguments], {}
    if setting == "root":
        command[0] = _below_a_closed_folder(folder)
    elif _ROOT:
        _give(folder)
        uncovered = ["unshare", "--mount", "sh", "-c", _UNCOVERED, "sh"]
        command = [*uncovered, *_AS_USER.split(), *command]
        extra["CLOSED"] = "".join(_closed([sys.executable, __file__]))
    path = [p for p in os.get_exec_path() if not Path(p, "bwrap").exists()]
    env = {"PATH": os.pathsep.join(path), "HOME": str(folder), "LANG": "C.UTF-8", **extra}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


def _below_a_closed_folder(folder: Path) -> str:
    """Return an interpreter of our packages in a folder that nobody else may enter."""
    home = folder / "closed"
    home.mkdir(mode=0o700)
    venv.create(home / "venv", symlinks=True, with_pip=False)
    packages = next((home / "venv").glob("lib/python*/site-packages"))
    own = [sysconfig.get_path("purelib"), str(Path(__file__).parents[2] / "lib")]
    (packages / "ours.pth").write_text("\n".join(own) + "\n")
    return str(home / "venv" / "bin" / "python")


def _give(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            os.chown(path, int(_USER), int(_USER))


def _closed(files: list[str]) -> list[str]:
    """Return each folder of root's that keeps a user from a file, and what to show: two lines."""
    closed = {}
    for file in files:
        for path in {Path(file), Path(os.path.realpath(file))}:
            for parent in reversed(path.parents):
                if not parent.stat().st_mode & 0o001 and parent.stat().st_uid == 0:
                    below = parent / path.relative_to(parent).parts[0]
                    closed[str(parent)] = f"{parent}\n{below}\n"
                    break
    return sorted(closed.values())


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

"""Where users stand: who runs the grader, and where its interpreter lies. Made by the tests.

Root's interpreter lies below a folder that nobody else may enter, which is the harder case; an
ordinary user's can be reached. No setting has bubblewrap on its path: a machine on which it was
once installed by hand must not hide what a fresh one lacks.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

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

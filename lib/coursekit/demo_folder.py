"""Make a course folder for one notebook, gone with its kernel, and run bash cells in it."""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from coursekit.bank.load import default_folder
from coursekit.sandbox.sandbox import strongest_level

#: Lines on the time left, which differ from run to run.
_TIME_LEFT = " a second, about "
#: What bash cells may call besides programs. `grade` runs in the strongest sandbox of this machine.
_SHELL = """
coursekit() {
  if [ "$1" = grade ]; then set -- "$@" $ISOLATION; fi
  PYTHONUNBUFFERED=1 command coursekit "$@"
}
wait_for() {
  for i in $(seq 300); do (echo > /dev/tcp/127.0.0.1/$1) 2>/dev/null && return; sleep 0.2; done
}
"""


def enter_demo_folder(chapter: str) -> Path:
    """Make a course folder with a place for the chapter's private exercises, and go there.

    Beside it is a copy of the installed exercises, for folders that learners' code can read must
    hold none. Sets `PORT`, a free one, and `ISOLATION` in the environment.

    Returns
    -------
    Path
        The folder, which is removed when Python ends.
    """
    above = Path(tempfile.mkdtemp(prefix="course-"))
    atexit.register(shutil.rmtree, above, ignore_errors=True)
    shutil.copytree(default_folder(), above / "exercises")
    course = above / "course"
    (course / "private" / chapter).mkdir(parents=True)
    os.chdir(course)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        os.environ["PORT"] = str(free.getsockname()[1])
    os.environ["ISOLATION"] = f"--isolation {strongest_level()}"
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return course


def bash(line: str, cell: str) -> None:
    """Run a cell in bash and print all that it wrote, without the lines on the time left.

    Raises
    ------
    subprocess.CalledProcessError
        If a command fails.
    """
    done = subprocess.run(
        ["bash", "-e", "-c", _SHELL + cell],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
    )
    lines = done.stdout.splitlines(keepends=True)
    print("".join(line for line in lines if _TIME_LEFT not in line), end="")
    done.check_returncode()


def register_bash() -> None:
    """Let ``%%bash`` call `bash` in this notebook."""
    from IPython.core.magic import register_cell_magic

    register_cell_magic(bash)

"""Run the commands of the pages for those who teach, and compare or write what they print.

A block of bash is run, unless a comment above it says that it is not; a block of text below it is
what it printed. A block of code whose caption names a file is that file. To write all output anew,
after a command, an exercise or a message has changed: ``python -m tests.book.transcripts``.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.isolation import strongest_level

ROOT = Path(__file__).resolve().parents[2]
#: In this order: the second goes on in the folder that the first leaves.
PAGES = [ROOT / "book" / f"{name}.md" for name in ("instructors", "instructors-marks")]
_BLOCK = re.compile(
    r"(?ms)(?P<skip>^% Not run by the tests\.\n\n)?"
    r"^```(?:bash\n(?P<command>.*?)|text\n(?P<printed>.*?)"
    r"|\{code-block\} \w+\n:caption: (?P<file>\S+)\n\n(?P<content>.*?))^```$"
)
#: `grade` runs in the strongest sandbox of this machine, and on a cluster once that is there; both
#: streams come in order, and nothing is left running.
_COURSEKIT = """
trap 'jobs -p | xargs -r kill 2> /dev/null || true' EXIT
coursekit() {
  if [ "$1" = grade ]; then set -- "$@" --isolation "$STRONGEST"; fi
  case "$*" in
    *--dask*) until (echo > /dev/tcp/127.0.0.1/$PORT) 2> /dev/null; do sleep 0.2; done ;;
  esac
  PYTHONUNBUFFERED=1 command coursekit "$@"
}
"""
#: The port of the page, which may be taken here.
_PORT = "8786"
#: What the pages say of what confines code, which depends on the machine.
_ISOLATION = "isolation: sandbox (root, pid, net, ipc, uid, landlock, seccomp, rlimits)"


class Course:
    """A fresh folder for a course, beside a copy of the exercises.

    Parameters
    ----------
    above : Path
        The folder to make both in.
    programs : Path, optional
        Where ``python3`` and ``coursekit`` are.
    """

    def __init__(self, above: Path, programs: Path = Path(sys.executable).parent) -> None:
        self.folder = above / "course"
        self.folder.mkdir(parents=True)
        self._programs = programs
        shutil.copytree(ROOT / "exercises", above / "exercises")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = str(free.getsockname()[1])

    def print(self, page: str) -> Iterator[tuple[re.Match[str], str]]:
        """Do what a page says; yield each block of what was printed, and what is printed now.

        Raises
        ------
        AssertionError
            A command fails, or prints what the page does not show.
        """
        shown = ""
        for block in _BLOCK.finditer(page):
            if block["file"]:
                file = self.folder / block["file"]
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(block["content"], encoding="utf-8")
            elif block["printed"] is not None:
                yield block, shown
                shown = ""
            elif not block["skip"]:
                assert not shown, f"no block of text is there for what was printed:\n{shown}"
                shown = self._run(block["command"])
        assert not shown, f"no block of text is there for what was printed:\n{shown}"

    def _run(self, command: str) -> str:
        path = f"{self._programs}{os.pathsep}{os.environ['PATH']}"
        more = {"PATH": path, "PORT": self._port, "STRONGEST": strongest_level()}
        done = subprocess.run(
            ["bash", "-e", "-c", _COURSEKIT + command.replace(_PORT, self._port)],
            cwd=self.folder,
            env=os.environ | more,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, f"this failed:\n{command}{done.stdout}"
        return self._normal(done.stdout)

    def _normal(self, printed: str) -> str:
        """Leave out what differs from run to run and from machine to machine."""
        printed = re.sub(r"(?m)^.* a second, about .*\n", "", printed)  # the time left
        printed = re.sub(r"(?m) +$", "", printed)  # which editors take away
        printed = printed.replace(str(self.folder.parent), "…").replace(self._port, _PORT)
        return re.sub(r"(?m)^isolation: .*$", _ISOLATION, printed)


def main() -> None:
    """Write what the commands print into the pages."""
    with tempfile.TemporaryDirectory(prefix="course-") as above:
        course = Course(Path(above))
        for path in PAGES:
            page = path.read_text(encoding="utf-8")
            written, end = "", 0
            try:
                for block, printed in course.print(page):
                    written += page[end : block.start("printed")] + printed
                    end = block.end("printed")
            except AssertionError as error:
                sys.exit(f"✗ {path.name} is left as it was: {error}")
            path.write_text(written + page[end:], encoding="utf-8")


if __name__ == "__main__":
    main()

"""How long a text edit of one chapter takes to reach the site: ``python benchmarks/rebuild.py``.

It edits a copy of the course, never the course itself. The copy is built once, and then again
after each of a few edits that bring new words: by `make book`, which begins anew each time, and by
what `make serve` leaves watching. Wall clock says what an author waits for, from the edit to the
finished page.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "node_modules", "_build", "__pycache__", ".*_cache", ".hypothesis"
)


def copy(folder: Path) -> Path:
    """Copy the course's sources into ``folder``, with the environment linked."""
    copied = folder / "course"
    shutil.copytree(ROOT, copied, ignore=LEFT_OUT)
    for name in (".venv", "node_modules"):
        (copied / name).symlink_to(ROOT / name)
    return copied


def environment(course: Path) -> dict[str, str]:
    """Return the environment that a build of the copy needs."""
    return {**os.environ, "PYTHONPATH": str(course / "lib"), "OMP_NUM_THREADS": "1"}


def edit(course: Path, chapter: str, number: int) -> None:
    """Write a sentence with a word that no page has."""
    path = course / "book" / f"{chapter}.md"
    text = path.read_text(encoding="utf-8").rstrip()
    path.write_text(f"{text}\n\nEdit number {number} says unheard{number}of.\n", encoding="utf-8")


def build(course: Path) -> float:
    """Build a copy as `make book` does; return seconds."""
    command = [sys.executable, "-m", "tools.site.build", "--root", str(course)]
    started = time.monotonic()
    done = subprocess.run(
        command, env=environment(course), capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return time.monotonic() - started


def watched(course: Path, chapter: str, numbers: range) -> list[float]:
    """Return the seconds that each of some edits takes while `make serve` watches."""
    command = [sys.executable, "-m", "tools.site.serve", "--port", "0", "--watch"]
    command += ["--root", str(course)]
    seconds = []
    with subprocess.Popen(
        command, env=environment(course), stdout=subprocess.PIPE, text=True
    ) as watcher:
        assert watcher.stdout is not None
        while "watching" not in watcher.stdout.readline():
            pass
        for number in numbers:
            started = time.monotonic()
            edit(course, chapter, number)
            for line in watcher.stdout:
                if "executing" in line:
                    sys.exit("a text edit executed a chapter")
                if line.startswith("✓"):
                    break
            seconds.append(time.monotonic() - started)
            print(f"make serve, edit {number}   {seconds[-1]:6.1f} s", flush=True)
        watcher.terminate()
    return seconds


def main() -> None:
    """Print the time of each rebuild and the medians."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--chapter", default="masking", help="whose text is edited")
    parser.add_argument("--edits", type=int, default=5, help="how often, in each way")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        course = copy(Path(folder))
        print(f"first build           {build(course):6.1f} s", flush=True)
        anew = []
        for number in range(options.edits):
            edit(course, options.chapter, number)
            anew.append(build(course))
            print(f"make book, edit {number}    {anew[-1]:6.1f} s", flush=True)
        served = watched(course, options.chapter, range(options.edits, 2 * options.edits))
    for name, seconds in (("make book", anew), ("make serve", served)):
        print(f"{name}, median    {statistics.median(seconds):6.1f} s")


if __name__ == "__main__":
    main()

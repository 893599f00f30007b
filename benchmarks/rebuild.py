"""How long a text edit of one chapter takes to reach the site: ``python benchmarks/rebuild.py``.

It edits a copy of the course, never the course itself. The copy is built once, and then again
after each of a few edits of one sentence. Wall clock says what an author waits for; processor
time, of all processes of the build together, is the same on a busy machine.
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


def build(course: Path) -> tuple[float, float, str]:
    """Build a copy; return wall clock and processor time in seconds, and what the build said."""
    env = {**os.environ, "PYTHONPATH": str(course / "lib"), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "coursekit.site.build", "--root", str(course)]
    before, started = os.times(), time.monotonic()
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    wall, after = time.monotonic() - started, os.times()
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    worked = after.children_user + after.children_system
    return wall, worked - before.children_user - before.children_system, done.stdout


def main() -> None:
    """Print the time of each rebuild and the medians."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--chapter", default="masking", help="whose text is edited")
    parser.add_argument("--edits", type=int, default=5, help="how often")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        course = copy(Path(folder))
        wall, worked, _ = build(course)
        print(f"first build   {wall:6.1f} s   processor {worked:6.1f} s")
        chapter = course / "book" / f"{options.chapter}.md"
        times = []
        for number in range(1, options.edits + 1):
            text = chapter.read_text(encoding="utf-8")
            chapter.write_text(f"{text.rstrip()}\n\nEdit number {number}.\n", encoding="utf-8")
            wall, worked, said = build(course)
            if "executing" in said:
                sys.exit("a text edit executed a chapter")
            times.append((wall, worked))
            print(f"text edit {number}   {wall:6.1f} s   processor {worked:6.1f} s")
        walls, works = zip(*times, strict=True)
        middle = statistics.median(walls), statistics.median(works)
        print(f"median        {middle[0]:6.1f} s   processor {middle[1]:6.1f} s")


if __name__ == "__main__":
    main()

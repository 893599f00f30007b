"""Submissions per second against nbgrader's autograde: one run, one machine, the same notebooks.

    python benchmarks/grading.py                    # numpy and torch, two judges
    python benchmarks/grading.py --scale 10000      # a large class, with its memory
    python benchmarks/grading.py --workers 1 2      # on dask workers

nbgrader grades a few of the submissions with its own command; its own start is left out. We grade
many with ``coursekit grade``, start included. Both take turns, and the fastest turn of each counts.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import psutil

from coursekit.assignment.course import nbgrader
from coursekit.bank import load_bank
from coursekit.cli import main as coursekit

GOALS = {"numpy": 40.0, "torch": 60.0}


def main() -> None:
    """Run the comparison and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_Formatter)
    parser.add_argument("--chapter", default="masking")
    parser.add_argument("--ours", type=int, default=300, help="submissions that we grade")
    parser.add_argument("--theirs", type=int, default=6, help="submissions that nbgrader grades")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--scale", type=int, default=0, help="then grade a class of this size")
    parser.add_argument("--only", choices=sorted(GOALS), help="measure this library alone")
    parser.add_argument("--workers", type=int, nargs="*", help="grade on so many dask workers")
    args = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    print(
        f"{args.chapter}, {args.jobs} judges, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    if args.scale:
        _scale(args)
    if args.workers:
        _cluster(args)
    if not args.scale and not args.workers:
        for library, goal in GOALS.items():
            if args.only in (None, library):
                _compare(args, library, goal)


class _Formatter(argparse.ArgumentDefaultsHelpFormatter, argparse.RawDescriptionHelpFormatter):
    pass


def _compare(args: argparse.Namespace, library: str, goal: float) -> None:
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder, "course")
        coursekit(["release", args.chapter, "--nbgrader", str(course)])
        work = _solved(course, args.chapter, library)
        theirs = ours = float("inf")
        for turn in range(args.turns):
            place = Path(folder, str(turn))
            place.mkdir()
            theirs = min(theirs, _nbgrader_seconds(course, args.chapter, work, args.theirs))
            seconds = _our_seconds(place, args.chapter, work, args.ours, ["--jobs", str(args.jobs)])
            ours = min(ours, seconds / args.ours)
    verdict = "reached" if theirs / ours >= goal else "MISSED"
    print(
        f"{library:6} nbgrader {1 / theirs:6.2f}/s   coursekit {1 / ours:7.1f}/s   "
        f"ratio {theirs / ours:6.1f} (goal {goal:g}: {verdict})",
        flush=True,
    )


def _solved(course: Path, chapter: str, library: str) -> str:
    """Return the released notebook with every answer filled in."""
    bank = load_bank()
    released = json.loads((course / "release" / chapter / f"{chapter}.ipynb").read_text())
    for cell in released["cells"]:
        about: dict[str, Any] = cell["metadata"].get("coursekit", {})
        if about.get("role") == "answer":
            exercise = bank[about["exercise"]]
            cell["source"] = f"{exercise.setup}\nimport {library}\n{exercise.solution}"
    return json.dumps(released)


def _hand_in(folder: Path, chapter: str, work: str, count: int) -> None:
    for number in range(count):
        place = folder / f"student-{number:05}" / chapter
        place.mkdir(parents=True)
        (place / f"{chapter}.ipynb").write_text(work)


def _nbgrader_seconds(course: Path, chapter: str, work: str, count: int) -> float:
    """Return nbgrader's seconds for one submission, the cost of its own start taken off."""
    for made in ("submitted", "autograded"):
        shutil.rmtree(course / made, ignore_errors=True)
    _hand_in(course / "submitted", chapter, work, count)
    one = _timed(lambda: nbgrader(course, "autograde", chapter, "--student=student-00000"))
    shutil.rmtree(course / "autograded")
    all_of_them = _timed(lambda: nbgrader(course, "autograde", chapter))
    return (all_of_them - one) / (count - 1)


def _our_seconds(folder: Path, chapter: str, work: str, count: int, where: list[str]) -> float:
    """Return our seconds for the whole class, start included."""
    _hand_in(folder / "ours", chapter, work, count)
    results = folder / "results.jsonl"
    words = ["grade", chapter, str(folder / "ours"), "--results", str(results)]
    command = [sys.executable, "-m", "coursekit.cli", *words, *where]
    quiet = subprocess.DEVNULL
    seconds = _timed(lambda: subprocess.run(command, check=True, stdout=quiet, stderr=quiet))
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    assert len(rows) == count
    assert all(row["status"] == "graded" and row["score"] == row["max_score"] for row in rows)
    return seconds


def _timed(action: Any) -> float:
    start = time.monotonic()
    action()
    return time.monotonic() - start


def _scale(args: argparse.Namespace) -> None:
    """Grade a tenth of a large class, then all of it, and print time and memory of both."""
    with tempfile.TemporaryDirectory() as folder:
        work = _released(Path(folder), args.chapter)
        for count in (args.scale // 10, args.scale):
            place = Path(folder, str(count))
            place.mkdir()
            jobs = ["--jobs", str(args.jobs)]
            with _Memory() as memory:
                seconds = _our_seconds(place, args.chapter, work, count, jobs)
            print(f"{count} submissions: {seconds:.0f} s, {count / seconds:.1f}/s, {memory}")


def _cluster(args: argparse.Namespace) -> None:
    """Grade on dask workers, as many as asked for, each a process with one thread."""
    from distributed import LocalCluster

    with tempfile.TemporaryDirectory() as folder:
        work = _released(Path(folder), args.chapter)
        for count in args.workers:
            place = Path(folder, str(count))
            place.mkdir()
            quiet = {"dashboard_address": None, "silence_logs": 50}
            with LocalCluster(n_workers=count, threads_per_worker=1, **quiet) as cluster:
                where = ["--dask", cluster.scheduler_address]
                seconds = _our_seconds(place, args.chapter, work, args.ours, where)
            print(f"{count} dask workers: {args.ours / seconds:.1f}/s")


def _released(folder: Path, chapter: str) -> str:
    course = folder / "course"
    coursekit(["release", chapter, "--nbgrader", str(course)])
    return _solved(course, chapter, "numpy")


class _Memory:
    """The most memory that any of our descendants held, by what it is (bytes of its own)."""

    def __enter__(self) -> _Memory:
        self._peaks: dict[str, int] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def _watch(self) -> None:
        while not self._stop.wait(1.0):
            for process in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    name = self._name(" ".join(process.cmdline()))
                    size = process.memory_full_info().uss
                    self._peaks[name] = max(self._peaks.get(name, 0), size)

    @staticmethod
    def _name(command: str) -> str:
        kinds = {"coursekit.cli": "coordinator", "grade.station": "judge", "settings": "zygote"}
        return next((name for words, name in kinds.items() if words in command), "other")

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()

    def __str__(self) -> str:
        return ", ".join(f"{n} {size >> 20} MiB" for n, size in sorted(self._peaks.items()))


if __name__ == "__main__":
    main()

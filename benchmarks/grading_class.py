"""The class that ``grading.py`` grades: made, handed in, timed, and watched."""

from __future__ import annotations

import contextlib
import io
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil

from coursekit.assignment.course import nbgrader
from coursekit.bank import load_bank
from coursekit.cli import main as coursekit
from coursekit.sandbox import linux
from coursekit.sandbox.sandbox import strongest_level
from coursekit.verdict import Status

_PACKAGES = ("numpy", "torch", "nbgrader", "nbclient", "ipykernel")
_SAMPLE_SECONDS = 0.5
#: A class to compare with, so that only the cost of more submissions remains.
_FEW = 3
#: The processes of a sandbox, from the outermost: those that wait, fork, watch, run learner code.
_FORKS = ("waiting parent", "fork server", "supervisor", "submission")


def environment() -> dict[str, Any]:
    """Return what a rate depends on."""
    return {
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "thread variables": sorted(name for name in os.environ if name.endswith("_NUM_THREADS")),
        "isolation": strongest_level(),
        "versions": {name: version(name) for name in _PACKAGES},
    }


def release(folder: Path, chapter: str) -> Path:
    """Make an nbgrader course of the chapter and return its folder."""
    course = folder / "course"
    with contextlib.redirect_stdout(io.StringIO()):
        coursekit(["release", chapter, "--nbgrader", str(course)])
    return course


def chapters_with_code() -> list[str]:
    """Return the chapters that have an exercise in code."""
    bank = load_bank()
    return [name for name in bank.chapters if any(not e.questions for e in bank.chapter(name))]


def solved(course: Path, chapter: str) -> str:
    """Return the released notebook with every answer filled in."""
    bank = load_bank()
    released = json.loads((course / "release" / chapter / f"{chapter}.ipynb").read_text())
    for cell in released["cells"]:
        about: dict[str, Any] = cell["metadata"].get("coursekit", {})
        if about.get("role") == "answer":
            exercise = bank[about["exercise"]]
            cell["source"] = f"{exercise.setup}\n{exercise.solution}"
    return json.dumps(released)


def nbgrader_cost(course: Path, chapter: str, work: str, count: int) -> float:
    """Return nbgrader's processor seconds for one more submission."""
    for made in ("submitted", "autograded"):
        shutil.rmtree(course / made, ignore_errors=True)
    _hand_in(course / "submitted", chapter, work, count)
    one = processor_seconds(
        lambda: nbgrader(course, "autograde", chapter, "--student=student-00000")
    )
    shutil.rmtree(course / "autograded")
    all_of_them = processor_seconds(lambda: nbgrader(course, "autograde", chapter))
    return (all_of_them - one) / (count - 1)


def our_cost(folder: Path, chapter: str, work: str, count: int, where: list[str]) -> float:
    """Return our processor seconds for one more submission; every row must be right."""
    few = processor_seconds(lambda: our_seconds(folder, chapter, work, _FEW, where))
    many = processor_seconds(lambda: our_seconds(folder, chapter, work, _FEW + count, where))
    return (many - few) / count


def our_seconds(folder: Path, chapter: str, work: str, count: int, where: list[str]) -> float:
    """Return our seconds by the clock for the class, start included; every row must be right."""
    ours, results = folder / "ours", folder / "results.jsonl"
    shutil.rmtree(ours, ignore_errors=True)
    results.unlink(missing_ok=True)
    _hand_in(ours, chapter, work, count)
    words = ["grade", chapter, str(ours), "--results", str(results), *where]
    command = [sys.executable, "-m", "coursekit.cli", *words]
    quiet = subprocess.DEVNULL
    seconds = _timed(lambda: subprocess.run(command, check=True, stdout=quiet, stderr=quiet))
    with results.open(encoding="utf-8") as lines:
        complete = sum(_has_all_points(json.loads(line)) for line in lines)
    if complete != count:
        raise RuntimeError(f"{complete} of {count} solved notebooks have all their points")
    return seconds


def _has_all_points(row: dict[str, Any]) -> bool:
    # Prose waits for a person, and has no points yet.
    waiting = sum(c["max_points"] for c in row["checks"] if c["status"] == Status.MANUAL)
    return bool(row["status"] == "graded" and row["score"] == row["max_score"] - waiting)


def _hand_in(folder: Path, chapter: str, work: str, count: int) -> None:
    for number in range(count):
        place = folder / f"student-{number:05}" / chapter
        place.mkdir(parents=True)
        (place / f"{chapter}.ipynb").write_text(work)


def processor_seconds(action: Callable[[], object]) -> float:
    """Return the processor time of all processes that ``action`` starts, theirs included.

    Other work on the machine hardly changes it, unlike the time by the clock. Each process must
    have ended and been collected: those whose parents end first become this process's children.
    """
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    action()
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _timed(action: Callable[[], object]) -> float:
    start = time.monotonic()
    action()
    return time.monotonic() - start


class Memory:
    """The most memory of their own that our descendants held, by what they are (bytes).

    ``peaks`` has the coordinator, the largest grader, fork server and submission, and the sum of
    all processes at one moment. A process's own memory is what it alone holds and has written:
    pages of libraries are left out, which are its own when no other process maps them.
    So is what happens before there are graders: the coordinator's scrypt takes 16 MiB for a moment
    to stretch the secret, whatever the size of the class.
    """

    def __enter__(self) -> Memory:
        self.peaks: dict[str, int] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(_SAMPLE_SECONDS):
            sizes: list[tuple[str, int]] = []
            for process in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    sizes.append((_kind(process), _own(process.pid)))
            if any(kind == "grader" for kind, _ in sizes):
                for kind, size in sizes:
                    self._note(kind, size)
                self._note("all at once", sum(size for _, size in sizes))

    def _note(self, name: str, size: int) -> None:
        self.peaks[name] = max(self.peaks.get(name, 0), size)


def _own(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty"))


def _kind(process: psutil.Process) -> str:
    command = process.cmdline()
    words = " ".join(command)
    if "sandbox.fork_server" in words:
        # A fork has the command line of the process that it was forked from.
        above = [parent.cmdline() for parent in process.parents()]
        return _FORKS[min(above.count(command), len(_FORKS) - 1)]
    kinds = {"coursekit.cli": "coordinator", "grade.grader_process": "grader"}
    return next((name for part, name in kinds.items() if part in words), "other")

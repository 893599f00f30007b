"""The class that ``grading.py`` grades: made, handed in and timed."""

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
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from coursekit.assignment.course import nbgrader
from coursekit.bank import load_bank
from coursekit.cli import main as coursekit
from coursekit.sandbox import linux
from coursekit.verdict import Status

_PACKAGES = ("numpy", "torch", "nbgrader", "nbclient", "ipykernel")
#: A class to compare with, so that only the cost of more submissions remains.
_FEW = 3


def environment() -> dict[str, Any]:
    """Return what a rate depends on."""
    return {
        "date": time.strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "thread variables": sorted(name for name in os.environ if name.endswith("_NUM_THREADS")),
        "isolation": "sandbox",
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
    few = processor_seconds(lambda: _grade(folder, chapter, work, _FEW, where))
    many = processor_seconds(lambda: _grade(folder, chapter, work, _FEW + count, where))
    return (many - few) / count


def _grade(folder: Path, chapter: str, work: str, count: int, where: list[str]) -> None:
    ours, results = folder / "ours", folder / "results.jsonl"
    shutil.rmtree(ours, ignore_errors=True)
    results.unlink(missing_ok=True)
    _hand_in(ours, chapter, work, count)
    words = ["grade", chapter, str(ours), "--results", str(results), *where]
    command = [sys.executable, "-m", "coursekit.cli", *words]
    quiet = subprocess.DEVNULL
    subprocess.run(command, check=True, stdout=quiet, stderr=quiet)
    with results.open(encoding="utf-8") as lines:
        complete = sum(_has_all_points(json.loads(line)) for line in lines)
    if complete != count:
        raise RuntimeError(f"{complete} of {count} solved notebooks have all their points")


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

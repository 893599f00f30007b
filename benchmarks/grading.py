"""How fast a class is graded, beside nbgrader: `python benchmarks/grading.py`.

    python benchmarks/grading.py                        # against nbgrader
    python benchmarks/grading.py --chapters             # what each chapter costs

nbgrader and ``coursekit grade`` take turns at the same notebooks, copies of a solved chapter. Each
turn gives a ratio of their processor times for one more submission, without the start of either,
and the median of the ratios counts, so that a slow minute of the machine slows both. Every row of
ours must have all its points. Both run as a user's would, with no variable for threads set.

Each part is stored in ``benchmarks/results/grading.json`` with the environment and load under which
it was measured; the other parts stay.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import grading_class as the_class

from coursekit.sandbox.interpreter import ONE_THREAD

RESULTS = Path(__file__).parent / "results" / "grading.json"
#: How many times as fast as nbgrader: a chapter with NumPy alone, and one with PyTorch as well. The
#: second has nine exercises in code; nbgrader's time is mostly that of starting a kernel.
GOALS = {"motivation": 75.0, "masking": 45.0}


def main() -> None:
    """Measure what is asked for, print and store it."""
    options = _parser().parse_args()
    for name in ONE_THREAD:  # as users run it: `make` may have set these
        os.environ.pop(name, None)
    stored = json.loads(options.output.read_text()) if options.output.exists() else {}
    for name, part in _parts(options).items():
        load = os.getloadavg()[0]
        about = the_class.environment() | {"load before": round(load, 1), "jobs": options.jobs}
        print(f"{name}: {about['cores']} cores, load {load:.1f}")
        stored[name] = {"environment": about, **part(options)}
        about["load after"] = round(os.getloadavg()[0], 1)
        options.output.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    print(options.output)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=sorted(GOALS), help="compare on this chapter alone")
    parser.add_argument("--ours", type=int, default=300, help="our submissions in a turn (300)")
    parser.add_argument("--theirs", type=int, default=5, help="nbgrader's in a turn (5)")
    parser.add_argument("--turns", type=int, default=3, help="turns of each (3)")
    parser.add_argument("--jobs", type=int, default=2, help="our workers (2)")
    parser.add_argument("--chapters", action="store_true", help="every chapter with code")
    parser.add_argument("--output", type=Path, default=RESULTS, help="the file of results")
    return parser


def _parts(options: argparse.Namespace) -> dict[str, Any]:
    return {"chapters": _chapters} if options.chapters else {"against nbgrader": _against_nbgrader}


def _against_nbgrader(options: argparse.Namespace) -> dict[str, Any]:
    goals = {n: goal for n, goal in GOALS.items() if options.only in (None, n)}
    return {chapter: _compared(options, chapter, goal) for chapter, goal in goals.items()}


def _compared(options: argparse.Namespace, chapter: str, goal: float) -> dict[str, Any]:
    theirs, ours = [], []
    with tempfile.TemporaryDirectory() as folder:
        course = the_class.release(Path(folder), chapter)
        work = the_class.solved(course, chapter)
        jobs = ["--jobs", str(options.jobs)]
        for _ in range(options.turns):
            theirs.append(the_class.nbgrader_cost(course, chapter, work, options.theirs))
            ours.append(the_class.our_cost(Path(folder), chapter, work, options.ours, jobs))
    ratios = [their / our for our, their in zip(ours, theirs, strict=True)]
    ratio = statistics.median(ratios)
    speed = options.jobs * ratio  # nbgrader grades one notebook at a time, we one on each core
    verdict = "reached" if speed >= goal else "MISSED"
    print(
        f"  {chapter:11}  nbgrader {statistics.median(theirs):.2f} s  "
        f"coursekit {statistics.median(ours):.4f} s of processor time  "
        f"ratio {ratio:.0f}, from {min(ratios):.0f} to {max(ratios):.0f} "
        f"and on {options.jobs} cores {speed:.0f} (goal {goal:g}: {verdict})",
        flush=True,
    )
    return {
        "nbgrader, processor seconds": _rounded(theirs),
        "coursekit, processor seconds": [round(cost, 4) for cost in ours],
        "ratios": _rounded(ratios),
        "ratio": round(ratio, 1),
        "ratio on all workers": round(speed, 1),
        "goal": goal,
    }


def _chapters(options: argparse.Namespace) -> dict[str, Any]:
    """Grade a class of every chapter with code, with the command that a user would type."""
    costs: dict[str, Any] = {}
    for chapter in the_class.chapters_with_code():
        with tempfile.TemporaryDirectory() as folder:
            work = the_class.solved(the_class.release(Path(folder), chapter), chapter)
            jobs = ["--jobs", str(options.jobs)]
            cost = the_class.our_cost(Path(folder), chapter, work, options.ours, jobs)
        costs[chapter] = round(cost, 3)
        print(f"  {chapter:20} {cost:.3f} s of processor time", flush=True)
    return {"submissions": options.ours, "processor seconds": costs}


def _rounded(values: list[float]) -> list[float]:
    return [round(value, 2) for value in values]


if __name__ == "__main__":
    main()

"""The benchmark of grading: it runs, and its stored results reach the goals."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.heavy
def test_it_runs_and_keeps_the_other_parts(tmp_path):
    output = tmp_path / "grading.json"
    output.write_text(json.dumps({"scale": "kept"}))
    words = ["--only", "numpy", "--ours", "3", "--theirs", "2", "--turns", "1"]
    command = [sys.executable, "benchmarks/grading.py", *words, "--output", str(output)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    stored = json.loads(output.read_text())
    assert stored["scale"] == "kept"
    assert len(stored["against nbgrader"]["numpy"]["ratios"]) == 1


def test_what_is_stored_reaches_the_goals():
    stored = json.loads((ROOT / "benchmarks/results/grading.json").read_text(encoding="utf-8"))
    for library, goal in (("numpy", 40), ("torch", 60)):
        part = stored["against nbgrader"][library]
        assert part["goal"] == goal
        assert part["ratio"] >= goal
    classes = {int(n): c for n, c in stored["scale"].items() if n.isdigit()}
    small, large = classes[min(classes)], classes[max(classes)]
    for kind in ("grader", "fork server", "submission", "coordinator"):
        before, after = (c["own memory at most, MiB"][kind] for c in (small, large))
        assert after < before + 4


def test_the_chapter_quotes_what_was_measured() -> None:
    stored = json.loads((ROOT / "benchmarks/results/grading.json").read_text(encoding="utf-8"))
    beside, scale = stored["against nbgrader"], stored["scale"]
    text = " ".join((ROOT / "book" / "instructors-marks.md").read_text(encoding="utf-8").split())
    speed = {name: median(beside[name]["coursekit, a second"]) for name in ("numpy", "torch")}
    numpy, torch = (beside[name]["ratio"] for name in ("numpy", "torch"))
    assert f"at {speed['numpy']:.0f} a second, {numpy:.0f} times as fast" in text
    assert f"at {speed['torch']:.0f} a second, {torch:.0f} times as fast" in text
    smaller, largest = scale["1000"], scale["10000"]
    assert f"Ten thousand took {largest['seconds']:.0f} seconds," in text
    held = [size["own memory at most, MiB"] for size in (smaller, largest)]
    most = max(size for kind, size in held[1].items() if kind != "all at once")
    assert f"no process held more than {most:.0f} MiB of its own" in text
    # In KiB per submission: little more than the name.
    assert (held[1]["coordinator"] - held[0]["coordinator"]) * 1024 / 9000 < 0.5

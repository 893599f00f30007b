"""The benchmark of grading: it runs, and its stored results reach the goals."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from coursekit.bank.load import load_bank

ROOT = Path(__file__).parents[2]


@pytest.mark.heavy
def test_it_runs_and_keeps_the_other_parts(tmp_path):
    output = tmp_path / "grading.json"
    output.write_text(json.dumps({"scale": "kept"}))
    words = ["--only", "motivation", "--ours", "3", "--theirs", "2", "--turns", "1"]
    command = [sys.executable, "benchmarks/grading.py", *words, "--output", str(output)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    stored = json.loads(output.read_text())
    assert stored["scale"] == "kept"
    assert len(stored["against nbgrader"]["motivation"]["ratios"]) == 1


def test_what_is_stored_reaches_the_goals():
    stored = json.loads((ROOT / "benchmarks/results/grading.json").read_text(encoding="utf-8"))
    for chapter, goal in (("motivation", 75), ("masking", 45)):
        part = stored["against nbgrader"][chapter]
        assert part["goal"] == goal
        assert part["ratio on all workers"] >= goal
    classes = {int(n): c for n, c in stored["scale"].items() if n.isdigit()}
    small, large = classes[min(classes)], classes[max(classes)]
    for kind in ("grader", "fork server", "submission", "coordinator"):
        before, after = (c["own memory at most, MiB"][kind] for c in (small, large))
        assert after < before + 4


def test_the_chapter_quotes_what_was_measured() -> None:
    stored = json.loads((ROOT / "benchmarks/results/grading.json").read_text(encoding="utf-8"))
    beside, scale = stored["against nbgrader"], stored["scale"]
    text = " ".join((ROOT / "book" / "instructors-marks.md").read_text(encoding="utf-8").split())
    for chapter in ("motivation", "masking"):
        ratio = f" {beside[chapter]['ratio']:.0f} times "
        assert re.search(rf"{ratio}[\w ]*\[\]\({chapter}\.md\), which needs", text)
    smaller, largest = scale["1000"], scale["10000"]
    held = [size["own memory at most, MiB"] for size in (smaller, largest)]
    most = max(size for kind, size in held[1].items() if kind != "all at once")
    assert f"No process held more than {most:.0f} MiB of private memory" in text
    # In KiB per submission: little more than the name.
    assert (held[1]["coordinator"] - held[0]["coordinator"]) * 1024 / 9000 < 0.5


def test_the_chapter_lists_what_every_chapter_with_code_costs() -> None:
    stored = json.loads((ROOT / "benchmarks/results/grading.json").read_text(encoding="utf-8"))
    costs = stored["chapters"]["processor seconds"]
    bank = load_bank(only_declared=True)
    with_code = {exercise.chapter for exercise in bank.values() if not exercise.questions}
    assert set(costs) == with_code
    text = (ROOT / "book" / "instructors-marks.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| (\d\.\d\d) \| (.+) \|$", text)
    listed = {name: cost for cost, names in rows for name in re.findall(r"\((.+?)\.md\)", names)}
    assert listed == {chapter: f"{cost:.2f}" for chapter, cost in costs.items()}


def test_what_is_measured_is_what_a_user_gets() -> None:
    """Threads as a user has them: `make` sets a variable, which the benchmark takes away."""
    stored = json.loads((ROOT / "benchmarks/results/grading.json").read_text(encoding="utf-8"))
    for part in ("against nbgrader", "chapters"):
        assert stored[part]["environment"]["thread variables"] == [], part

"""The benchmark of grading: it runs, and what is stored reaches what was to be reached."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

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
        found = stored["against nbgrader"][library]
        assert found["goal"] == goal
        assert found["ratio"] >= goal
    classes = {int(n): c for n, c in stored["scale"].items() if n.isdigit()}
    small, large = classes[min(classes)], classes[max(classes)]
    for kind in ("judge", "zygote", "submission", "coordinator"):
        before, after = (c["own memory at most, MiB"][kind] for c in (small, large))
        assert after < before + 16

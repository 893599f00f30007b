"""The benchmark of the explorables runs, and what it stored reaches its goal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from attnlab import explorables

ROOT = Path(__file__).resolve().parents[3]
TIMES = "processor time of a step, ms"


@pytest.mark.heavy
def test_it_measures_every_step(site: Path, tmp_path: Path) -> None:
    output = tmp_path / "explorables.json"
    command = [sys.executable, "benchmarks/explorables.py", "--turns", "1", "--output", str(output)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    stored = json.loads(output.read_text())[TIMES]
    assert set(stored) <= set(explorables.__all__)
    assert all(times["median"] > 0 for times in stored.values())


def test_what_is_stored_reaches_the_goal() -> None:
    stored = json.loads((ROOT / "benchmarks/results/explorables.json").read_text(encoding="utf-8"))
    assert stored["goal, ms"] == 8
    assert max(times["median"] for times in stored[TIMES].values()) <= 8

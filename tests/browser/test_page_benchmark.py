"""The benchmark of pages: what it counts is what came, and its stored results say what of."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "benchmarks" / "results" / "pages.json"


@pytest.mark.heavy
def test_it_measures_and_stores(site: Path, tmp_path: Path) -> None:
    output = tmp_path / "pages.json"
    command = [sys.executable, "benchmarks/pages.py", "--turns", "1", "--pages", "notation"]
    subprocess.run([*command, "--output", str(output)], cwd=ROOT, check=True, capture_output=True)
    stored = json.loads(output.read_text(encoding="utf-8"))
    page = stored["pages"]["notation"]
    assert page["bytes"] == sum(page["by kind"].values())
    # Packed: the page alone is larger as it lies there.
    assert page["by kind"]["Document"] < (site / "notation.html").stat().st_size / 2
    assert page["requests"] > 5
    assert page["by kind"]["Font"] > 0
    assert stored["Python"]["first Check"]["processor ms"]["median"] > 0
    assert stored["Python"]["second Check"]["ms"]["median"] > 0
    assert stored["in the editor"]["steps"]["ms"]["median"] > 0
    assert set(stored) == set(json.loads(STORED.read_text(encoding="utf-8")))


def test_what_is_stored_says_where_and_when_it_was_measured() -> None:
    for name in ("pages", "lighthouse"):
        path = STORED.with_name(f"{name}.json")
        stored = json.loads(path.read_text(encoding="utf-8"))
        assert {"date", "system", "cores"} <= set(stored["environment"])
    assert "load before" in json.loads(STORED.read_text(encoding="utf-8"))["environment"]


def test_lighthouse_gives_what_was_to_be_reached() -> None:
    stored = json.loads(STORED.with_name("lighthouse.json").read_text(encoding="utf-8"))
    assert stored["goal"] == 95
    assert min(page["accessibility"] for page in stored["pages"].values()) >= 95
    assert {"welcome", "evidence", "build-a-gpt"} <= set(stored["pages"])
    assert all("load before" in page for page in stored["pages"].values())

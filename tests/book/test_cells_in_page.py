"""Chapters' cells in a Python as a page has it: without Matplotlib, IPython, widgets and torch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Runs a chapter's cells; prints of each its error, and whether that comes of a missing module.
SCRIPT = """
import importlib.util, json, sys
for name in ("torch", "anywidget"):
    sys.modules[name] = None
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "anywidget" else real(name, *more)
import jupytext
from coursekit.in_page import standins
from coursekit.in_page.cells import Cells
standins._is_absent = lambda name: True
cells, above, faults = Cells(), [], []
for cell in jupytext.read(sys.argv[1], fmt="md:myst").cells:
    if cell.cell_type == "code":
        reply = cells.run(cell.source, f"cell {len(above) + 1}", above)
        above.append(cell.source)
        if reply["error"] and not (reply["missing"] or reply["unrun"]):
            faults.append(reply["error"])
print(json.dumps(faults))
"""
#: What a cell says whose input comes from one that needs torch, by a name used before.
FOLLOWS = {"interpretation": ["Line 1: KeyError: 'cross'"]}
QUICK = ["attention-memory", "hashing", "positions", "windows"]
LONG = [
    "at-work",
    "attention-today",
    "build-a-gpt",
    "circuits",
    "evidence",
    "evidence-in-use",
    "fast-exact",
    "interpretation",
    "masking",
    "motivation",
    "multi-head",
    "queries-keys-values",
    "scaled-dot-product",
    "scores",
    "self-and-cross",
    "soft-and-hard",
    "transformer",
    "workshop",
]


@pytest.mark.parametrize(
    "name", [*QUICK, *(pytest.param(name, marks=pytest.mark.heavy) for name in LONG)]
)
def test_cells_run_or_say_what_they_need(name: str) -> None:
    command = [sys.executable, "-c", SCRIPT, str(ROOT / "book" / f"{name}.md")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == FOLLOWS.get(name, [])

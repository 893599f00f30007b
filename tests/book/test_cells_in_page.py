"""Chapters' cells in a Python as a page has it: without Matplotlib, IPython, widgets and torch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.site.project import Project

ROOT = Path(__file__).resolve().parents[2]
#: Runs a chapter's cells; prints of each its error, and whether that comes of a missing module.
SCRIPT = """
import importlib.util, json, sys
for name in ("torch", "anywidget"):
    sys.modules[name] = None
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "anywidget" else real(name, *more)
import jupytext
from coursekit.live import standins
from coursekit.live.cells import Cells
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
#: The others take long.
QUICK = ("attention-memory", "hashing", "positions", "windows")
BOOK = Project(ROOT)


@pytest.mark.parametrize(
    "chapter",
    [
        pytest.param(chapter, marks=() if chapter.stem in QUICK else pytest.mark.heavy)
        for chapter in BOOK.chapters()
        if BOOK.is_notebook(chapter)
    ],
    ids=lambda chapter: chapter.stem,
)
def test_cells_run_or_say_what_they_need(chapter: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, str(chapter)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == FOLLOWS.get(chapter.stem, [])

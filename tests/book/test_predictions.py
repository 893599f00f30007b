"""Predict, then run, in notebooks: the output comes after the question, and is not there yet."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from coursekit.notebook.gates import FOLDED_OUTPUT
from tests.course import BANK
from tools.site.project import Project

BOOK = Project(Path(__file__).resolve().parents[2])
CHAPTERS = [chapter for chapter in BOOK.chapters() if BOOK.is_notebook(chapter)]
#: Bets that a later section settles.
LATER = {"predict-fresh-sentences"}
WITH_PREDICTIONS = sorted(
    {BANK[id].chapter for id in BANK if id.startswith("predict-")}
    & {chapter.stem for chapter in CHAPTERS}
)


def exercise_of(cell: Any) -> str:
    """Return the exercise that a cell belongs to."""
    return str(cell.metadata.get("coursekit", {}).get("exercise", ""))


def cells_of(site: Path, chapter: str) -> list[Any]:
    """Return the cells of a chapter's published notebook."""
    file = site / "notebooks" / f"{chapter}.ipynb"
    return list(nbformat.read(file, as_version=4).cells)


@pytest.mark.parametrize("name", WITH_PREDICTIONS)
def test_folded_cell_follows_the_question_that_predicts_it(site: Path, name: str) -> None:
    cells = cells_of(site, name)
    ids = [exercise_of(cell) for cell in cells]
    predictions = {id for id in ids if id.startswith("predict-")}
    assert predictions
    for id in predictions - LATER:
        last = len(ids) - 1 - ids[::-1].index(id)
        ends = [at for at in range(last + 1, len(ids)) if ids[at]] + [len(ids)]
        below = [cell.metadata.get("tags", []) for cell in cells[last + 1 : ends[0]]]
        assert any({"hide-output", "hide-cell"} & set(tags) for tags in below), id


def _asks(markdown: str) -> bool:
    """Whether the text of the last section so far asks the reader something."""
    section = re.split(r"(?m)^#+ .*$", markdown)[-1]
    return "?" in re.sub(r"`[^`]*`|\[[^\]]*\]\([^)]*\)", "", section)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_every_fold_after_a_question_is_a_gate(site: Path, chapter: Path) -> None:
    asked, open_folds, waits = "", [], False
    for cell in cells_of(site, chapter.stem):
        exercise = exercise_of(cell)
        if exercise:
            asked, waits = "", exercise.startswith("predict-")
        elif cell.cell_type == "markdown":
            waits = waits and not re.search(r"(?m)^#+ ", cell.source)
            asked += f"\n{cell.source}"
        else:
            if FOLDED_OUTPUT & {*cell.metadata.get("tags", [])} and not waits and _asks(asked):
                open_folds.append(asked.strip().splitlines()[-1])
            asked = ""
    assert open_folds == []

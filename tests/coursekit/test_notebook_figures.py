"""Exercises with a figure to move: one figure above the answer, with the button that is named."""

from __future__ import annotations

import re

import pytest

from coursekit.notebook import assignment_notebook, chapter_notebook, student_cells
from tests.course import BANK, ROOT

from .test_notebook import by_role

MOVED = [exercise.id for exercise in BANK.values() if exercise.binds]


@pytest.mark.parametrize("id", MOVED)
def test_one_figure_above_the_answer_offers_it(id: str) -> None:
    exercise = BANK[id]
    cells = student_cells(exercise)
    roles = [cell.metadata.coursekit.role for cell in cells]
    assert roles.count("figure") == 1
    assert roles.index("figure") < roles.index("answer")
    assert not [cell for cell in cells[roles.index("answer") :] if "explorables" in cell.source]
    (figure,) = by_role(cells, "figure")
    names: dict[str, object] = {}
    exec(figure.source, names)
    shown = eval(figure.source.splitlines()[-1], names)
    assert shown.answers == list(exercise.binds.values())
    assert set(exercise.binds) <= set(shown.names)


@pytest.mark.parametrize("id", MOVED)
def test_a_notebook_names_the_button_that_it_has(id: str) -> None:
    front_end = ROOT / "lib/attnlab/explorables/ui/frame.ts"
    page, notebook = re.findall(r'button\("(\w+ as answer)"', front_end.read_text("utf-8"))
    cells = student_cells(BANK[id])
    assert f"has a button, **{notebook}**. Paste what it copies into the answer" in cells[0].source
    (answer,) = by_role(cells, "answer")
    (comment,) = [line for line in answer.source.splitlines() if line.startswith("# ")]
    assert f'"{notebook}" in the figure above and paste here' in comment
    chapter = BANK[id].chapter
    published = chapter_notebook(ROOT / "book" / f"{chapter}.md", BANK)
    for made in (published, assignment_notebook(chapter, BANK.chapter(chapter))):
        text = "\n".join(cell.source for cell in made.cells)
        assert cells[0].source in text
        assert answer.source in text
        assert page not in text

"""Exercises with a figure to move: one figure above the answer, with the button that is named."""

from __future__ import annotations

import re
from functools import cache

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


@cache
def notebook_texts(chapter: str) -> dict[str, str]:
    """Return the text of a chapter's notebook as it is published, and as it is released."""
    made = {
        "published": chapter_notebook(ROOT / "book" / f"{chapter}.md", BANK),
        "released": assignment_notebook(chapter, BANK.chapter(chapter)),
    }
    return {kind: "\n".join(cell.source for cell in one.cells) for kind, one in made.items()}


@pytest.mark.parametrize("kind", ["published", "released"])
@pytest.mark.parametrize("id", MOVED)
def test_a_notebook_names_the_button_that_it_has(id: str, kind: str) -> None:
    text = notebook_texts(BANK[id].chapter)[kind]
    front_end = ROOT / "lib/attnlab/explorables/ui/frame.ts"
    page, notebook = re.findall(r'button\("(\w+ as answer)"', front_end.read_text("utf-8"))
    assert page not in text
    cells = student_cells(BANK[id])
    assert f"has a button, **{notebook}**. Paste what it copies into the answer" in cells[0].source
    assert cells[0].source in text
    (answer,) = by_role(cells, "answer")
    comments = [line for line in answer.source.splitlines() if line.startswith("# ")]
    assert [f'"{notebook}" in the figure above and paste here' in line for line in comments] == [
        True
    ]
    assert answer.source in text

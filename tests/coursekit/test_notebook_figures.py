"""Exercises with a figure to move: one figure above the answer, with the button that is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from coursekit.bank import exercise_files, load_exercise
from coursekit.notebook import assignment_notebook, chapter_notebook, student_cells

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
FILES = exercise_files(EXERCISES)


def by_role(cells, role: str):
    return [cell for cell in cells if cell.metadata.coursekit.role == role]


MOVED = [load_exercise(file).id for file in FILES if load_exercise(file).binds]


def test_there_are_exercises_with_a_figure_to_move() -> None:
    assert len(MOVED) >= 4


@pytest.mark.parametrize("id", MOVED)
def test_one_figure_above_the_answer_offers_it(bank, id: str) -> None:
    exercise = bank[id]
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


def notebook_texts(bank, chapter: str) -> dict[str, str]:
    """Return the text of a chapter's notebook as it is published, and as it is released."""
    book = EXERCISES.parent / "book" / f"{chapter}.md"
    made = {
        "published": chapter_notebook(book, bank),
        "released": assignment_notebook(chapter, bank.chapter(chapter)),
    }
    return {kind: "\n".join(cell.source for cell in one.cells) for kind, one in made.items()}


@pytest.mark.parametrize("kind", ["published", "released"])
@pytest.mark.parametrize("id", MOVED)
def test_a_notebook_names_the_button_that_it_has(bank, id: str, kind: str) -> None:
    text = notebook_texts(bank, bank[id].chapter)[kind]
    front_end = EXERCISES.parent / "lib/attnlab/explorables/ui/frame.ts"
    page, notebook = re.findall(r'button\("(\w+ as answer)"', front_end.read_text("utf-8"))
    assert page not in text
    cells = student_cells(bank[id])
    assert f"has a button, **{notebook}**. Paste what it copies into the answer" in cells[0].source
    assert cells[0].source in text
    (answer,) = by_role(cells, "answer")
    comments = [line for line in answer.source.splitlines() if line.startswith("# ")]
    assert [f'"{notebook}" in the figure above and paste here' in line for line in comments] == [
        True
    ]
    assert answer.source in text

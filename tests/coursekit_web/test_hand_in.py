"""Hand in from the page: its answers, in the chapter's notebook, are graded as any others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest

from coursekit.cli import main
from coursekit.model import Choice, Exercise, Numeric, Parsons
from coursekit.notebook import chapter_notebook
from coursekit.page.page_data import page_data
from tests.course import BANK

from .test_scripts import HERE, run_node

ROOT = HERE.parents[1]
#: Between them they have every kind of question.
CHAPTERS = ("workshop", "review")


def _answer(question: Any) -> str:
    """Return the right answer as the page keeps it; prose is left to a person."""
    if isinstance(question, Choice):
        return next(key for key, option in question.options.items() if option.correct)
    if isinstance(question, Numeric):
        numbers = (
            question.answer if isinstance(question.answer, list | tuple) else [question.answer]
        )
        return "; ".join(str(float(number)) for number in numbers)
    return " ".join(question.orders[0]) if isinstance(question, Parsons) else "In my own words."


def _memory(exercise: Exercise) -> dict[str, Any]:
    if exercise.questions:
        return {"answers": {question.name: _answer(question) for question in exercise.questions}}
    return {"code": exercise.solution}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_right_answers_of_a_page_get_every_point_of_the_grader(
    chapter: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exercises = [e for e in BANK.chapter(chapter) if not e.notebook_only]
    filled = tmp_path / "submitted" / "ada" / chapter / f"{chapter}.ipynb"
    filled.parent.mkdir(parents=True)
    files = {
        "NOTEBOOK": nbformat.writes(chapter_notebook(ROOT / "book" / f"{chapter}.md", BANK)),
        "DATA": json.dumps([page_data(exercise) for exercise in exercises]),
        "ANSWERS": json.dumps({exercise.id: _memory(exercise) for exercise in exercises}),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    paths = {name: str(tmp_path / name) for name in files} | {"FILLED": str(filled)}
    done = run_node([HERE / "hand_in.test.ts"], **paths)
    assert done.returncode == 0, done.stdout
    nbformat.validate(nbformat.read(filled, as_version=4))

    results = tmp_path / "results.jsonl"
    # The text's own cells run as well, as they do for every submission.
    words = ["grade", chapter, str(tmp_path / "submitted"), "--results", str(results)]
    assert main([*words, "--jobs", "1"]) == 0, capsys.readouterr().err
    (row,) = map(json.loads, results.read_text(encoding="utf-8").splitlines())
    by_hand = sum(q.points for e in exercises for q in e.questions if q.kind == "text")
    assert row["score"] == sum(e.points for e in exercises) - by_hand, row

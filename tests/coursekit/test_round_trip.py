"""Chapters of the course, released, answered and handed in, earn what they should.

The notebooks of all chapters are graded in `tests/grading/test_conformity.py`; here is the way.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from coursekit.bank.load import Bank
from coursekit.bank.mistakes import wrong_answers
from coursekit.bank.model import Exercise
from coursekit.cli import main
from coursekit.results import read_results
from coursekit.row import Row
from coursekit.sandbox.sandbox import strongest_level

#: One in NumPy that builds on its own exercises, one with PyTorch.
CHAPTERS = ("build-a-gpt", "transformer")


def hand_in(
    released: Path, bank: Bank, folder: Path, student: str, answer: Callable[[Exercise], str]
) -> None:
    notebook = nbformat.read(released, 4)
    for cell in notebook.cells:
        about = cell.metadata.get("coursekit", {})
        if about.get("role") == "answer":
            exercise = bank[about["exercise"]]
            cell.source = f"{exercise.setup}\n{answer(exercise)}"
    file = folder / student / released.stem / released.name
    file.parent.mkdir(parents=True)
    nbformat.write(notebook, file)


def graded(chapter: str, tmp_path: Path) -> dict[str, Row]:
    command = ["grade", chapter, str(tmp_path / "submitted"), "--jobs", "1"]
    file = tmp_path / "results.jsonl"
    assert main([*command, "--results", str(file), "--isolation", strongest_level()]) == 0
    return {result.student: result for result in read_results(file)}


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_solved_earns_all_and_unsolved_nothing(bank: Bank, chapter: str, tmp_path: Path) -> None:
    assert main(["release", chapter, "-o", str(tmp_path)]) == 0
    released = tmp_path / f"{chapter}.ipynb"
    folder = tmp_path / "submitted"
    hand_in(released, bank, folder, "solved", lambda exercise: exercise.solution)
    hand_in(released, bank, folder, "unsolved", lambda exercise: exercise.starter)
    results = graded(chapter, tmp_path)
    prose = sum(q.points for e in bank.chapter(chapter) for q in e.free_text)
    solved, unsolved = results["solved"], results["unsolved"]
    assert solved.score == solved.max_score - prose
    assert solved.max_score == sum(exercise.points for exercise in bank.chapter(chapter))
    assert unsolved.score == 0


def test_a_widget_exercise_is_graded_like_any_other(bank: Bank, tmp_path: Path) -> None:
    widgets = [exercise for exercise in bank.values() if exercise.explorable and exercise.mistakes]
    assert "context-vector-widget" in {exercise.id for exercise in widgets}
    exercise = bank["context-vector-widget"]
    assert main(["release", exercise.chapter, "-o", str(tmp_path)]) == 0
    released = tmp_path / f"{exercise.chapter}.ipynb"
    wrong = wrong_answers(exercise)["towards-the-first"]
    hand_in(
        released,
        bank,
        tmp_path / "submitted",
        "ada",
        lambda other: wrong.code if other is exercise else other.solution,
    )
    checks = graded(exercise.chapter, tmp_path)["ada"].checks
    missed = [check for check in checks if not check.passed]
    assert [(c.exercise, c.misconception) for c in missed] == [(exercise.id, wrong.mistake)]
    assert exercise.explanations[wrong.mistake] in missed[0].text

"""The batch grader and the course's own exercises: the same verdicts as in a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import nbformat
import pytest

from coursekit.bank import default_folder
from coursekit.demo_class import filled
from coursekit.grade.batch import modules_to_preload
from coursekit.grade.grader import Grader
from coursekit.grade.limits import Limits
from coursekit.made import known_of, run_answer
from coursekit.model import Exercise, withheld_by
from coursekit.notebook import assignment_notebook
from coursekit.running import run_check
from coursekit.sandbox.sandbox import Sandbox
from coursekit.verdict import Verdict
from tests.course import BANK

from .conftest import notebook, sandbox_for


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """Return the sandbox in which all of the course's own answers run."""
    loaded: dict[str, Any] = {"preload": ("numpy", "torch"), "hidden": (str(default_folder()),)}
    with closing(sandbox_for(limits=Limits(), **loaded)) as sandbox:
        yield sandbox


@pytest.mark.parametrize("chapter", BANK.chapters)
def test_a_released_notebook_that_is_solved_has_all_its_points(sandbox, chapter, tmp_path):
    exercises, released = BANK.chapter(chapter), tmp_path / "released.ipynb"
    nbformat.write(assignment_notebook(chapter, exercises), released)
    solved = filled(released, exercises, lambda e: f"{e.setup}\n{e.solution}", "Prose to read.")
    row = Grader(exercises, sandbox, Limits()).grade(solved.encode()).as_json()
    assert row["status"] == "graded", row["reason"]
    assert {check["status"] for check in row["checks"]} <= {"passed", "manual"}
    assert row["max_score"] == sum(exercise.points for exercise in exercises)


@pytest.mark.parametrize("chapter", [c for c in BANK.chapters if withheld_by(BANK.chapter(c))])
def test_a_function_that_is_asked_for_is_not_there_to_be_handed_in(chapter):
    exercises = BANK.chapter(chapter)
    names = withheld_by(exercises)
    preload = modules_to_preload(exercises)  # as in a class: CUDA's torch is larger than the limits
    limited = {"limits": Limits(), "hidden": (str(default_folder()),), "withheld": names}
    with closing(sandbox_for(preload=preload, **limited)) as used:
        for exercise in exercises:
            grader = Grader([exercise], used, Limits())
            before = exercise.groundwork + exercise.setup
            for full in exercise.withhold:
                module, _, function = full.rpartition(".")
                takes = "".join(f"from {module} import {function} as {n}\n" for n in exercise.names)
                assert grader.grade(notebook(f"{before}\n{takes}")).score == 0.0, full
            row = grader.grade(notebook(f"{before}\n{exercise.solution}"))
            assert row.score == row.max_score, exercise.id


@pytest.mark.heavy
@pytest.mark.parametrize("id", [e.id for e in BANK.values() if e.kind == "code"])
def test_wrong_and_other_right_answers_are_graded_as_in_a_notebook(sandbox, id):
    exercise = BANK[id]
    codes = {name: wrong.code for name, wrong in exercise.wrong.items()}
    for name, code in {**codes, **exercise.also_right}.items():
        cell = exercise.groundwork + exercise.setup + "\n" + code
        confined = Grader([exercise], sandbox, Limits()).grade(notebook(cell)).checks
        assert _told(confined) == _told(_in_a_notebook(exercise, code)), name


def _in_a_notebook(exercise: Exercise, code: str) -> list[Verdict]:
    names, _ = run_answer(exercise, code)
    return [
        run_check(check, names, exercise=exercise.id, known=partial(known_of, exercise, check))
        for check in exercise.checks
    ]


def _told(results: Any) -> list[tuple[str, float, str | None]]:
    return [(r.check, r.points, r.misconception) for r in results]

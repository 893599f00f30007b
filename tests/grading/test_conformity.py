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
from coursekit.verdict import CHECK_ERROR, Verdict
from tests.course import BANK

from .conftest import notebook, sandbox_for


@pytest.mark.parametrize("chapter", BANK.chapters)
def test_a_released_notebook_that_is_solved_has_all_its_points(course_sandbox, chapter, tmp_path):
    exercises, released = BANK.chapter(chapter), tmp_path / "released.ipynb"
    nbformat.write(assignment_notebook(chapter, exercises), released)
    solved = filled(released, exercises, lambda e: f"{e.setup}\n{e.solution}", "Prose to read.")
    row = Grader(exercises, course_sandbox, Limits()).grade(solved.encode()).as_json()
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
def test_an_exercise_s_answers_are_graded_as_in_a_notebook(course_sandbox, id):
    exercise = BANK[id]
    # Two of a kind: `test_exercises.py` has the verdicts on all, and the way here is the same.
    codes = [wrong.code for wrong in exercise.wrong.values()][:2]
    for code in [*codes, *[*exercise.also_right.values()][:1]]:
        cell = exercise.groundwork + exercise.setup + "\n" + code
        confined = Grader([exercise], course_sandbox, Limits()).grade(notebook(cell)).checks
        assert _told(confined) == _told(_in_a_notebook(exercise, code)), code


def _in_a_notebook(exercise: Exercise, code: str) -> list[Verdict]:
    names, _ = run_answer(exercise, code)
    return [
        run_check(check, names, exercise=exercise.id, known=partial(known_of, exercise, check))
        for check in exercise.checks
    ]


def _told(results: Any) -> list[tuple[str, float, str | None]]:
    return [(r.check, r.points, r.misconception) for r in results]


# --- a part of the points ------------------------------------------------------------------------


def checks_of(sandbox: Sandbox, id: str, answer: str) -> dict[str, Verdict]:
    """Return the verdicts on one answer, by check."""
    cell = f"{BANK[id].setup}\n{answer}"
    checks = Grader([BANK[id]], sandbox, Limits()).grade(notebook(cell)).checks
    return {check.check: check for check in checks}


def test_a_partly_right_order_is_graded_in_part(course_sandbox):
    lines = 'decoding_lines = ["h", "e", ">b", ">d", ">a", ">c", ">>f"]'
    mine = checks_of(course_sandbox, "decoding-loop", lines)["decoding_lines"]
    assert (mine.points, mine.misconception) == (1.43, "reads-prompt-only")


#: Answers to an exercise in writing a test that look at anything but what a function computes.
CHEATS = {
    "the function's name": """
def check_attention(attention):
    assert attention.__name__ in ("_by_rows", "_by_loops", "<lambda>", "shuffled")
""",
    "the order of the calls": """
calls = 0
def check_attention(attention):
    global calls
    calls += 1
    assert calls % 3
""",
    "what the function has inside": """
def check_attention(attention):
    cells = getattr(attention, "__closure__", None) or ()
    names = [getattr(cell.cell_contents, "__name__", "") for cell in cells]
    assert not {"broken", "_overflowing", "attention"} & set(names)
""",
}


def test_points_of_a_learner_s_test_are_the_mutants_that_it_stops(course_sandbox):
    answer = BANK["write-the-test"].wrong["blind-to-overflow"].code
    checks = checks_of(course_sandbox, "write-the-test", answer)
    missed = {name: check for name, check in checks.items() if not check.passed}
    assert set(missed) == {"not_a_number", "one_maximum_for_all"}
    assert sum(check.points for check in checks.values()) == len(checks) - 2
    assert missed["not_a_number"].misconception == "blind-to-overflow"
    assert "_shares" not in missed["not_a_number"].text


@pytest.mark.parametrize("cheat", CHEATS.values(), ids=CHEATS)
def test_a_learner_s_test_that_computes_nothing_earns_no_point(course_sandbox, cheat):
    checks = checks_of(course_sandbox, "write-the-test", cheat)
    assert [name for name, check in checks.items() if check.passed] == []


# --- results of a wrong type, in all exercises on PyTorch -----------------------------------------


#: What is returned, or held, in place of the right thing.
WRONG = [
    "None", "1.5", "'a'", "np.ones((2, 3))", "(torch.ones(2), 1)",
    "torch.ones(2, 3, dtype=torch.int64)",
]  # fmt: skip
#: How it takes the place of a function or a class.
HELD = "{name} = {value}"
MADE = "def {name}(*args, **options):\n    return {value}"
PASSED_ON = (
    "class Other({name}):\n    def forward(self, *args, **options):\n        return {value}\n"
    "{name} = Other"
)
HEAVY = pytest.mark.heavy
ON_TORCH = [e.id for e in BANK.values() if "import torch" in e.setup and not e.questions]


def answers(exercise: Exercise, value: str) -> Iterator[list[str]]:
    """Yield cells that answer an exercise, but for one name."""
    right = [exercise.groundwork, f"{exercise.setup}\nimport numpy as np", exercise.solution]
    for name in exercise.names:
        shapes = [HELD, MADE, PASSED_ON][: 3 if f"class {name}(" in exercise.solution else 2]
        for shape in shapes:
            yield [*right, shape.format(name=name, value=value)]


@pytest.mark.parametrize("value", [WRONG[0], *(pytest.param(v, marks=HEAVY) for v in WRONG[1:])])
@pytest.mark.parametrize("id", ON_TORCH)
def test_a_result_of_a_wrong_type_is_graded_and_told(course_sandbox, id: str, value: str) -> None:
    exercise = BANK[id]
    grader = Grader([exercise], course_sandbox, Limits())
    for cells in answers(exercise, value):
        row = grader.grade(notebook(*cells)).as_json()
        assert (row["status"], row["reason"]) == ("graded", ""), cells[-1]
        names: dict[str, Any] = {"__name__": "__main__"}
        for cell in cells:
            exec(compile(cell, "<cell>", "exec"), names)
        here = [
            run_check(check, names, exercise=id, without_torch=exercise.without_torch)
            for check in exercise.checks
        ]
        assert CHECK_ERROR not in {verdict.misconception for verdict in here}
        assert [c["points"] for c in row["checks"]] == [v.points for v in here], cells[-1]
        if not exercise.used:  # A model of an earlier step begins with other weights there.
            failed = [c["message"] for c in row["checks"] if c["status"] == "failed"]
            assert failed == [v.message for v in here if not v.passed]

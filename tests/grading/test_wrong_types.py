"""Results of a wrong type, in all exercises on PyTorch: told in words, graded, alike everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from coursekit.grade.grader import Grader
from coursekit.grade.limits import Limits
from coursekit.model import Exercise
from coursekit.running import run_check
from coursekit.sandbox.sandbox import Sandbox
from coursekit.verdict import CHECK_ERROR
from tests.course import BANK

from .conftest import notebook, sandbox_for

#: What is returned, or held, in place of the right thing.
WRONG = [
    "None", "True", "0", "1.5", "'a'", "[]", "{}", "np.ones((2, 3))", "(torch.ones(2), 1)",
    "torch.ones(2, 3, dtype=torch.int64)", "torch.ones(7)", "object()",
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


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with closing(sandbox_for(limits=Limits(), preload=("numpy", "torch"))) as opened:
        yield opened


def answers(exercise: Exercise, value: str) -> Iterator[list[str]]:
    """Yield cells that answer an exercise, but for one name."""
    right = [exercise.groundwork, f"{exercise.setup}\nimport numpy as np", exercise.solution]
    for name in exercise.names:
        shapes = [HELD, MADE, PASSED_ON][: 3 if f"class {name}(" in exercise.solution else 2]
        for shape in shapes:
            yield [*right, shape.format(name=name, value=value)]


@pytest.mark.parametrize("value", [WRONG[0], *(pytest.param(v, marks=HEAVY) for v in WRONG[1:])])
@pytest.mark.parametrize("id", ON_TORCH)
def test_a_result_of_a_wrong_type_is_graded_and_told(sandbox: Sandbox, id: str, value: str) -> None:
    exercise = BANK[id]
    grader = Grader([exercise], sandbox, Limits())
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

"""PyTorch in an exercise for NumPy: one verdict in notebook and class, and no mark lost unseen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from coursekit.grade.grader_process import TaskGrader
from coursekit.grade.limits import Limits
from coursekit.grade.task import load_exercises
from coursekit.notebook.exercise_cells import cells_of
from coursekit.numpy_only import USES_TORCH
from coursekit.sandbox.limits import MIB

from .conftest import DOUBLE, notebook, task_for

#: Less than what PyTorch needs.
LIMITS = Limits(memory=256 * MIB)
AT_THE_TOP = "import torch\n\ndef double(x):\n    return {}"
REFUSED = [
    AT_THE_TOP.format("2 * torch.as_tensor(x)"),
    AT_THE_TOP.format("(2 * torch.as_tensor(x)).numpy()"),
    "def double(x):\n    import torch\n    return torch.tensor(2.0 * x)",
    "import torch\nTWO = torch.ones(1, requires_grad=True)\n\ndef double(x):\n    return TWO * x",
    "from torch import nn\n\ndef double(x):\n    return nn.Parameter(nn.Linear(1, 1).weight) * x",
]
ACCEPTED = [
    AT_THE_TOP.format("2 * x"),
    "import torch\ntorch.manual_seed(0)\nseen = torch.ones(2)\n\ndef double(x):\n    return 2 * x",
]


@pytest.fixture(scope="module")
def grader() -> Iterator[TaskGrader]:
    with closing(_opened()) as opened:
        yield opened


def _opened() -> TaskGrader:
    task = task_for(limits=LIMITS)
    return TaskGrader(task, load_exercises(task))


def graded(grader: TaskGrader, code: str) -> tuple[str, list[dict[str, Any]]]:
    row = grader.grade(notebook(code), ())
    return row["status"], [check for check in row["checks"] if check["exercise"] == "double"]


def noted(code: str) -> str:
    """Return what a notebook's check cell says."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(f"{DOUBLE.setup}\n{code}", names)
    (cell,) = [c for c in cells_of(DOUBLE, together=True) if c.role == "check"]
    checks, _, shown = cell.source.rpartition("\n\n")
    exec(checks, names)
    return str(eval(shown, names))


@pytest.mark.parametrize("code", REFUSED)
def test_an_answer_that_uses_it_is_refused_in_the_same_words(grader: TaskGrader, code: str) -> None:
    status, checks = graded(grader, code)
    assert status == "graded"
    assert {check["message"] for check in checks} == {USES_TORCH}
    visible = sum(not check.hidden for check in DOUBLE.checks)
    said = noted(code)
    assert said.count(USES_TORCH) == visible
    assert "✓" not in said


@pytest.mark.parametrize("code", ACCEPTED)
def test_one_that_only_imports_it_loses_nothing(grader: TaskGrader, code: str) -> None:
    status, checks = graded(grader, code)
    assert status == "graded"
    assert {check["message"] for check in checks if check["status"] != "passed"} == set()
    assert noted(code).startswith("✓ Done.")


def test_where_there_is_no_room_for_a_library_that_is_said(grader: TaskGrader) -> None:
    status, _ = graded(grader, "raise ImportError('libx.so: failed to map segment')")
    assert status == "memory"


def test_text_of_a_submission_neither_loads_a_module_nor_starts_a_second_fork_server() -> None:
    with closing(_opened()) as opened:
        text = "'''\nimport numpy.f2py.__main__\n'''\n# PyTorch\ndef f():\n    'a torch'"
        assert graded(opened, text)[0] == "needs_review"
        assert len(opened.sandboxes) == 1

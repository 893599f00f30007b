"""PyTorch in an exercise for NumPy: one verdict in notebook and class, and no mark lost unseen."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from coursekit.bank.alone import run_alone, verdicts_on
from coursekit.bank.load import load_bank
from coursekit.bank.mistakes import verdict_on
from coursekit.bank.model import Exercise
from coursekit.grade.grader_process import GraderProcess, _RestartingGrader
from coursekit.grade.limits import MIB, Limits
from coursekit.grade.task import load_exercises
from coursekit.judge.numpy_only import USES_TORCH
from coursekit.judge.verdict import Verdict

from .conftest import BANK, CHAPTER, notebook, task_for

#: Less than what PyTorch needs.
LIMITS = Limits(memory=256 * MIB)
AT_THE_TOP = "import torch\n\ndef double(x):\n    return {}"
REFUSED = [
    "import torch\ntorch.manual_seed(0)\n\ndef double(x):\n    return 2 * x",
    AT_THE_TOP.format("2 * torch.as_tensor(x)"),
    AT_THE_TOP.format("(2 * torch.as_tensor(x)).numpy()"),
    "def double(x):\n    import torch\n    return torch.tensor(2.0 * x)",
    "import torch\nTWO = torch.ones(1, requires_grad=True)\n\ndef double(x):\n    return TWO * x",
    "from torch import nn\n\ndef double(x):\n    return nn.Parameter(nn.Linear(1, 1).weight) * x",
]
ACCEPTED = [
    AT_THE_TOP.format("2 * x"),
    "import torch.nn.functional\n\ndef double(x):\n    return 2 * x",
]


@pytest.fixture(scope="module")
def exercise() -> Exercise:
    (found,) = [e for e in load_bank(BANK).chapter(CHAPTER) if e.id == "double"]
    return found


@pytest.fixture(scope="module")
def grader() -> Iterator[GraderProcess]:
    opened = GraderProcess(task_for(limits=LIMITS))
    yield opened
    opened.close()


def graded(grader: GraderProcess, code: str) -> tuple[str, list[dict[str, Any]]]:
    row = grader.grade(notebook(code))
    return row["status"], [check for check in row["checks"] if check["exercise"] == "double"]


def noted(exercise: Exercise, code: str) -> list[Verdict]:
    """Return what a notebook's visible checks say."""
    ran = run_alone([exercise.setup], code, without_torch=exercise.without_torch)
    visible = [check for check in exercise.checks if not check.hidden]
    return list(verdicts_on(ran, visible, partial(verdict_on, exercise)))


@pytest.mark.parametrize("code", REFUSED)
def test_an_answer_that_uses_it_is_refused_in_the_same_words(
    grader: GraderProcess, exercise: Exercise, code: str
) -> None:
    status, checks = graded(grader, code)
    assert status == "graded"
    assert {check["message"] for check in checks} == {USES_TORCH}
    assert {verdict.message for verdict in noted(exercise, code)} == {USES_TORCH}


@pytest.mark.parametrize("code", ACCEPTED)
def test_one_that_only_imports_it_loses_nothing(
    grader: GraderProcess, exercise: Exercise, code: str
) -> None:
    status, checks = graded(grader, code)
    assert status == "graded"
    assert {check["message"] for check in checks if check["status"] != "passed"} == set()
    assert all(verdict.passed for verdict in noted(exercise, code))


def test_where_there_is_no_room_for_a_library_that_is_said(grader: GraderProcess) -> None:
    status, _ = graded(grader, "raise ImportError('libx.so: failed to map segment')")
    assert status == "memory"


@pytest.mark.parametrize("file", ["f", "g"])
def test_a_submission_without_it_starts_no_second_fork_server(file: str) -> None:
    task = task_for(limits=LIMITS)
    opened = _RestartingGrader(task, load_exercises(task))
    try:
        row = opened.grade(notebook(f"# PyTorch\ndef {file}():\n    'a torch'"), ())["row"]
        assert row["status"] == "needs_review"
        assert len(opened._sandboxes) == 1
    finally:
        opened.close()

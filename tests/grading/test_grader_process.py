"""A grader that fails is replaced; the submission that makes it fail is one row."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from coursekit.bank import load_bank
from coursekit.grade.grader_process import GraderProcess, GraderUnavailableError
from coursekit.grade.pool import grade_on_this_machine
from coursekit.grade.task import Task

from .conftest import LIMITS, notebook, task_for

POISON = Path(__file__).parent / "poison_bank"
RIGHT = notebook("def dose(): return 1")


def poison_task() -> Task:
    """Return the task whose check an answer can crash."""
    files = {Path(e.path).name: e.source for e in load_bank(POISON).chapter("poison")}
    # Short for the one that hangs, long for the others on a busy machine.
    limits = replace(LIMITS, total_seconds=6.0, wall_factor=2.0, grader_seconds=3.0)
    return replace(task_for(), chapter="poison", files=files, limits=limits)


@pytest.fixture
def grader_process() -> Iterator[GraderProcess]:
    """Return a grader in its own process, which has graded something."""
    with closing(GraderProcess(poison_task())) as process:
        assert process.grade(RIGHT)["score"] == 1.0
        yield process


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("kill the grader", "crashed"),
        ("hang the grader", "crashed"),
        ("fill the grader", "needs_review"),  # numpy refuses at once, in the check's own code
    ],
)
def test_what_ends_the_grader_is_a_row_and_the_next_is_graded(grader_process, answer, status):
    row = grader_process.grade(notebook(f"def dose(): return {answer!r}"))
    assert (row["status"], row["score"], row["max_score"]) == (status, 0.0, 1.0)
    if status == "crashed":
        assert "a person should look" in row["reason"]
    assert grader_process.grade(RIGHT)["score"] == 1.0


@pytest.mark.parametrize("status", [1, 97, 255])
def test_no_exit_status_is_taken_for_a_fault_of_the_sandbox(grader_process, status):
    sandbox = _children(grader_process)
    row = grader_process.grade(notebook(f"import os\nos._exit({status})"))
    assert (row["status"], row["score"]) == ("crashed", 0.0)
    assert f"its process ended itself with exit status {status}" in row["reason"]
    assert grader_process.grade(RIGHT)["score"] == 1.0
    assert _children(grader_process) == sandbox  # no neighbour waited for another one


def _children(grader_process: GraderProcess) -> list[str]:
    pid = grader_process._process.pid
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def test_a_fork_server_that_dies_is_replaced(grader_process):
    for child in _children(grader_process):
        os.kill(int(child), 9)
    assert grader_process.grade(RIGHT)["score"] == 1.0


def test_the_pool_reports_a_grader_that_cannot_start():
    task = replace(poison_task(), files={"dose.py": "this is not Python"})
    with pytest.raises(GraderUnavailableError, match=r"dose\.py"):
        list(grade_on_this_machine(task, [("anton", RIGHT, ())], workers=2))


def test_the_pool_grades_each_job_once_and_reads_no_further_than_it_must():
    read = []

    def jobs() -> Iterator[tuple[int, bytes, tuple[str, ...]]]:
        for number in range(20):
            read.append(number)
            yield number, RIGHT, ()

    outcomes = grade_on_this_machine(poison_task(), jobs(), workers=2)
    first = next(outcomes)[0]
    assert len(read) < 20
    assert sorted([first, *(label for label, _, _ in outcomes)]) == list(range(20))
    assert read == list(range(20))


def test_a_grader_has_one_thread_whatever_its_user_has_set(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    with closing(GraderProcess(poison_task())) as process:
        process.grade(RIGHT)
        settings = Path(f"/proc/{process._process.pid}/environ").read_text().split("\0")
    threads = [setting for setting in settings if setting.endswith("_NUM_THREADS=1")]
    assert sorted(threads) == [f"{name}_NUM_THREADS=1" for name in ("MKL", "OMP", "OPENBLAS")]

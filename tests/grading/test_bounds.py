"""How long one notebook can hold a worker: bounds on its code, on the grader's time, on tries."""

from __future__ import annotations

import ast
import socket
from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest

from coursekit.grade import limits
from coursekit.grade.batch import run_batch
from coursekit.grade.grader import Grader, failed
from coursekit.grade.intake import find_submissions
from coursekit.grade.notebook_file import Cell
from coursekit.grade.plan import plan
from coursekit.grade.pool import Done, Job
from coursekit.grade.results_file import ResultsFile
from coursekit.grade.session import Session, SessionOver
from coursekit.grade.task import Task
from coursekit.results import Outcome
from coursekit.sandbox.sandbox import Ending

from .conftest import (
    CHAPTER,
    EXERCISES,
    FULL,
    LIMITS,
    RIGHT,
    code,
    hand_in,
    notebook,
    rows_of,
    task_for,
)


@pytest.mark.parametrize(
    ("cells", "seen", "allowed"),
    [
        (["x = 1"] * 498, "501 cells of code", "at most 500"),
        ([f"double = {'9' * 11_000!r}"] * 460, "5.1 million characters", "at most 5 million"),
    ],
)
def test_more_code_than_is_run_is_refused_by_name(grade, cells, seen, allowed):
    row = grade(*RIGHT.values(), *cells)
    assert (row["status"], row["score"]) == ("unreadable", 0.0)
    for words in (seen, allowed, "Hand in a notebook with"):
        assert words in row["reason"]


def test_outputs_text_and_skipped_cells_do_not_count(grade):
    picture = {"output_type": "display_data", "data": {"image/png": "A" * 9_000_000}}
    shown = {**code(RIGHT["double"]), "outputs": [picture]}
    text = {"cell_type": "markdown", "source": "t" * 10_000, "metadata": {}}
    skipped = code("x = 1", tags=["skip-execution"])
    row = grade(shown, RIGHT["counter"], RIGHT["questions"], *[text] * 600, *[skipped] * 600)
    assert (row["status"], row["score"]) == ("graded", FULL)


def _parsed(monkeypatch: pytest.MonkeyPatch, sources: list[str]) -> int:
    """Return how many characters planning parses."""
    parsed = []
    parse = ast.parse
    with monkeypatch.context() as patch:  # pytest parses, too, to say what has failed
        patch.setattr(ast, "parse", lambda source: parsed.append(len(source)) or parse(source))
        plan([Cell(source, is_code=True) for source in sources], EXERCISES)
    return sum(parsed)


def test_only_what_may_hold_an_answer_is_parsed_and_not_much_of_it(monkeypatch):
    assert _parsed(monkeypatch, [f"x{i} = {'1' * 9_000!r}" for i in range(500)]) == 0
    assert _parsed(monkeypatch, ["double = a" + "\N{COMBINING DOT BELOW}" * 1000]) == 0
    padding = [f"double_{i} = {'1' * 9_900!r}" for i in range(500)]
    assert 900_000 < _parsed(monkeypatch, padding) <= 1_000_000


def test_an_answer_is_found_below_everything_that_is_not_parsed(grade):
    padding = [f"double_{i} = {'1' * 99_000!r}" for i in range(20)]
    assert grade(*padding, *RIGHT.values())["score"] == FULL
    # Python takes the letter for an ordinary d.
    assert grade(RIGHT["double"].replace("double", "\N{MATHEMATICAL BOLD SMALL D}ouble"))["score"]


def test_the_graders_own_time_counts_for_all_checks_together(grader, monkeypatch):
    # Each check takes 0.4 of the one second that the grader has for the submission.
    clock = iter([0.0, 0.0, 0.4, 0.8, *[1.2] * 9])
    monkeypatch.setattr(limits, "time", SimpleNamespace(process_time=lambda: next(clock)))
    brief = replace(LIMITS, total_seconds=1.0, wall_factor=30.0)
    row = Grader(EXERCISES, grader._sandbox, brief).grade(notebook(*RIGHT.values()))
    assert (row.status, row.score) == ("timeout", 4.5)  # of three checks
    assert "kept the grader busy for more than 1 second" in row.reason


def test_answers_that_keep_the_grader_busy_end_a_submission_outside_of_checks_too(confined):
    session = Session(confined, replace(LIMITS, check_seconds=0.05))
    session.request(LIMITS.cell_seconds, do="cell", source="many = [0] * 19_000")
    with pytest.raises(SessionOver) as over:
        [session.request(LIMITS.call_seconds, do="names", names=["many"]) for _ in range(2000)]
    assert over.value.status == "timeout"
    assert "kept the grader busy for more than 0.05 seconds" in over.value.reason


@pytest.mark.parametrize(
    ("used", "queued", "is_idle"), [(0.0, 0.0, True), (9.0, 0.0, False), (0.0, 9.0, False)]
)
def test_only_a_wait_of_its_own_makes_a_submission_idle(used, queued, is_idle):
    ours, silent = socket.socketpair()
    clocks = {"seconds_used": lambda: used, "seconds_queued": lambda: queued}
    sandbox = SimpleNamespace(fork=lambda: ours, end=lambda: Ending(signal=9), **clocks)
    session = Session(sandbox, replace(LIMITS, grace_seconds=0.0, wall_factor=1.0))
    with silent, pytest.raises(SessionOver):
        session.request(0.1, do="names", names=["double"])
    assert session.is_idle is is_idle


@pytest.mark.parametrize(
    ("first", "second", "status", "end"),
    [
        ({"is_idle": True}, {}, "timeout", "instead of computing, and was not tried again"),
        ({}, {}, "timeout", "a second try alone ended in the same way"),
        ({}, {"status": "graded", "reason": ""}, "graded", ""),
    ],
)
def test_what_computes_too_long_is_tried_again_alone(tmp_path, first, second, status, end):
    hand_in(tmp_path / "class", "ada", notebook("x = 1"))
    submissions = find_submissions(tmp_path / "class", CHAPTER, LIMITS.notebook_bytes)
    tries = []

    def workers(task: Task, jobs: Iterable[Job], *, alone: bool = False) -> Iterator[Done]:
        row = failed(EXERCISES, Outcome.TIMEOUT, "it ran out of time").as_json()
        for label, _, _ in jobs:
            tries.append(alone)
            yield label, row | (second if alone else first), "sandbox"

    with ResultsFile(tmp_path / "r.jsonl") as file:
        run_batch(task_for(), EXERCISES, submissions, file, workers)
    (row,) = rows_of(tmp_path / "r.jsonl")
    assert tries == ([False] if "is_idle" in first else [False, True])
    assert row["status"] == status
    assert row["reason"].endswith(end)

"""One submission on its way: hidden checks last, crashes that cost little, fair time limits."""

from __future__ import annotations

from contextlib import suppress
from types import SimpleNamespace

import pytest

from coursekit.cli import main
from coursekit.grade import session
from coursekit.grade.installed import installed_here
from coursekit.grade.limits import ProcessorTimeUp, at_most
from coursekit.grade.session import _Allowance

from .attacks import ATTACKS
from .conftest import FULL, RIGHT, grade_words, hand_in, messages, notebook, points, rows_of

SAVES = "seen = []\ndef double(x):\n    seen.append(x)\n    return 2 * x"


def test_what_a_hidden_check_tried_is_in_no_other_answer(grade):
    tells = "class Counter:\n    def __init__(self, start=0):\n        raise ValueError(len(seen))"
    row = grade(SAVES, tells, "even = len(seen)")
    assert points(row, "double") == 3.0
    assert "1" in messages(row, "counter")  # the one call of the visible check, and no more
    row = grade(SAVES, "even = 'b' if len(seen) > 1 else 'a'")
    assert points(row, "questions") == 0.0


def test_how_it_ended_in_a_hidden_check_is_not_shown(grade):
    calls = "import os\ncount = 0\ndef double(x):\n    global count\n    count += 1\n"
    calls += "    if count > 1: os._exit(77)\n    return 2 * x"
    row = grade(calls, RIGHT["counter"], RIGHT["questions"])
    assert row["status"] == "crashed"
    assert "77" not in str(row["checks"]) + row["reason"]
    assert "in a hidden check" in row["reason"]
    # Checks after the one in which it ended are run all the same.
    assert points(row, "counter") == 2.0
    assert points(row, "questions") == 3.0


def test_hidden_checks_see_the_answer_that_was_given_there(grade):
    row = grade(RIGHT["double"], "del double\n" + RIGHT["counter"])
    assert points(row, "double") == 3.0


def test_work_that_takes_too_long_is_stopped_in_this_process():
    def endless() -> None:
        while True:
            with suppress(Exception):
                sum(range(1000))

    with pytest.raises(ProcessorTimeUp), at_most(0.2):
        endless()
    with at_most(30.0):
        pass


def test_time_counts_when_the_processor_was_used(monkeypatch):
    clock = [0.0]
    used = [0.0]
    monkeypatch.setattr(session, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    allowance = _Allowance(2.0, 8.0, lambda: used[0])
    assert allowance.left() == 2.0
    clock[0] = 2.5  # a busy machine: it has had almost nothing yet
    used[0] = 0.1
    assert 0 < allowance.left() <= 0.25
    clock[0], used[0] = 6.0, 2.0
    assert allowance.left() > 0
    used[0] = 2.2
    assert allowance.left() == 0.0
    used[0], clock[0] = 0.2, 8.0
    assert _Allowance(2.0, 0.0, lambda: 0.0).left() > 0
    assert allowance.left() == 0.0


@pytest.mark.parametrize(
    ("message", "module"),
    [
        ("No module named 'numpy.random'", "numpy.random"),
        ("No module named 'glob'", "glob"),
        ("No module named 'numpy.no_such_thing'", None),
        ("No module named 'no_such_thing'", None),
        ("No module named '../../etc/passwd'", None),
        ("cannot import name 'x' from 'numpy'", None),
        (None, None),
    ],
)
def test_what_is_installed_is_known_without_an_import(message, module):
    assert installed_here({"type": "ModuleNotFoundError", "message": message}) == module
    assert installed_here({"type": "ValueError", "message": message}) is None


@pytest.mark.heavy
def test_a_neighbour_that_burns_costs_an_honest_slow_answer_nothing(tmp_path):
    slow = (
        "import time\ndef double(x):\n    end = time.process_time() + 1\n"
        "    while time.process_time() < end: pass\n    return 2 * x"
    )
    folder, results = tmp_path / "class", tmp_path / "results.jsonl"
    hand_in(folder, "burner", notebook(*ATTACKS["burns in sessions of its own"].cells))
    hand_in(folder, "honest", notebook(slow, RIGHT["counter"], RIGHT["questions"]))
    limits = ["--cell-seconds", "2", "--call-seconds", "2", "--total-seconds", "5"]
    assert main(grade_words(folder, results, *limits)) == 0
    scores = {row["student"]: row["score"] for row in rows_of(results)}
    assert scores["honest"] == FULL

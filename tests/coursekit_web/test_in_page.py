"""The Python of the page: the same verdicts as anywhere, and one readable line for any error."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from coursekit.bank import Bank
from coursekit.made import known_of
from coursekit.numpy_only import USES_TORCH
from coursekit.running import run_check
from coursekit.verdict import Verdict
from coursekit.web.in_page import LIMIT, answer
from tests.course import BANK as COURSE

from .conftest import asked_of_python

#: What runs in a page: there is no torch in it.
CODE = [e for e in COURSE.values() if e.kind == "code" and not e.notebook_only]


def ask(exercise: Any, code: str, check: bool = True) -> Any:
    """Return what the page gets for ``code``."""
    request = asked_of_python(exercise, code)
    unchecked = {} if check else {"check_source": "", "checks": []}
    return json.loads(answer(json.dumps(request | unchecked)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of what wrong answers compute
@pytest.mark.parametrize("exercise", CODE, ids=lambda e: e.id)
def test_page_gives_the_verdicts_of_the_bank_on_every_answer_it_knows(exercise: Any) -> None:
    codes = [exercise.starter, exercise.solution, *exercise.also_right.values()]
    codes += [wrong.code for wrong in exercise.wrong.values()]
    visible = [check for check in exercise.checks if not check.hidden]
    for code in codes:
        reply = ask(exercise, code)
        if reply["error"] is not None:
            assert "nothing is here yet" in reply["error"]
            continue
        names: dict[str, Any] = {}
        exec(exercise.groundwork + exercise.setup, names)
        exec(compile(code, "your code", "exec"), names)
        about = {"exercise": exercise.id, "misconceptions": exercise.misconceptions}
        for check, seen in zip(visible, reply["verdicts"], strict=True):
            known = partial(known_of, exercise, check)
            assert Verdict.from_json(seen) == run_check(check, names, known=known, **about)


def test_error_inside_a_check_names_the_readers_line(bank: Bank) -> None:
    reply = ask(bank["graded-root"], "def root(number):\n    return number / nothing\n")
    assert reply["error"] is None
    message = reply["verdicts"][0]["message"]
    assert "NameError" in message
    assert "line 2: return number / nothing" in message


def test_output_is_kept_and_the_last_value_shown_and_cut(bank: Bank) -> None:
    reply = ask(bank["graded-root"], "print('seen')\nnp.eye(1)", check=False)
    assert (reply["output"], reply["value"]) == ("seen\n", "array([[1.]])")
    flood = ask(bank["graded-root"], f"print('x' * {2 * LIMIT})\n'y' * {2 * LIMIT}")
    assert [flood[part].count("cut after") for part in ("output", "value")] == [1, 0]
    assert len(flood["value"]) == LIMIT


def test_runs_do_not_see_each_other_and_an_error_names_the_readers_line(bank: Bank) -> None:
    ask(bank["graded-root"], "left_behind = 1")
    said = ask(bank["graded-root"], "\nleft_behind")["error"]
    assert said == "Line 2: NameError: name 'left_behind' is not defined"
    said = ask(bank["graded-root"], "input('?')")["error"]
    assert said.startswith("Line 1: RuntimeError: input() does not work here")


def test_bound_values_come_back_as_plain_numbers(bank: Bank) -> None:
    point = bank["practice-point"]
    assert ask(point, "import numpy as np\npoint = np.array([3, 4])")["values"] == {
        "point": [3.0, 4.0]
    }
    for useless in ("point = 'here'", "point = [float('nan'), 1]", "point = None", "x = 1"):
        assert ask(point, useless)["values"] == {}
    grid = ask(point, "point = [[True, False], [False, True]]")["values"]
    assert grid == {"point": [[True, False], [False, True]]}
    assert isinstance(grid["point"][0][0], bool)  # a figure of cells takes nothing else


def test_pytorch_is_refused_in_the_words_of_notebook_and_class() -> None:
    reply = ask(COURSE["context-vector"], "import torch\ntorch.ones(2)")
    line, _, said = reply["error"].partition(": ")
    assert line in ("Line 1", "Line 2")  # a page has none; here another test may have loaded it
    assert said == USES_TORCH

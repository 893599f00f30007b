"""One answer, one verdict: a check cell takes nothing of the learner's but the answer."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

import pytest

from coursekit import CheckFailed
from coursekit.apart import CELL
from coursekit.bank import Bank, check_source
from coursekit.made import known_of
from coursekit.model import Check, Exercise
from coursekit.notebook.exercise_cells import cells_of
from coursekit.running import run_check
from coursekit.source import top_level_names
from coursekit.verdict import Verdict
from coursekit.web.in_page import run
from tests.course import BANK

from ..coursekit_web.conftest import asked_of_python
from .cells import execute, shown_by

#: Defined in an answer's place of a helper or an import.
HOSTILE = "class _Hostile:\n    def __getattr__(self, name): raise RuntimeError(name)\n"
HOSTILE += "    def __call__(self, *args, **options): raise RuntimeError('hostile')\n"


def answered(exercise: Exercise, code: str) -> dict[str, Any]:
    """Return what a learner has defined."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in (exercise.groundwork, exercise.setup, code):
        execute(cell, names)
    return names


def hostile(exercise: Exercise) -> str:
    """Return a solution which holds something else under each name that a check has for itself."""
    checks = [check.name for check in exercise.checks]
    own = {*top_level_names(check_source(exercise, *checks)), "check", "report", "check_answer"}
    right = f"{exercise.groundwork}\n{exercise.setup}\n{exercise.solution}"
    used = {node.id for node in ast.walk(ast.parse(right)) if isinstance(node, ast.Name)}
    used |= top_level_names(right)
    taken = [f"{name} = _Hostile()" for name in sorted(own - used)]
    # Built-in functions too, which beginners use as names.
    taken += [f"{name} = 'mine'" for name in ("sum", "list", "max", "str") if name not in used]
    return "\n".join([exercise.solution, HOSTILE, *taken])


def in_the_notebook(exercise: Exercise, names: dict[str, Any]) -> list[str]:
    """Return the lines of what a reader's check cell shows that have a sign."""
    named, carried = (
        shown_by(cell.source, names)
        for by_name in (True, False)
        for cell in cells_of(exercise, together=True, by_name=by_name)
        if cell.role == "check"
    )
    assert named.text == carried.text
    return [line for line in named.text.splitlines() if line.startswith(("✓", "✗", "○"))]


def in_nbgrader(exercise: Exercise, check: Check, names: dict[str, Any]) -> str:
    """Return the misconception that one cell of nbgrader's reports, "passed" without."""
    (cell,) = [c for c in cells_of(exercise) if c.role == "check" and c.item == check.name]
    try:
        execute(cell.source, names)
    except CheckFailed as failed:
        return str(failed.misconception)
    return "passed"


def in_the_class(exercise: Exercise, names: dict[str, Any]) -> list[Verdict]:
    about = {"exercise": exercise.id, "without_torch": exercise.without_torch}
    return [
        run_check(check, names, known=partial(known_of, exercise, check), **about)
        for check in exercise.checks
    ]


@pytest.mark.parametrize("exercise", BANK.values(), ids=lambda exercise: exercise.id)
def test_what_an_answer_defines_is_not_the_check_s_and_the_other_way_round(exercise) -> None:
    if exercise.questions:
        code = f"{exercise.solution}\nchoice = option = numeric = parsons = report = 'mine'"
    else:
        code = hostile(exercise)
    names = answered(exercise, code)
    before = dict(names)
    assert all(verdict.passed for verdict in in_the_class(exercise, names))
    if visible := [check for check in exercise.checks if not check.hidden]:
        done, *lines = in_the_notebook(exercise, names)
        assert done.startswith("✓ Done.")
        assert [line[0] for line in lines] == ["✓"] * len(visible)
    assert {in_nbgrader(exercise, check, names) for check in exercise.checks} <= {"passed"}
    assert names == before


def in_the_page(exercise: Exercise, code: str) -> list[dict[str, Any]]:
    reply = run(asked_of_python(exercise, code))
    assert reply["error"] is None
    return reply["verdicts"]


UNDIVIDED = """
def _softmax(scores):
    return np.exp(scores)

def context_vector(query, keys, values):
    return _softmax(keys @ query) @ values
"""
WITH_AXIS = """
def _softmax(scores, axis):
    scores = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return scores / scores.sum(axis=axis, keepdims=True)

def context_vector(query, keys, values):
    return _softmax(keys @ query, axis=-1) @ values
"""
WITHOUT_IMPORT = """
def context_vector(query, keys, values):
    return attn.scaled_dot_product_attention(query[None], keys, values, scale=1.0)[0]
"""


@pytest.mark.parametrize(
    ("code", "misconception"),
    [(UNDIVIDED, "unnormalised"), (WITH_AXIS, None), (WITHOUT_IMPORT, "raises")],
    ids=["a wrong helper", "another signature", "no import"],
)
def test_a_helper_with_the_check_s_name_is_judged_alike_everywhere(
    bank: Bank, code: str, misconception: str | None
) -> None:
    exercise = bank["context-vector"]
    names = answered(exercise, code)
    for earlier in bank.chapter(exercise.chapter):  # whose cells import what this answer lacks
        if earlier.checks and earlier.id != exercise.id:
            (cell,) = [c for c in cells_of(earlier, together=True) if c.role == "check"]
            shown_by(cell.source, names)
    here = in_the_class(exercise, names)
    visible = [verdict for verdict in here if not verdict.hidden]
    assert len(visible) == 3
    assert {verdict.passed for verdict in visible} == {misconception is None}
    page = in_the_page(exercise, code)
    assert [v["message"] for v in page] == [v.message for v in visible]
    assert [v["misconception"] for v in page] == [v.misconception for v in visible]
    shown = in_the_notebook(exercise, names)
    assert sum(line.startswith("✓ ") for line in shown) == sum(v.passed for v in visible) + (
        misconception is None
    )
    in_cells = [in_nbgrader(exercise, check, names) for check in exercise.checks]
    assert in_cells == ["passed" if v.passed else str(v.misconception) for v in here]
    assert CELL not in names

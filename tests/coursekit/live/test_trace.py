"""Stepping through code: the names that each line gave a value or changed in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from coursekit.live.cells import Cells
from coursekit.live.trace import MOST_STEPS, Step, Tracer

FILE = "traced code"


def traced(code: str, call: str = "") -> Tracer:
    tracer, names = Tracer(FILE), {"np": np}
    exec_code = compile(code, FILE, "exec")

    def work() -> None:
        exec(exec_code, names)
        if call:
            eval(call, names)

    tracer.run(work)
    return tracer


def changes(steps: list[Step]) -> list[tuple[int, str, str]]:
    return [(s.line, name, shape) for s in steps for name, (shape, _) in s.changed.items()]


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("x = np.ones((2, 3))\ny = x.T\nz = y @ x\n", "1x 2y 3z"),
        ("x = np.zeros(2)\nx[0] = 5\nrows = []\nrows.append(1)\n", "1x 2x 3rows 4rows"),
        # Functions, modules and other files are no steps.
        ("import math\ndef f():\n    pass\nx = np.linalg.norm([3.0, 4.0])\n", "4x"),
    ],
)
def test_each_line_has_what_it_made_or_changed_in_place(code: str, made: str) -> None:
    steps = changes(traced(code).steps)
    assert " ".join(f"{line}{name}" for line, name, _ in steps) == made


def test_arguments_come_first_and_the_result_last() -> None:
    code = "def f(a):\n    b = a + 1\n    return b * 2\n"
    tracer = traced(code, "f(np.zeros(2))")
    inside = [step for step in tracer.steps if step.function == "f"]
    assert changes(inside) == [(1, "a", "(2,)"), (2, "b", "(2,)"), (3, "return", "(2,)")]


AGAIN = """x = np.eye(3)
n = 5
for i in range(3):
    n = 5
y = (
    x[:2]
    * n
)
z = max(
    i,
    7,
)
if n > 6: w = 1
for k in []: pass
"""


def test_code_that_has_run_before_has_the_same_steps_again() -> None:
    names = {"np": np, "k": 4}
    first, second = (run_cell(AGAIN, names) for _ in range(2))
    assert first == second
    made = [name for _, changed, _ in first for name in changed]
    assert made == ["x", "n", *3 * ["i", "n"], "y", "z"]


def test_no_step_knows_a_name_before_this_run_has_given_it_a_value() -> None:
    names = {"np": np}
    run_cell("x = 1\ny = 2\nw = 3\nx + y", names)
    steps = run_cell("x = 5\ny = (\n    x\n    + 1\n)\nif x > 6: w = 0\ndel y\n(v := x)", names)
    assert [known for _, _, known in steps] == [{"x"}, {"x", "y"}, {"x", "v"}]
    assert names.keys() >= {"x", "w", "v"}  # hidden, and still there
    assert names["w"] == 3


def run_cell(code: str, names: dict[str, Any]) -> list[tuple[int, list[str], set[str]]]:
    """Step through a cell; return the line of each step, what it changed, and what is known."""
    cells, tracer = Cells(), Tracer(FILE)
    cells.names = names
    assert cells.run(code, FILE, tracer=tracer)["error"] is None
    return [
        (step.line, list(step.changed), step.changed.keys() | step.known.keys())
        for step in tracer.steps
    ]


def test_endless_steps_are_cut_and_the_code_runs_on() -> None:
    tracer = traced("n = 0\nwhile n < 1000:\n    n += 1\n")
    assert tracer.is_cut
    assert len(tracer.steps) == MOST_STEPS


def test_steps_before_an_error_are_kept() -> None:
    tracer = Tracer(FILE)
    code = compile("x = np.ones((2, 3))\ny = x @ x\n", FILE, "exec")
    with pytest.raises(ValueError, match="matmul"):
        tracer.run(lambda: exec(code, {"np": np}))
    assert changes(tracer.steps) == [(1, "x", "(2, 3)")]


def test_trace_of_a_debugger_comes_back() -> None:
    import sys

    before = sys.gettrace()
    traced("x = 1\n")
    assert sys.gettrace() is before


def test_values_are_short_and_escaped_and_may_fail_to_show_themselves() -> None:
    code = "x = np.linspace(0, 1, 999)\ntext = '<b>' * 99\nclass K:\n    def __repr__(self):\n"
    tracer = traced(code + "        return self.name\nk = K()\n")
    values = {name: value for step in tracer.steps for name, (_, value) in step.changed.items()}
    assert values["x"] == "[0. 0.001 ... 0.999 1. ]"
    assert len(values["text"]) < 99
    assert values["k"] == "<K>"
    assert "<b>" not in tracer.steps[1].html()
    assert "&lt;b&gt;" in tracer.steps[1].html()

"""Stepping through code: each line's names, in place changes, and where it departs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from coursekit.in_page.cells import Cells
from coursekit.in_page.summary import LARGEST, heat_svg, summary
from coursekit.in_page.trace import MOST_STEPS, Step, Tracer, departure, result_departs

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


def changes(steps: list[Step]) -> list[tuple[int, str, Any]]:
    return [(s.line, each.name, each.shape) for s in steps for each in s.changed]


def test_each_line_has_what_it_made() -> None:
    tracer = traced("x = np.ones((2, 3))\ny = x.T\nz = y @ x\n")
    assert changes(tracer.steps) == [(1, "x", (2, 3)), (2, "y", (3, 2)), (3, "z", (3, 3))]


def test_arguments_come_first_and_the_result_last() -> None:
    code = "def f(a):\n    b = a + 1\n    return b * 2\n"
    tracer = traced(code, "f(np.zeros(2))")
    inside = [step for step in tracer.steps if step.function == "f"]
    assert changes(inside) == [(1, "a", (2,)), (2, "b", (2,)), (3, "return", (2,))]


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
    names = {"np": np, "shift": 3, "k": 4}
    first, second = (run_cell(AGAIN, names) for _ in range(2))
    assert first == second
    made = [name for _, changed, _ in first for name in changed]
    assert made == ["x", "n", "i", "i", "i", "y", "z"]
    assert first[0] == (1, ["x"], {"x", "shift"})  # what other cells made is known


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
        (step.line, [each.name for each in step.changed], {each.name for each in step.known})
        for step in tracer.steps
    ]


def test_change_in_place_is_seen() -> None:
    tracer = traced("x = np.zeros(2)\nx[0] = 5\nrows = []\nrows.append(1)\n")
    assert [(line, name) for line, name, _ in changes(tracer.steps)] == [
        (1, "x"),
        (2, "x"),
        (3, "rows"),
        (4, "rows"),
    ]


def test_other_files_functions_and_modules_are_no_steps() -> None:
    tracer = traced("import math\ndef f():\n    pass\nx = np.linalg.norm([3.0, 4.0])\n")
    assert [name for _, name, _ in changes(tracer.steps)] == ["x"]


def test_endless_steps_are_cut_and_the_code_runs_on() -> None:
    tracer = traced("n = 0\nwhile n < 1000:\n    n += 1\n")
    assert tracer.is_cut
    assert len(tracer.steps) == MOST_STEPS


def test_steps_before_an_error_are_kept() -> None:
    tracer = Tracer(FILE)
    code = compile("x = np.ones((2, 3))\ny = x @ x\n", FILE, "exec")
    with pytest.raises(ValueError, match="matmul"):
        tracer.run(lambda: exec(code, {"np": np}))
    assert changes(tracer.steps) == [(1, "x", (2, 3))]


def test_trace_of_a_debugger_comes_back() -> None:
    import sys

    before = sys.gettrace()
    traced("x = 1\n")
    assert sys.gettrace() is before


def test_summary_has_shape_type_and_range() -> None:
    made = summary("w", np.array([[0.25, 0.75]], dtype="f4"))
    assert made is not None
    assert (made.shape, made.kind, made.range) == ((1, 2), "float32", "0.25 … 0.75")
    assert made.heat == ((0.0, 1.0),)


def test_summary_counts_what_is_not_finite() -> None:
    made = summary("s", np.array([1.0, np.nan, -np.inf]))
    assert made is not None
    assert made.text == "2 not finite"
    assert made.range == "1 … 1"


def test_large_arrays_have_no_heat_map() -> None:
    made = summary("x", np.ones((LARGEST + 1, 2)))
    assert made is not None
    assert heat_svg(made) == ""


def test_names_are_escaped() -> None:
    tracer = traced("text = '<script>'\n")
    assert "<script>" not in tracer.steps[0].html()
    assert "&lt;script&gt;" in tracer.steps[0].html()


RIGHT = """def f(q, k):
    scores = q @ k.T
    weights = np.exp(scores)
    return weights / weights.sum()
"""
CALL = "f(np.ones((2, 3)), np.arange(12.0).reshape(4, 3) / 9)"


@pytest.mark.parametrize(
    ("change", "line", "what"),
    [
        (("q @ k.T", "k @ q.T"), 2, "`scores` has the shape (4, 2), in the solution (2, 4)"),
        (("np.exp(scores)", "np.exp(-scores)"), 3, "`weights` ranges over"),
        (("weights / weights.sum()", "weights"), 4, "the result ranges over"),
    ],
)
def test_first_departing_line_is_found(change: tuple[str, str], line: int, what: str) -> None:
    own, right = traced(RIGHT.replace(*change), CALL), traced(RIGHT, CALL)
    found = departure(own.steps, right.steps)
    assert found is not None
    assert own.steps[found[0]].line == line
    assert found[1].startswith(what)


def test_right_code_with_other_steps_departs_nowhere() -> None:
    code = "def f(q, k):\n    s = q @ k.T\n    s = s - s.max()\n"
    code += "    e = np.exp(s)\n    return e / e.sum()\n"
    assert departure(traced(code, CALL).steps, traced(RIGHT, CALL).steps) is None


def test_graded_work_hears_of_shape_and_range_only() -> None:
    own = traced(RIGHT, CALL).steps
    value = own[-1].values["return"]
    facts = {
        "shape": [2, 4],
        "low": float(f"{value.min():.3g}"),
        "high": float(f"{value.max():.3g}"),
    }
    assert result_departs(own, facts) is None
    by_shape = result_departs(own, facts | {"shape": [4, 2]})
    assert by_shape == (len(own) - 1, "the result has the shape (2, 4); a right one has (4, 2)")
    by_range = result_departs(own, facts | {"high": 1.0})
    assert by_range is not None
    assert "range" in by_range[1]

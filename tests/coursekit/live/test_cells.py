"""Cells that run in a page: one namespace, outputs in order, errors in one line."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from coursekit.live import display, standins
from coursekit.live.cells import Cells, bound_by
from coursekit.live.display import LIMIT, shown

ROOTS = ("IPython", "matplotlib", "matplotlib_inline", "cycler")


@pytest.fixture(autouse=True)
def _page_python(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have a Python as a page's is: without IPython and Matplotlib, with stand-ins for them."""
    before = {name: m for name, m in sys.modules.items() if name.partition(".")[0] in ROOTS}
    for name in before:
        del sys.modules[name]
    monkeypatch.setattr(standins, "_is_absent", lambda name: True)
    monkeypatch.setattr(display, "_BY_TYPE", {**display._BY_TYPE})
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] in ROOTS]:
        del sys.modules[name]
    sys.modules.update(before)


def test_printed_text_and_values_keep_their_order() -> None:
    code = "from IPython.display import display, HTML\nprint('one')\nprint('two')\n"
    code += "display(HTML('<b>bold</b>'))\nprint('three')\n7"
    assert Cells().run(code, "cell 1")["shown"] == [
        {"text": "one\ntwo\n"},
        {"html": "<b>bold</b>"},
        {"text": "three\n"},
        {"text": "7"},
    ]


@pytest.mark.parametrize("code", ["a = 3", "3;", "None"])
def test_last_expression_may_be_silenced_or_none(code: str) -> None:
    assert Cells().run(code, "cell 1")["shown"] == []


def test_only_the_placeholder_means_that_nothing_is_here() -> None:
    for text in ("", "Replace this line with your code."):
        reply = Cells().run(f"raise NotImplementedError({text!r})", "cell 1")
        assert reply["error"].startswith("Line 1: nothing is here yet.")
    reply = Cells().run("raise NotImplementedError('no bfloat16 here')", "cell 1")
    assert reply["error"] == "Line 1: NotImplementedError: no bfloat16 here"


def test_error_is_one_line_with_the_line_of_the_cell() -> None:
    cells = Cells()
    cells.run("def half(x):\n    return x / 0", "cell 1")
    reply = cells.run("x = 1\nhalf(x)", "cell 2")
    assert reply["error"] == "Line 2: ZeroDivisionError: division by zero"
    assert cells.run("x", "cell 3")["shown"] == [{"text": "1"}]


#: An error that cannot say what it is.
ODD = "class Odd(Exception):\n    def __str__(self):\n        return self.text\n"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("a = 1\nb = (", "Line 2: SyntaxError: '(' was never closed"),
        ("a = 1\nb = 3 × 2", "Line 2: SyntaxError: Python does not read × ("),
        ("%timeit 3", "Line 1: SyntaxError: `%timeit 3` is a command of notebooks"),
        ("sum = x = 3\nsum([1])", "'int' object is not callable. You gave `sum` a value:"),
        ("sum = x = 3\nx(2)", "not callable\n"),
        ("import numpy\nnumpy.ones(3) @ numpy.ones(2)", "Line 2: ValueError: matmul"),
        ("import sys\nsys.exit()", "Line 2: SystemExit.\n"),
        ("raise ValueError('a\\n  b')", "Line 1: ValueError: a b\n"),
        (f"{ODD}raise Odd", "Line 4: Odd.\n"),
    ],
)
def test_a_slip_is_said_with_its_line(code: str, said: str) -> None:
    error = Cells().run(code, "cell 1")["error"]
    assert said in f"{error}\n"


def test_what_is_not_here_yet_is_told_from_what_is_nowhere() -> None:
    above = ["import numpy as np\nwords = ['a']", "def f():\n    inner = 1"]
    assert Cells().run("words", "cell 3", above)["unrun"] == "words"
    assert Cells().run("f()", "cell 3", above)["unrun"] == "f"
    assert Cells().run("inner", "cell 3", above)["unrun"] is None
    assert Cells().run("wrods", "cell 3", above)["unrun"] is None
    assert Cells().run("import no_such.part", "cell 3", above)["missing"] == "no_such"


def test_output_without_end_is_cut_once() -> None:
    parts = Cells().run("for i in range(9999): print('x' * 99)", "cell 1")["shown"]
    assert len(parts) == 1
    assert parts[0]["text"].count("cut after") == 1
    assert len(parts[0]["text"]) < LIMIT + 100


DRAWING = """
import io
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import colors
from matplotlib.figure import Figure
from matplotlib.path import Path
from mpl_toolkits.axes_grid1 import make_axes_locatable

fig, (left, middle, right) = plt.subplots(1, 3)
grid = Figure(figsize=(3, 2)).subplots(2, 2)
for ax, name in zip(grid.flat, "abcd", strict=True):
    ax.set(title=name)
counts, edges, bars = grid[0, 1].hist([1, 2, 2])
(line,) = left.plot([1, 2], "--")
values = [3, 1, 2]
shades = plt.cm.viridis(np.linspace(0, 1, 3))
for bar, value, shade in zip(right.bar("abc", values), values, shades, strict=True):
    right.text(bar.get_x() + bar.get_width() / 2, 1 - value * bar.get_height(), f"{value}")
ends = np.linspace(*left.get_xlim(), 50)
left.spines[["top", "right"]].set_visible(False)
path = [Path.MOVETO, colors.to_rgba("red")[0], 2 * left.transAxes]
with plt.style.context("ggplot"), plt.rc_context({"font.size": 9}):
    make_axes_locatable(left).append_axes("right", "5%").set_yticks(range(3), ["x", "y", "z"])
left.lines[0] = line
del left.lines[0]
names = {left: "left", right: "right"}
picture = io.BytesIO()
fig.savefig(picture)
plt.rcParams["figure.dpi"] *= 2
print(len(names), len(ends), isinstance(fig, Figure), picture.getvalue() != b"")
"""


@pytest.mark.parametrize("end", ["fig", "plt.show()", "line.set_color('red');"])
def test_a_cell_that_draws_runs_to_its_end_and_shows_its_text(end: str) -> None:
    reply = Cells().run(DRAWING + end, "cell 1")
    assert reply["error"] is None
    assert reply["shown"] == [{"text": "2 50 True True\n"}]
    assert reply["draws"]


def test_a_style_or_what_a_function_will_draw_draws_nothing_yet() -> None:
    cells = Cells()
    code = "import matplotlib.pyplot as plt\nplt.rcParams.update({'font.size': 9})\n"
    assert not cells.run(f"{code}def draw():\n    return plt.subplots()", "cell 1")["draws"]
    assert cells.run("draw();", "cell 2")["draws"]


def test_value_shows_its_bundle_then_its_html_then_its_text() -> None:
    class Bundle:
        def _repr_mimebundle_(self) -> object:
            return {"text/html": "<i>b</i>", "text/plain": "b"}, {}

    class Bare:
        def _repr_html_(self) -> str:
            return "<i>h</i>"

    assert shown(Bundle()) == {"html": "<i>b</i>"}
    assert shown(Bare()) == {"html": "<i>h</i>"}
    assert shown(Bare) == {"text": repr(Bare)}
    assert shown([1, 2]) == {"text": "[1, 2]"}


def test_markdown_is_escaped() -> None:
    code = "from IPython.display import Markdown\nMarkdown('> *a* < **b**')"
    (part,) = Cells().run(code, "cell 1")["shown"]
    assert part["html"] == ("<blockquote><p><em>a</em> &lt; <strong>b</strong></p></blockquote>")


def test_bound_names_are_those_of_the_outer_level() -> None:
    code = (
        "import a.b, c as d\nfor i in x:\n    with y as (z, w):\n        pass\nclass K:\n    k = 1"
    )
    assert bound_by([code, "broken ("]) == {"a", "d", "i", "z", "w", "K"}

"""Cells that run in a page: one namespace, outputs in order, errors in one line."""

from __future__ import annotations

import pytest

from coursekit.in_page.cells import Cells, bound_by
from coursekit.in_page.display import LIMIT, shown

pytestmark = pytest.mark.usefixtures("page_python")


def test_names_stay_from_cell_to_cell() -> None:
    cells = Cells()
    assert cells.run("a = 3", "cell 1")["shown"] == []
    assert cells.run("a + 1", "cell 2")["shown"] == [{"text": "4"}]


def test_printed_text_and_values_keep_their_order() -> None:
    code = "from IPython.display import display, HTML\nprint('one')\nprint('two')\n"
    code += "display(HTML('<b>bold</b>'))\nprint('three')\n7"
    assert Cells().run(code, "cell 1")["shown"] == [
        {"text": "one\ntwo\n"},
        {"html": "<b>bold</b>"},
        {"text": "three\n"},
        {"text": "7"},
    ]


def test_last_expression_may_be_silenced_or_none() -> None:
    assert Cells().run("3;", "cell 1")["shown"] == []
    assert Cells().run("None", "cell 1")["shown"] == []


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


def test_syntax_error_has_its_line() -> None:
    reply = Cells().run("a = 1\nb = (", "cell 1")
    assert reply["error"] is not None
    assert reply["error"].startswith("Line 2: SyntaxError: ")


def test_name_of_a_cell_that_has_not_run_is_told_from_any_other() -> None:
    above = ["import numpy as np\nwords = ['a']", "def f():\n    inner = 1"]
    assert Cells().run("words", "cell 3", above)["unrun"] == "words"
    assert Cells().run("f()", "cell 3", above)["unrun"] == "f"
    assert Cells().run("inner", "cell 3", above)["unrun"] is None
    assert Cells().run("wrods", "cell 3", above)["unrun"] is None


def test_module_that_is_not_here_is_named() -> None:
    reply = Cells().run("import no_such_module.part", "cell 1")
    assert reply["missing"] == "no_such_module"


def test_output_without_end_is_cut_once() -> None:
    parts = Cells().run("for i in range(9999): print('x' * 99)", "cell 1")["shown"]
    assert len(parts) == 1
    assert parts[0]["text"].count("cut after") == 1
    assert len(parts[0]["text"]) < LIMIT + 100


def test_figures_are_shown_where_they_are_asked_for_or_at_the_end() -> None:
    code = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])"
    for end in ("\nplt.show()", ""):
        parts = Cells().run(f"{code}{end}\nprint('after')", "cell 1")["shown"]
        assert ["html" in part for part in parts] == ([True, False] if end else [False, True])


def test_figure_that_cannot_be_drawn_says_where_it_can() -> None:
    reply = Cells().run("import matplotlib.pyplot as plt\nplt.polar([1])", "cell 1")
    assert reply["error"] == (
        "Line 2: figures here are drawn without Matplotlib and have no `plt.polar`. "
        "The notebook draws it."
    )


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

"""``%%trace`` in a notebook: the cell runs as any other, and its steps are shown."""

from __future__ import annotations

import re
from typing import Any

import pytest

from coursekit.notebook.trace_magic import Steps, load_ipython_extension, trace_cell

CODE = "import numpy as np\nx = np.ones((2, 3))\ny = x.T\ny @ x"


def test_names_stay_and_the_last_value_is_returned() -> None:
    names: dict[str, Any] = {}
    shown: list[Steps] = []
    assert trace_cell(CODE, names, shown.append).shape == (3, 3)
    assert names["y"].shape == (3, 2)
    assert repr(shown[0]) == "line 2: x (2, 3)\nline 3: y (3, 2)"


def test_steps_are_radio_buttons_of_one_group_each_with_its_line_and_table() -> None:
    shown: list[Steps] = []
    trace_cell("a = '<b>'\nb = a", {}, shown.append)
    html = shown[0]._repr_html_()
    names = re.findall(r'<input type="radio" name="(\w+)" aria-label="([^"]+)"', html)
    assert [words for _, words in names] == ["Step 1 of 2: line 1", "Step 2 of 2: line 2"]
    assert len({name for name, _ in names}) == 1
    assert html.count(" checked>") == 1
    assert "<code>a = &#x27;&lt;b&gt;&#x27;</code>" in html
    assert "<b>" not in html


def test_error_keeps_the_steps_before_it() -> None:
    shown: list[Steps] = []
    with pytest.raises(ZeroDivisionError):
        trace_cell("a = 1\na / 0", {}, shown.append)
    assert repr(shown[0]) == "line 1: a 1"


def test_extension_registers_the_magic_and_shows_the_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import IPython.display

    shown: list[Any] = []
    monkeypatch.setattr(IPython.display, "display", shown.append)

    class Shell:
        def __init__(self) -> None:
            self.user_ns: dict[str, Any] = {}

        def register_magic_function(self, function: Any, magic_kind: str, magic_name: str) -> None:
            assert (magic_kind, magic_name) == ("cell", "trace")
            self.function = function

    shell = Shell()
    load_ipython_extension(shell)
    assert shell.function("", CODE).shape == (3, 3)
    assert [repr(each) for each in shown] == ["line 2: x (2, 3)\nline 3: y (3, 2)"]
    with pytest.raises(ZeroDivisionError):
        shell.function("", "b = 2\nb / 0")
    assert repr(shown[-1]) == "line 1: b 2"

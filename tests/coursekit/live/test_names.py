"""Completion and explanations: from what is defined and imported."""

from __future__ import annotations

from typing import Any

import numpy as np

from coursekit.live.names import complete, explain, with_imports


def test_names_that_begin_as_written() -> None:
    names = {"weights": np.ones((2, 3)), "words": [], "_hidden": 1}
    assert complete(names, "we") == ["weights"]
    assert {"while", "with", "words"} <= set(complete(names, "w"))
    assert complete(names, "_hid") == ["_hidden"]
    assert "_hidden" not in complete(names, "")


def test_members_of_what_is_known_and_of_nothing_else() -> None:
    assert complete({"np": np}, "np.linalg.nor") == ["norm"]
    assert "zeros" in complete({"np": np}, "np.")  # of hundreds, none is left out
    assert [complete({"np": np}, dotted) for dotted in ("nothing.x", "2.", ".nor")] == [[], [], []]


def test_a_function_is_its_call_and_its_documentation_without_roles() -> None:
    def f(x: np.ndarray, *, scale: float | None = None) -> Any:
        """Return :math:`x + 1` of ``x``, as :func:`g` does."""

    found = explain({"f": f}, "f")
    assert found == {"head": "f(x, *, scale=None)", "doc": "Return x + 1 of x, as g does."}


def test_a_value_is_its_type_shape_and_text() -> None:
    found = explain({"x": np.ones((2, 3))}, "x")
    assert found is not None
    assert found["head"] == "x: ndarray (2, 3)"
    assert found["doc"].startswith("array([[1.")


def test_what_fails_to_show_itself_or_is_not_known_has_no_explanation() -> None:
    class Trap:
        @property
        def value(self) -> int:
            raise ValueError("broken")

        def __repr__(self) -> str:
            raise ValueError("broken")

    names = {"trap": Trap()}
    assert "value" in complete(names, "trap.")
    assert complete(names, "trap.value.") == []
    for dotted in ("trap", "trap.value", "nothing", "trap..value", ""):
        assert explain(names, dotted) is None


def test_imports_count_before_the_cell_has_run_and_broken_ones_do_no_harm() -> None:
    names = with_imports(
        {"math": "mine"}, "import math\nfrom os import path\nimport no_such_thing\nfrom"
    )
    assert names["math"] == "mine"
    assert "path" in names
    assert "no_such_thing" not in names

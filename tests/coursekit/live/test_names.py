"""Completion and explanations: from what is defined, and never by running a reader's code."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest

import attn
from coursekit.in_page.names import complete, dotted_at, explain, plain_text, with_imports


def labels(names: dict[str, Any], before: str) -> list[str]:
    return [option["label"] for option in complete(names, before)]


def test_names_that_begin_as_written() -> None:
    names = {"weights": np.ones((2, 3)), "words": [], "_hidden": 1}
    assert labels(names, "x = we") == ["weights"]
    assert labels(names, "x = ") == []
    assert "_hidden" not in labels(names, "w")
    assert {"while", "with"} <= set(labels(names, "w"))


def test_members_and_public_names_of_a_module() -> None:
    assert "sqrt" in labels({"math": math}, "y = math.sq")
    assert labels({"np": np}, "np.linalg.nor") == ["norm"]
    assert labels({"np": np}, "nothing.x") == []
    assert labels({}, "2.") == []


def test_detail_is_a_signature_or_a_shape() -> None:
    def attend(query: Any, key: Any, *, scale: float | None = None) -> int:
        return 0

    (array, function) = (
        complete({"x": np.ones((2, 3), "f4"), "attend": attend}, word)[0] for word in ("x", "att")
    )
    assert array["detail"] == "(2, 3) float32"
    assert function["detail"] == "(query, key, *, scale=None)"


def test_no_property_is_run() -> None:
    class Trap:
        @property
        def value(self) -> int:
            raise AssertionError("run")

    assert labels({"trap": Trap()}, "trap.va") == ["value"]
    assert explain({"trap": Trap()}, "trap.value") is None


def test_documentation_has_parameters_and_returns_without_roles() -> None:
    def f(x: Any) -> Any:
        """Return :math:`x + 1`.

        More words.

        Parameters
        ----------
        x : array, shape (n,)

        Raises
        ------
        ValueError
            Never.
        """

    found = explain({"f": f}, "f")
    assert found == {"head": "f(x)", "doc": "Return x + 1.\n\nParameters\nx : array, shape (n,)"}


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (r":math:`w_j = e^{s_j} / \sum_k e^{s_k}`", "w_j = e^s_j / Σ_k e^s_k"),
        (r":math:`\mathrm{softmax}(Q K^\top / \sqrt{d_k})\, V`", "softmax(Q Kᵀ / √d_k) V"),
        (r":math:`\tfrac{1}{n + 1} \sqrt{a b} \le \lambda_{i}`", "1/(n + 1) √(a b) ≤ λ_i"),
        (r":math:`e^{-d^2 / 2 \sigma^2}`", "e^(-d^2 / 2 σ^2)"),
        ("``-inf`` and `axis`, :func:`~numpy.exp`, `here <there>`_", "-inf and axis, exp, here"),
        (
            "In *implicit* mode **kwargs and *args stay [1]_.",
            "In implicit mode **kwargs and *args stay.",
        ),
    ],
)
def test_markup_is_read_as_plain_text(markup: str, text: str) -> None:
    assert plain_text(markup) == text


def test_no_documentation_of_the_library_shows_its_markup() -> None:
    docs = {name: explain({"attn": attn}, f"attn.{name}") for name in attn.__all__}
    assert len(docs) > 30
    assert [name for name, found in docs.items() if re.search(r"[`\\]|:\w+:", found["doc"])] == []


def test_dotted_name_around_a_place() -> None:
    assert dotted_at("y = np.linalg.norm(x)", 14) == "np.linalg.norm"
    assert dotted_at("y = np.linalg.norm(x)", 5) == "np"
    assert dotted_at("y = 1 + 2", 8) == ""
    assert dotted_at("if x:", 1) == ""


def test_imports_count_before_the_cell_has_run_and_broken_ones_do_no_harm() -> None:
    names = with_imports(
        {"math": "mine"}, "import math\nfrom os import path\nimport no_such_thing\nfrom"
    )
    assert names["math"] == "mine"
    assert "path" in names
    assert "no_such_thing" not in names

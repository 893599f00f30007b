"""What the chapter on masks says of numbers that are added to hidden scores, and of libraries."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import jupytext
import numpy as np
import pytest

import attn

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = ROOT / "book" / "masking.md"
SCORES, NOTHING = np.array([[1.0, 0.0, 2.0]]), np.zeros((1, 3), dtype=bool)


@pytest.fixture(scope="module")
def added() -> Callable[..., np.ndarray]:
    """Return the chapter's own function."""
    names: dict[str, object] = {"np": np}
    for cell in jupytext.read(CHAPTER).cells:
        if "def added(" in cell.source:
            (function,) = (n for n in ast.parse(cell.source).body if isinstance(n, ast.FunctionDef))
            exec(ast.unparse(function), names)
    made = names["added"]
    assert callable(made)
    return made


def test_what_each_number_does_to_a_fully_masked_row(added: Callable[..., np.ndarray]) -> None:
    half = np.float16
    assert np.isnan(added(SCORES, NOTHING, -np.inf)).all()
    np.testing.assert_allclose(added(SCORES, NOTHING, -1e9), 1 / 3, rtol=1e-6)
    assert np.isnan(added(SCORES, NOTHING, -1e9, half)).all()
    np.testing.assert_allclose(added(SCORES, NOTHING, -1e4), attn.softmax(SCORES), rtol=1e-4)
    np.testing.assert_allclose(added(SCORES, NOTHING, -1e4, half), 1 / 3, rtol=1e-3)
    assert float(np.finfo(half).max) == 65504


def test_a_hidden_key_with_a_large_score_leaks(added: Callable[..., np.ndarray]) -> None:
    vector = np.full(64, 14.0)
    large, first = np.array([[0.0, vector @ vector]]), np.array([[True, False]])
    assert added(large, first, -1e4)[0].tolist() == [0, 1]
    assert added(large, first, -1e9)[0].tolist() == [1, 0]


@pytest.mark.parametrize("library", ["torch", "jax", "keras"])
def test_libraries_were_measured_in_the_pinned_versions(library: str) -> None:
    """After an update, look at the table again: tests/oracles/test_keras.py has its rows."""
    pins = "".join((ROOT / f"requirements{of}.txt").read_text("utf-8") for of in ("", "-oracles"))
    (version,) = re.findall(rf"(?m)^{library}==(\S+)$", pins)
    (measured,) = re.findall(r"\(measured with ([^)]*)\)", CHAPTER.read_text(encoding="utf-8"))
    assert f"{library} {version}" in measured

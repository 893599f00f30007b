"""What is hidden reaches no output and no gradient, on every path that hides, in either module."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from everywhere import CASES, HIDING, arrays, modules, results_of

BATCH, HEADS, TOKENS, WIDTH = 2, 3, 7, 8
#: Of the first of two sentences, the last two tokens are padding.
REAL = np.arange(TOKENS) < np.array([[TOKENS - 2], [TOKENS]])
#: Calls whose own projections would overflow first.
PROJECTED = ("lsh", "layer")
#: Calls that ask for as many queries as keys.
SQUARE = (
    "local",
    "lsh",
    "linear, pad",
    "linear, pairs",
    "linear, decays",
    "state",
    "layer, causal",
)
types = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def drawn(dtype: Any) -> tuple[np.ndarray, ...]:
    """Return query, key and value; padding is zero."""
    query, key, value = np.random.default_rng(1).normal(size=(3, BATCH, HEADS, TOKENS, WIDTH))
    shown = REAL[:, None, :, None]
    return query.astype(dtype), (key * shown).astype(dtype), (value * shown).astype(dtype)


def fill_padding(part: np.ndarray, number: float) -> np.ndarray:
    """Return a copy in which padding holds ``number``."""
    return np.where(REAL[:, None, :, None], part, part.dtype.type(number))


def run(module: ModuleType, name: str, *given: np.ndarray) -> tuple[list[np.ndarray], list[Any]]:
    """Return the results of a call, and in torch the gradients of query, key and value."""
    if module.__name__ == "attn":
        return arrays(HIDING[name](module, *given, REAL)), []
    leaves = [torch.from_numpy(part.copy()).requires_grad_() for part in given]
    result = HIDING[name](module, *leaves, REAL)
    torch.stack([tensor.square().sum() for tensor in results_of(result)]).sum().backward()
    return arrays(result), [leaf.grad for leaf in leaves]


@modules
@pytest.mark.parametrize("name", HIDING)
@types
@pytest.mark.parametrize("hidden", [np.nan, np.inf, -np.inf, 1e30])
def test_what_padding_holds_changes_nothing(
    module: ModuleType, name: str, dtype: type, hidden: float
) -> None:
    query, key, value = drawn(dtype)
    expected, clean = run(module, name, query, key, value)
    filled = fill_padding(key, hidden), fill_padding(value, hidden)
    seen, gradients = run(module, name, query, *filled)
    for after, before in zip(seen, expected, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-5 if dtype is np.float32 else 1e-12)
    for spoiled, gradient in zip(gradients, clean, strict=True):
        torch.testing.assert_close(spoiled, gradient)


@modules
@pytest.mark.parametrize("name", [name for name in HIDING if not name.startswith(PROJECTED)])
@types
def test_hidden_scores_may_overflow(module: ModuleType, name: str, dtype: type) -> None:
    query, key, value = drawn(dtype)
    large = dtype(1e25 if dtype is np.float32 else 1e200)
    query, key = query * large, key / large
    expected, _ = run(module, name, query, key, value)
    seen, gradients = run(module, name, query, fill_padding(key, large), value)
    for after, before in zip(seen, expected, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-4)
    assert all(torch.isfinite(g).all() for g in gradients if g is not None)


@modules
def test_a_bias_of_minus_infinity_is_a_mask(module: ModuleType) -> None:
    parts = drawn(np.float64)
    by_bias, by_mask = (run(module, f"attention, {how}", *parts) for how in ("bias", "padding"))
    for seen, expected in zip([*by_bias[0], *by_bias[1]], [*by_mask[0], *by_mask[1]], strict=True):
        np.testing.assert_allclose(seen, expected, atol=1e-14)


@modules
@pytest.mark.parametrize(("batch", "queries", "keys"), [(0, 5, 7), (2, 0, 7), (2, 5, 0), (0, 0, 0)])
@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("softmax")])
def test_nothing_is_no_error_and_no_nan(
    module: ModuleType, name: str, batch: int, queries: int, keys: int
) -> None:
    queries = keys if name.startswith(SQUARE) else queries
    zeros = np.zeros if module.__name__ == "attn" else torch.zeros
    parts = [zeros((batch, 2, tokens, WIDTH)) for tokens in (queries, keys, keys)]
    for result in arrays(CASES[name](module, *parts, np.zeros((batch, keys), bool))):
        assert result.shape[0] == batch
        assert np.isfinite(result).all()
        assert not result.any()

"""What is hidden reaches no output and no gradient, on every path that hides, in either module."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from everywhere import arrays, empty_calls, fill_padding, hiding_paths, modules, overflowing, parts

import attn

NAMES = list(hiding_paths(attn))
#: Paths whose own projections would overflow first.
LAYERS = ("lsh", "heads", "latent")
types = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def run(module: ModuleType, name: str, *given: np.ndarray) -> tuple[list[np.ndarray], list[Any]]:
    """Return the results of a path, and in torch the gradients of query, key and value."""
    path = hiding_paths(module)[name]
    if module is attn:
        return arrays(path(*given)), []
    leaves = [torch.from_numpy(part.copy()).requires_grad_() for part in given]
    result = path(*leaves)
    tensors = result if isinstance(result, tuple | list) else (result,)
    torch.stack([tensor.square().sum() for tensor in tensors]).sum().backward()
    return arrays(result), [leaf.grad for leaf in leaves]


@modules
@pytest.mark.parametrize("name", NAMES)
@types
@pytest.mark.parametrize("hidden", [np.nan, np.inf, -np.inf, 1e30])
def test_what_padding_holds_changes_nothing(
    module: ModuleType, name: str, dtype: type, hidden: float
) -> None:
    query, key, value = parts(dtype)
    expected, clean = run(module, name, query, key, value)
    filled = fill_padding(key, hidden), fill_padding(value, hidden)
    seen, gradients = run(module, name, query, *filled)
    for after, before in zip(seen, expected, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-5 if dtype is np.float32 else 1e-12)
    for spoiled, gradient in zip(gradients, clean, strict=True):
        torch.testing.assert_close(spoiled, gradient)


@modules
@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(LAYERS)])
@types
def test_hidden_scores_may_overflow(module: ModuleType, name: str, dtype: type) -> None:
    without, with_overflow = overflowing(dtype)
    (expected, _), (seen, gradients) = (run(module, name, *g) for g in (without, with_overflow))
    for after, before in zip(seen, expected, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-4)
    assert all(torch.isfinite(g).all() for g in gradients if g is not None)


@modules
@pytest.mark.parametrize(("batch", "queries", "keys"), [(0, 5, 7), (2, 0, 7), (2, 5, 0), (0, 0, 0)])
@pytest.mark.parametrize("name", empty_calls(attn, 1, 1))
def test_nothing_is_no_error_and_no_nan(
    module: ModuleType, name: str, batch: int, queries: int, keys: int
) -> None:
    zeros = np.zeros if module is attn else torch.zeros
    call = empty_calls(module, queries, keys)[name]
    for result in arrays(call(lambda tokens: zeros((batch, 2, tokens, 8)))):
        assert result.shape[0] == batch
        assert np.isfinite(result).all()
        assert not result.any()

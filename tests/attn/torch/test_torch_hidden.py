"""What is hidden reaches no output and no gradient, on every path that hides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from everywhere import arrays, empty_calls, fill_padding, hiding_paths, overflowing, parts

import attn.torch

PATHS = hiding_paths(attn.torch)
#: Paths whose own projections would overflow first.
LAYERS = ("lsh", "heads", "latent")
types = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def run(name: str, *given: np.ndarray) -> tuple[list[np.ndarray], list[Any]]:
    """Return the results of a path, and the gradients of query, key and value."""
    leaves = [torch.from_numpy(part.copy()).requires_grad_() for part in given]
    result = PATHS[name](*leaves)
    tensors = result if isinstance(result, tuple | list) else (result,)
    loss = sum(tensor.square().sum() for tensor in tensors)
    assert isinstance(loss, torch.Tensor)
    loss.backward()
    return arrays(result), [leaf.grad for leaf in leaves]


@pytest.mark.parametrize("name", PATHS)
@types
@pytest.mark.parametrize("hidden", [np.nan, np.inf, -np.inf, 1e30])
def test_what_padding_holds_changes_nothing(name: str, dtype: type, hidden: float) -> None:
    query, key, value = parts(dtype)
    expected, clean = run(name, query, key, value)
    seen, gradients = run(name, query, fill_padding(key, hidden), fill_padding(value, hidden))
    for after, before in zip(seen, expected, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-5 if dtype is np.float32 else 1e-12)
    for spoiled, gradient in zip(gradients, clean, strict=True):
        torch.testing.assert_close(spoiled, gradient)


@pytest.mark.parametrize("name", [name for name in PATHS if not name.startswith(LAYERS)])
@types
def test_hidden_scores_may_overflow(name: str, dtype: type) -> None:
    without, with_overflow = overflowing(dtype)
    (expected, _), (seen, gradients) = run(name, *without), run(name, *with_overflow)
    for after, before in zip(seen, expected, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-4)
    assert all(torch.isfinite(g).all() for g in gradients if g is not None)


@pytest.mark.parametrize(("batch", "queries", "keys"), [(0, 5, 7), (2, 0, 7), (2, 5, 0), (0, 0, 0)])
@pytest.mark.parametrize("name", empty_calls(attn.torch, 1, 1))
def test_nothing_is_no_error_and_no_nan(name: str, batch: int, queries: int, keys: int) -> None:
    call = empty_calls(attn.torch, queries, keys)[name]
    for result in arrays(call(lambda tokens: torch.zeros(batch, 2, tokens, 8))):
        assert result.shape[0] == batch
        assert np.isfinite(result).all()
        assert not result.any()

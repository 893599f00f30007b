"""What is hidden reaches no output and no gradient, on every path that hides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from everywhere import (
    NUMPY,
    Library,
    arrays,
    empty_calls,
    fill_padding,
    hiding_paths,
    libraries,
    overflowing,
    parts,
)

PATHS = list(hiding_paths(NUMPY))
#: Paths whose own projections would overflow first.
LAYERS = ("lsh", "heads", "latent")
types = pytest.mark.parametrize("dtype", [np.float32, np.float64])


def run(library: Library, name: str, *given: np.ndarray) -> tuple[list[np.ndarray], list[Any]]:
    """Return the results of a path, and of tensors the gradients of query, key and value."""
    leaves = [library.give(part.copy()) for part in given]
    if library is NUMPY:
        return arrays(hiding_paths(library)[name](*leaves)), []
    for leaf in leaves:
        leaf.requires_grad_()
    result = hiding_paths(library)[name](*leaves)
    tensors = result if isinstance(result, tuple | list) else (result,)
    sum(tensor.square().sum() for tensor in tensors).backward()
    return arrays(result), [leaf.grad for leaf in leaves if leaf.grad is not None]


@libraries
@pytest.mark.parametrize("name", PATHS)
@types
@pytest.mark.parametrize("hidden", [np.nan, np.inf, -np.inf, 1e30])
def test_what_padding_holds_changes_nothing(
    library: Library, name: str, dtype: type, hidden: float
) -> None:
    query, key, value = parts(dtype)
    expected, clean = run(library, name, query, key, value)
    filled = query, fill_padding(key, hidden), fill_padding(value, hidden)
    seen, gradients = run(library, name, *filled)
    for after, before in zip(seen, expected, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-5 if dtype is np.float32 else 1e-12)
    for after, before in zip(gradients, clean, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-3 if dtype is np.float32 else 1e-10)


@libraries
@pytest.mark.parametrize("name", [name for name in PATHS if not name.startswith(LAYERS)])
@types
def test_hidden_scores_may_overflow(library: Library, name: str, dtype: type) -> None:
    without, with_overflow = overflowing(dtype)
    (expected, _), (seen, gradients) = (
        run(library, name, *given) for given in (without, with_overflow)
    )
    for after, before in zip(seen, expected, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-4)
    assert all(gradient.isfinite().all() for gradient in gradients)


@libraries
@pytest.mark.parametrize(("batch", "queries", "keys"), [(0, 5, 7), (2, 0, 7), (2, 5, 0), (0, 0, 0)])
@pytest.mark.parametrize("name", empty_calls(NUMPY, 1, 1))
def test_nothing_is_no_error_and_no_nan(
    library: Library, name: str, batch: int, queries: int, keys: int
) -> None:
    call = empty_calls(library, queries, keys)[name]

    def zeros(tokens: int) -> Any:
        return library.give(np.zeros((batch, 2, tokens, 8), np.float32))

    for result in arrays(call(zeros)):
        assert result.shape[0] == batch
        assert np.isfinite(result).all()
        assert not result.any()

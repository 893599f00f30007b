"""What is hidden reaches no output, on every path that hides, whatever stands there."""

from __future__ import annotations

import numpy as np
import pytest
from everywhere import arrays, empty_calls, fill_padding, hiding_paths, overflowing, parts

import attn

PATHS = hiding_paths(attn)
paths = pytest.mark.parametrize("name", PATHS)
#: Paths whose own projections would overflow first.
LAYERS = ("lsh", "heads", "latent")
types = pytest.mark.parametrize("dtype", [np.float32, np.float64])


@paths
@types
@pytest.mark.parametrize("hidden", [np.nan, np.inf, -np.inf, 1e30])
def test_what_padding_holds_changes_nothing(name: str, dtype: type, hidden: float) -> None:
    query, key, value = parts(dtype)
    expected = arrays(PATHS[name](query, key, value))
    seen = arrays(PATHS[name](query, fill_padding(key, hidden), fill_padding(value, hidden)))
    for after, before in zip(seen, expected, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-5 if dtype is np.float32 else 1e-12)


@pytest.mark.parametrize("name", [name for name in PATHS if not name.startswith(LAYERS)])
@types
def test_hidden_scores_may_overflow(name: str, dtype: type) -> None:
    without, with_overflow = overflowing(dtype)
    expected, seen = (arrays(PATHS[name](*given)) for given in (without, with_overflow))
    for after, before in zip(seen, expected, strict=True):
        np.testing.assert_allclose(after, before, atol=1e-4)


@pytest.mark.parametrize(("batch", "queries", "keys"), [(0, 5, 7), (2, 0, 7), (2, 5, 0), (0, 0, 0)])
@pytest.mark.parametrize("name", empty_calls(attn, 1, 1))
def test_nothing_is_no_error_and_no_nan(name: str, batch: int, queries: int, keys: int) -> None:
    call = empty_calls(attn, queries, keys)[name]
    for result in arrays(call(lambda tokens: np.zeros((batch, 2, tokens, 8)))):
        assert result.shape[0] == batch
        assert np.isfinite(result).all()
        assert not result.any()

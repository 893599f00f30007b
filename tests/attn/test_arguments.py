"""A wrong argument gets one line: what was seen, what was expected."""

from __future__ import annotations

import numpy as np
import pytest
from arguments import WRONG, Wrong
from everywhere import Library, libraries

import attn


@libraries
@pytest.mark.parametrize("wrong", WRONG, ids=[f"{name} {text[:20]}" for name, *_, text in WRONG])
def test_wrong_argument_is_named(library: Library, wrong: Wrong) -> None:
    name, positional, named, error, message = wrong
    with pytest.raises(error, match=message) as caught:
        getattr(library, name)(*(library.give(argument) for argument in positional), **named)
    assert "\n" not in str(caught.value)
    assert "/attn/" in str(caught.traceback[-1].path)  # not from inside NumPy or torch


def test_weights_of_no_heads() -> None:
    with pytest.raises(ValueError, match="num_heads is 0"):
        attn.MultiHeadAttention.from_parameters(attn.MultiHeadAttention(8, 2).parameters(), 0)


def test_a_refused_step_leaves_the_cache_as_it_was() -> None:
    cache, x = attn.KeyValueCache(), np.ones((2, 3, 8))
    cache.append(x, x)
    for key, value in ((x[..., 1:], x), (x, x[:, 1:]), (x[:1], x[:1])):
        with pytest.raises(ValueError, match="has shape"):
            cache.append(key, value)
    keys, values = cache.append(2 * x, 3 * x)
    assert cache.num_tokens == 6
    np.testing.assert_array_equal(keys[:, 3:], 2 * x)
    np.testing.assert_array_equal(values[:, :3], x)

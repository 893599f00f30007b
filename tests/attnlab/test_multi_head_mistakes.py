"""Mistakes in multi-head attention: each differs from the right result and from the others."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from attn import MultiHeadAttention
from attnlab import mistakes

NUM_HEADS = 3


def _layer(num_queries: int, num_keys: int):
    layer = MultiHeadAttention(13, NUM_HEADS, 5, bias=False, rng=0, dtype=np.float64)
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(3, num_queries, 13)), rng.normal(size=(3, num_keys, 13))
    mask = rng.random((3, num_queries, num_keys)) < 0.6
    mask[..., :2] = True
    weights = {name: 2 * value for name, value in layer.parameters().items()}
    layer.w_query, layer.w_key, layer.w_value, layer.w_output = (
        weights[name] for name in ("w_query", "w_key", "w_value", "w_output")
    )
    wrong = mistakes.of_multi_head(x, weights, NUM_HEADS, y=y, mask=mask)
    return layer(x, y, mask=mask), wrong


def _values(wrong):
    values = {}
    for id, mistake in wrong.items():
        try:
            with np.errstate(all="ignore"):
                values[id] = mistake()
        except ValueError:
            continue  # cannot be made with these sizes
    return values


def test_every_mistake_differs_from_the_right_result_and_from_the_others() -> None:
    right, wrong = _layer(num_queries=7, num_keys=7)
    values = _values(wrong)
    assert {"mask-on-heads", "scaled-by-nominal-width", "heads-averaged"} <= set(values)
    assert [id for id, value in values.items() if _same(value, right)] == []
    alike = [(a, b) for a, b in combinations(values, 2) if _same(values[a], values[b])]
    assert alike == []


def test_lengths_may_differ() -> None:
    _, wrong = _layer(num_queries=7, num_keys=11)
    assert wrong["mask-on-heads"]().shape == (3, 7, 13)


def _same(a, b) -> bool:
    return a.shape == b.shape and np.allclose(a, b, equal_nan=True)

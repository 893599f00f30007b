"""Additive scores in blocks that stay in the cache: the same numbers, a third of the time."""

from __future__ import annotations

import numpy as np

from attn._types import Array

_QUERIES = 16
_NUMBERS = 1 << 17  # in one block: half a MiB of float32


def additive_scores(hidden_query: Array, hidden_key: Array, w_score: Array) -> Array:
    """Return what `attn.formulas.additive_scores` returns, with one small block as memory."""
    leading = np.broadcast_shapes(hidden_query.shape[:-2], hidden_key.shape[:-2])
    queries = np.broadcast_to(hidden_query, leading + hidden_query.shape[-2:])
    keys = np.broadcast_to(hidden_key, leading + hidden_key.shape[-2:])
    num_queries, num_keys = queries.shape[-2], keys.shape[-2]
    scores = np.empty((*leading, num_queries, num_keys), dtype=w_score.dtype)
    rows = min(_QUERIES, max(1, num_queries))
    columns = min(max(1, _NUMBERS // (rows * len(w_score))), max(1, num_keys))
    block = np.empty((rows, columns, len(w_score)), dtype=w_score.dtype)
    for index in np.ndindex(*leading):
        for i in range(0, num_queries, rows):
            for j in range(0, num_keys, columns):
                a, b = queries[index][i : i + rows], keys[index][j : j + columns]
                hidden = block[: len(a), : len(b)]  # (rows, columns, d_hidden)
                np.add(a[:, None], b[None], out=hidden)
                np.tanh(hidden, out=hidden)
                scores[index][i : i + rows, j : j + columns] = hidden @ w_score
    return scores

"""Mistakes in windows, hashing and online softmax: apart from each other and from what is right."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pytest

from attn.lsh_buckets import hash_buckets
from attnlab import mistakes
from attnlab.mistakes import EXPLANATIONS, Mistake

RNG = np.random.default_rng(1)
# A different prime for each axis: no two mistakes look alike because two sizes are the same.
X, ROTATIONS = RNG.normal(size=(11, 7)), RNG.normal(size=(5, 7, 3))
BUCKETS = RNG.integers(23, size=(3, 13))
STRIDED = np.eye(19, dtype=bool) | np.eye(19, k=-3, dtype=bool)
SCORES, VALUES = RNG.normal(size=(3, 7)), RNG.normal(size=(7, 2))
SCORES[0, 0], SCORES[1, 5] = (
    5.0,
    6.0,
)  # the largest score comes in the first block, and in the second


def _state(scores: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    largest = scores.max(axis=1)
    weights = np.exp(scores - largest[:, None])
    return largest, weights.sum(axis=1), weights @ values


def _visible(causal: bool) -> np.ndarray:
    """Return which token sees which, pair by pair."""
    tokens = range(BUCKETS.shape[1])
    met = [
        [i != j and any(i_at == j_at for i_at, j_at in BUCKETS.T[[i, j]].T) for j in tokens]
        for i in tokens
    ]
    seen = np.tril(met) if causal else np.array(met)
    return seen | np.diag(~seen.any(axis=1))


CASES: dict[str, tuple[np.ndarray, Mapping[str, Mistake]]] = {
    "stack": (np.linalg.matrix_power(STRIDED, 3), mistakes.of_stack(STRIDED, 3)),
    "two layers": (np.linalg.matrix_power(STRIDED, 2), mistakes.of_stack(STRIDED, 2)),
    "buckets": (
        hash_buckets(X[None], ROTATIONS.transpose(1, 0, 2)[None], (6,))[0],
        mistakes.of_buckets(X, ROTATIONS),
    ),
    "visible": (_visible(causal=False), mistakes.of_visible(BUCKETS, causal=False)),
    "causal": (_visible(causal=True), mistakes.of_visible(BUCKETS, causal=True)),
    "absorb": (
        np.column_stack(_state(SCORES, VALUES)),
        mistakes.of_absorb(*_state(SCORES[:, :3], VALUES[:3]), SCORES[:, 3:], VALUES[3:]),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_no_mistake_is_right_or_looks_like_another(name: str) -> None:
    right, made = CASES[name]
    with np.errstate(all="ignore"):
        values = {id: np.asarray(mistake()) for id, mistake in made.items()}
    assert {value.shape for value in values.values()} == {right.shape}
    assert [id for id, value in values.items() if np.allclose(value, right)] == []
    pairs = combinations(values, 2)
    assert [pair for pair in pairs if np.allclose(values[pair[0]], values[pair[1]])] == []


@pytest.mark.parametrize("name", CASES)
def test_each_is_explained(name: str) -> None:
    for id, mistake in CASES[name][1].items():
        assert mistake.explanation == EXPLANATIONS[id]

"""Compute mistakes on the way from query, key and value to the output."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from attnlab.mistakes.explanations import Array, Compute, Mistake, explained


@dataclass(frozen=True)
class Case:
    """The arguments of one call of attention, and how its scores are to be scaled."""

    query: Array  # (..., num_queries, d_k)
    key: Array  # (..., num_keys, d_k)
    value: Array | None  # (..., num_keys, d_v)
    mask: Array | None  # (..., num_queries, num_keys), True = may attend
    scale: float

    def scores(self, scale: float | None = None) -> Array:
        """Return the scaled scores, (..., num_queries, num_keys)."""
        return self.query @ self.key.swapaxes(-1, -2) * (self.scale if scale is None else scale)

    def hidden(self, scores: Array) -> Array:
        """Return the scores with -inf where the mask is False."""
        return scores if self.mask is None else np.where(self.mask, scores, -np.inf)

    def weights(self, scale: float | None = None, axis: int | None = -1) -> Array:
        """Return the weights, with one part of the computation changed."""
        return _softmax(self.hidden(self.scores(scale)), axis)


def of_attention(
    query: Array,
    key: Array,
    value: Array,
    *,
    mask: Array | None = None,
    causal: bool = False,
    scale: float | None = None,
) -> dict[str, Mistake]:
    """Return what mistakes in attention give as output.

    Parameters
    ----------
    query, key, value : array
        Shapes (..., num_queries, d_k), (..., num_keys, d_k), (..., num_keys, d_v).
    mask : array of bool, optional
        True = may attend; shape (..., num_queries, num_keys).
    causal : bool
        Stands for a causal mask, aligned at the bottom right.
    scale : float, optional
        The right scale, by default 1/√d_k; 1 where plain dot products are asked for.

    Returns
    -------
    dict of str to Mistake
        By id: a function that computes what the mistake gives, with an explanation.
    """
    case = _case(query, key, value, mask, causal, scale)
    weights = dict(_wrong_weights(case, causal))
    outputs: dict[str, Compute] = {
        id: _times(compute, np.asarray(value)) for id, compute in weights.items()
    }
    return explained({**outputs, **dict(_wrong_outputs(case))})


def of_weights(
    query: Array,
    key: Array,
    *,
    mask: Array | None = None,
    causal: bool = False,
    scale: float | None = None,
) -> dict[str, Mistake]:
    """Return what mistakes in the attention weights give; the parameters are `of_attention`'s."""
    case = _case(query, key, None, mask, causal, scale)
    weights = dict(_wrong_weights(case, causal))
    weights["log-weights"] = lambda: np.log(case.weights())
    weights["rows-are-keys"] = lambda: case.weights().swapaxes(-1, -2)
    return explained(weights)


def of_scores(query: Array, key: Array, *, scale: float | None = None) -> dict[str, Mistake]:
    """Return what mistakes in the scores give; the parameters are `of_attention`'s."""
    case = _case(query, key, None, None, False, scale)
    scores: dict[str, Compute] = {id: _scored(case, wrong) for id, wrong in _wrong_scales(case)}
    scores["exchanged-roles"] = lambda: case.scores().swapaxes(-1, -2)
    return explained(scores)


def of_softmax(scores: Array) -> dict[str, Mistake]:
    """Return what mistakes in a softmax over the last axis give."""
    scores = np.asarray(scores, float)
    return explained(dict(_wrong_softmax(lambda: scores)))


def _case(
    query: Array,
    key: Array,
    value: Array | None,
    mask: Array | None,
    causal: bool,
    scale: float | None,
) -> Case:
    # The check's own copies: an answer may have changed its arguments.
    query, key = (np.array(given, float) for given in (query, key))
    if causal:
        offset = key.shape[-2] - query.shape[-2]
        triangle = np.tril(np.ones((query.shape[-2], key.shape[-2]), bool), offset)
        mask = triangle if mask is None else triangle & mask
    return Case(
        query,
        key,
        None if value is None else np.array(value, float),
        None if mask is None else np.array(mask, bool),
        query.shape[-1] ** -0.5 if scale is None else scale,
    )


def _wrong_scales(case: Case) -> Iterator[tuple[str, float]]:
    width, num_keys, num_queries = case.key.shape[-1], case.key.shape[-2], case.query.shape[-2]
    factors = {
        "unscaled": 1.0,
        "scaled": width**-0.5,
        "scaled-by-d": 1.0 / width,
        "multiplied-by-root": width**0.5,
        "scaled-by-num-keys": num_keys**-0.5,
        "scaled-by-num-queries": num_queries**-0.5,
    }
    if case.value is not None:
        factors["scaled-by-value-width"] = case.value.shape[-1] ** -0.5
    if num_keys == num_queries:
        factors["scaled-by-num-tokens"] = factors.pop("scaled-by-num-keys")
        del factors["scaled-by-num-queries"]
    for id, factor in factors.items():
        # Where two sizes are alike, the answer does not tell which of them was taken.
        others = [case.scale, *(other for name, other in factors.items() if name != id)]
        if not np.isclose(factor, others).any():
            yield id, factor


def _wrong_weights(case: Case, causal: bool) -> Iterator[tuple[str, Compute]]:
    yield from ((id, _weighed(case, wrong)) for id, wrong in _wrong_scales(case))
    yield from _wrong_softmax(lambda: case.hidden(case.scores()))
    yield "wrong-axis", lambda: case.weights(axis=-2)
    yield "one-softmax-for-all", lambda: _softmax(case.hidden(case.scores()), axis=(-2, -1))
    yield "cosine", lambda: _softmax(case.hidden(_cosines(case)))
    if not np.isclose(case.scale, 1.0):
        yield "scaled-after-softmax", lambda: case.weights(1.0) * case.scale
    if case.mask is not None:
        yield from _wrong_masks(case)
    if causal:
        yield from _wrong_triangles(case)


def _wrong_softmax(scores: Callable[[], Array]) -> Iterator[tuple[str, Compute]]:
    def finite() -> Array:
        return np.where(np.isfinite(scores()), scores(), 0.0)

    def uniform() -> Array:
        visible = np.isfinite(scores())
        return visible / visible.sum(axis=-1, keepdims=True)

    yield "no-softmax", finite

    def shifted() -> Array:
        return np.exp(scores() - scores().max(axis=-1, keepdims=True))

    yield "not-normalised", lambda: np.exp(scores())
    yield "not-normalised-shifted", shifted
    yield "one-more-in-the-sum", lambda: shifted() / (1 + shifted().sum(axis=-1, keepdims=True))
    yield "softmax-twice", lambda: _softmax(_softmax(scores()))
    yield "sum-normalised", lambda: finite() / finite().sum(axis=-1, keepdims=True)
    yield "base-two", lambda: _softmax(scores() * np.log(2.0))
    yield "hard", lambda: (scores() == scores().max(axis=-1, keepdims=True)).astype(float)
    yield "uniform", uniform


def _wrong_masks(case: Case) -> Iterator[tuple[str, Compute]]:
    mask, scores = np.asarray(case.mask), case.scores()
    yield "no-mask", lambda: _softmax(scores)
    yield "mask-inverted", lambda: _softmax(np.where(mask, -np.inf, scores))
    yield "mask-after-softmax", lambda: np.where(mask, _softmax(scores), 0.0)
    yield "mask-as-zero", lambda: _softmax(np.where(mask, scores, 0.0))
    yield "mask-added", lambda: _softmax(scores + mask)


def _wrong_triangles(case: Case) -> Iterator[tuple[str, Compute]]:
    scores = case.scores()
    num_queries, num_keys = scores.shape[-2:]
    offset, square = num_keys - num_queries, np.ones((num_queries, num_keys), bool)
    triangles = {
        "one-key-too-few": np.tril(square, offset - 1),
        "one-key-too-many": np.tril(square, offset + 1),
        "sees-only-future": np.triu(square, offset),
    }
    if offset:
        triangles["top-left"] = np.tril(square)
    for id, triangle in triangles.items():
        yield id, _masked(scores, triangle)


def _wrong_outputs(case: Case) -> Iterator[tuple[str, Compute]]:
    value = np.asarray(case.value)
    yield "returns-weights", case.weights
    yield "returns-scores", case.scores
    yield "keys-as-values", lambda: case.weights() @ case.key
    yield "queries-as-values", lambda: case.weights() @ case.query
    yield "weights-transposed", lambda: case.weights().swapaxes(-1, -2) @ value
    yield "values-in-other-order", lambda: case.weights()[..., ::-1] @ value
    yield "residual", lambda: case.weights() @ value + case.query


def _cosines(case: Case) -> Array:
    query, key = (a / np.linalg.norm(a, axis=-1, keepdims=True) for a in (case.query, case.key))
    return np.asarray(query @ key.swapaxes(-1, -2))


def _times(weights: Compute, value: Array) -> Compute:
    return lambda: weights() @ value


def _scored(case: Case, scale: float) -> Compute:
    return lambda: case.scores(scale)


def _weighed(case: Case, scale: float) -> Compute:
    return lambda: case.weights(scale)


def _masked(scores: Array, mask: Array) -> Compute:
    return lambda: _softmax(np.where(mask, scores, -np.inf))


def _softmax(scores: Array, axis: int | tuple[int, ...] | None = -1) -> Array:
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=axis, keepdims=True))

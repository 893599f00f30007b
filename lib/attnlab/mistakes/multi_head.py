"""Compute mistakes in multi-head attention as a whole: projections, heads, masks, output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from attnlab.mistakes.attention import of_attention
from attnlab.mistakes.explanations import Array, Compute, Mistake, explained
from attnlab.mistakes.heads import of_merge_heads, of_split_heads

#: Queries, keys and values.
Parts: TypeAlias = tuple[Array, Array, Array]


@dataclass(frozen=True)
class Layer:
    """The arguments of one call of multi-head attention, without biases."""

    x: Array  # (..., num_queries, d_model)
    y: Array  # (..., num_keys, d_model)
    w_query: Array  # (d_model, num_heads * head_dim)
    w_key: Array
    w_value: Array
    w_output: Array  # (num_heads * head_dim, d_model)
    num_heads: int
    mask: Array | None  # (..., num_queries, num_keys), True = may attend

    @property
    def head_dim(self) -> int:
        """The width of one head."""
        return int(self.w_query.shape[-1] // self.num_heads)

    @property
    def head_mask(self) -> Array | None:
        """The mask with an axis for the heads, (..., 1, num_queries, num_keys)."""
        return None if self.mask is None else self.mask[..., None, :, :]

    def projected(self) -> Parts:
        """Return queries, keys and values, each (..., tokens, num_heads * head_dim)."""
        return self.x @ self.w_query, self.y @ self.w_key, self.y @ self.w_value

    def split(self) -> Parts:
        """Return queries, keys and values, each (..., num_heads, tokens, head_dim)."""
        query, key, value = (split_heads(part, self.num_heads) for part in self.projected())
        return query, key, value


def of_multi_head(
    x: Array,
    weights: Mapping[str, Array],
    num_heads: int,
    *,
    y: Array | None = None,
    mask: Array | None = None,
    causal: bool = False,
) -> dict[str, Mistake]:
    """Return what mistakes in multi-head attention give.

    Parameters
    ----------
    x : array, shape (..., num_queries, d_model)
    weights : mapping of str to array
        ``w_query``, ``w_key``, ``w_value``, each (d_model, num_heads * head_dim), and
        ``w_output``, (num_heads * head_dim, d_model). Without biases.
    num_heads : int
    y : array, shape (..., num_keys, d_model), optional
        Where keys and values come from; by default ``x``.
    mask : array of bool, shape (..., num_queries, num_keys), optional
        True = may attend; the heads share it.
    causal : bool
        Stands for a causal mask, aligned at the bottom right.
    """
    x, other = np.array(x, float), np.array(x if y is None else y, float)
    names = ("w_query", "w_key", "w_value", "w_output")
    matrices = {name: np.array(weights[name], float) for name in names}
    if causal:
        triangle = np.tril(
            np.ones((x.shape[-2], other.shape[-2]), bool), other.shape[-2] - x.shape[-2]
        )
        mask = triangle if mask is None else triangle & mask
    copied = None if mask is None else np.array(mask, bool)
    layer = Layer(x=x, y=other, num_heads=num_heads, mask=copied, **matrices)
    wrong = dict(_inside_heads(layer, causal))
    wrong.update(_wrong_heads(layer))
    wrong.update(_wrong_scales(layer))
    if y is not None:
        wrong.update(_wrong_sources(layer))
    wrong.update(_wrong_projections(layer))
    if copied is not None and copied.ndim > 2:
        wrong["mask-on-heads"] = lambda: _output(layer, *layer.split(), mask=copied)
        first = copied[:1, None]
        wrong["first-mask-for-all"] = lambda: _output(layer, *layer.split(), mask=first)
    return explained(wrong)


def split_heads(x: Array, num_heads: int) -> Array:
    """Return (..., tokens, features) as (..., num_heads, tokens, head_dim)."""
    *batch, tokens, features = x.shape
    return x.reshape(*batch, tokens, num_heads, features // num_heads).swapaxes(-2, -3)


def merge_heads(heads: Array) -> Array:
    """Return (..., num_heads, tokens, head_dim) as (..., tokens, features)."""
    merged = heads.swapaxes(-2, -3)
    return merged.reshape(*merged.shape[:-2], -1)


def _inside_heads(layer: Layer, causal: bool) -> Iterator[tuple[str, Compute]]:
    inside = of_attention(*layer.split(), mask=layer.head_mask, causal=causal)
    for id, mistake in inside.items():
        yield id, _projected(mistake, layer.w_output)


def _wrong_heads(layer: Layer) -> Iterator[tuple[str, Compute]]:
    def heads() -> Array:
        return _attend(*layer.split(), layer.head_mask)

    def tiled(one: Array) -> Array:
        return np.concatenate([one] * layer.num_heads, axis=-1) @ layer.w_output

    def parts(id: str) -> Parts:
        query, key, value = (
            of_split_heads(part, layer.num_heads)[id]() for part in layer.projected()
        )
        return query, key, value

    def reshaped_twice() -> Array:
        mixed = _attend(*parts("reshape-without-swap"), layer.head_mask)
        return np.asarray(mixed.reshape(*layer.x.shape[:-1], -1) @ layer.w_output)

    def interleaved_twice() -> Array:
        mixed = _attend(*parts("heads-interleaved"), layer.head_mask)
        return of_merge_heads(mixed)["heads-interleaved"]() @ layer.w_output

    for id, merged in of_merge_heads(heads()).items():
        name = "merge-interleaved" if id == "heads-interleaved" else id
        yield name, _times(merged, layer.w_output)
    yield "heads-averaged", lambda: tiled(heads().mean(axis=-3))
    yield "heads-summed", lambda: tiled(heads().sum(axis=-3))
    yield "reshape-without-swap", lambda: _output(layer, *parts("reshape-without-swap"))
    yield "heads-interleaved", lambda: _output(layer, *parts("heads-interleaved"))
    yield "reshaped-twice", reshaped_twice
    yield "interleaved-twice", interleaved_twice
    yield "one-head", lambda: _attend(*layer.projected(), layer.mask) @ layer.w_output
    yield "no-output-projection", lambda: merge_heads(heads())
    yield "softmax-over-heads", lambda: _output(layer, *layer.split(), axis=-3)


def _wrong_scales(layer: Layer) -> Iterator[tuple[str, Compute]]:
    d_model, num_heads = layer.x.shape[-1], layer.num_heads
    widths: dict[str, float] = {
        "head-dim-scale": d_model,
        "scaled-by-nominal-width": d_model // num_heads,
        "scaled-by-all-heads": num_heads * layer.head_dim,
        "scaled-by-num-heads": num_heads,
    }
    if d_model % num_heads:
        widths["scaled-by-nominal-fraction"] = d_model / num_heads
    for id, width in widths.items():
        # Where two sizes are alike, nobody can tell which of them was taken.
        others = [layer.head_dim, *(other for name, other in widths.items() if name != id)]
        if width not in others:
            yield id, _scaled(layer, width)


def _wrong_sources(layer: Layer) -> Iterator[tuple[str, Compute]]:
    def of(query: Array, key: Array, value: Array) -> Compute:
        return lambda: _output(
            layer,
            *(
                split_heads(tokens @ matrix, layer.num_heads)
                for tokens, matrix in (
                    (query, layer.w_query),
                    (key, layer.w_key),
                    (value, layer.w_value),
                )
            ),
        )

    x, y = layer.x, layer.y
    yield "keys-and-values-from-x", of(x, x, x)
    yield "keys-from-x", of(x, x, y)
    yield "values-from-x", of(x, y, x)
    yield "x-and-y-exchanged", of(y, x, x)


def _wrong_projections(layer: Layer) -> Iterator[tuple[str, Compute]]:
    def of(w_query: Array, w_key: Array, w_value: Array) -> Compute:
        parts = ((layer.x, w_query), (layer.y, w_key), (layer.y, w_value))
        return lambda: _output(layer, *(split_heads(t @ w, layer.num_heads) for t, w in parts))

    def values_not_projected() -> Array:
        queries, keys, _ = layer.split()
        return _output(layer, queries, keys, split_heads(layer.y, layer.num_heads))

    query, key, value = layer.w_query, layer.w_key, layer.w_value
    yield "query-and-key-projections-exchanged", of(key, query, value)
    yield "key-and-value-projections-exchanged", of(query, value, key)
    yield "transposed-projections", of(query.T, key.T, value.T)
    yield (
        "output-matrix-transposed",
        lambda: merge_heads(_attend(*layer.split(), layer.head_mask)) @ layer.w_output.T,
    )
    yield "values-not-projected", values_not_projected


def _output(
    layer: Layer,
    query: Array,
    key: Array,
    value: Array,
    *,
    mask: Array | None = None,
    axis: int = -1,
) -> Array:
    mask = layer.head_mask if mask is None else mask
    return np.asarray(merge_heads(_attend(query, key, value, mask, axis=axis)) @ layer.w_output)


def _attend(
    query: Array,
    key: Array,
    value: Array,
    mask: Array | None,
    *,
    width: float | None = None,
    axis: int = -1,
) -> Array:
    scores = query @ key.swapaxes(-1, -2) / (width or query.shape[-1]) ** 0.5
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=axis, keepdims=True) @ value)


def _scaled(layer: Layer, width: float) -> Compute:
    def output() -> Array:
        heads = _attend(*layer.split(), layer.head_mask, width=width)
        return np.asarray(merge_heads(heads) @ layer.w_output)

    return output


def _projected(heads: Compute, w_output: Array) -> Compute:
    return lambda: merge_heads(heads()) @ w_output


def _times(compute: Compute, matrix: Array) -> Compute:
    return lambda: compute() @ matrix

"""Mistakes with several heads: how features become heads, and heads features again."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from attnlab.mistakes.attention import of_attention
from attnlab.mistakes.explanations import Array, Compute, Mistake, explained


def of_split_heads(x: Array, num_heads: int) -> dict[str, Mistake]:
    """Return what mistakes in splitting (..., tokens, features) into heads give."""
    x = np.array(x, float)
    *batch, tokens, features = x.shape
    head_dim = features // num_heads

    def split() -> Array:
        return x.reshape(*batch, tokens, num_heads, head_dim).swapaxes(-2, -3)

    wrong: dict[str, Compute] = {
        "reshape-without-swap": lambda: x.reshape(*batch, num_heads, tokens, head_dim),
        "tokens-and-heads-exchanged": lambda: split().swapaxes(-2, -3),
        "heads-interleaved": lambda: np.moveaxis(
            x.reshape(*batch, tokens, head_dim, num_heads), -1, -3
        ),
        "heads-in-other-order": lambda: split()[..., ::-1, :, :],
    }
    return explained(wrong)


def of_merge_heads(heads: Array) -> dict[str, Mistake]:
    """Return what mistakes in merging (..., num_heads, tokens, head_dim) give."""
    heads = np.array(heads, float)
    *batch, num_heads, tokens, head_dim = heads.shape
    shape = (*batch, tokens, num_heads * head_dim)
    wrong: dict[str, Compute] = {
        "merge-without-swap": lambda: heads.reshape(shape),
        "heads-interleaved": lambda: np.moveaxis(heads, -3, -1).reshape(shape),
        "heads-in-other-order": lambda: heads[..., ::-1, :, :].swapaxes(-2, -3).reshape(shape),
        "heads-averaged": lambda: heads.mean(axis=-3),
        "heads-summed": lambda: heads.sum(axis=-3),
    }
    return explained(wrong)


def of_multi_head(
    x: Array, weights: Mapping[str, Array], num_heads: int, *, is_causal: bool = False
) -> dict[str, Mistake]:
    """Return what mistakes in multi-head self-attention give.

    Parameters
    ----------
    x : array, shape (..., tokens, d_model)
    weights : mapping of str to array
        ``w_query``, ``w_key``, ``w_value``, each (d_model, num_heads * head_dim), and
        ``w_output``, (num_heads * head_dim, d_model). Without biases.
    num_heads : int
    is_causal : bool
    """
    x = np.array(x, float)
    w = {name: np.array(weights[name], float) for name in ("w_query", "w_key", "w_value")}
    w_output = np.array(weights["w_output"], float)
    query, key, value = (x @ w[name] for name in ("w_query", "w_key", "w_value"))
    split = [_split(part, num_heads) for part in (query, key, value)]
    inside: dict[str, Compute] = dict(of_attention(*split, is_causal=is_causal))
    inside["head-dim-scale"] = _scaled(split, x.shape[-1] ** -0.5, is_causal)
    merged = {id: _merged(compute) for id, compute in inside.items()}
    outputs: dict[str, Compute] = {id: _times(m, w_output) for id, m in merged.items()}
    right = _merged(_scaled(split, split[0].shape[-1] ** -0.5, is_causal))
    heads = _scaled(split, split[0].shape[-1] ** -0.5, is_causal)
    for id, compute in of_merge_heads(heads()).items():
        outputs[id] = _times(compute, w_output)
    for id in ("reshape-without-swap", "heads-interleaved"):
        wrong = [of_split_heads(part, num_heads)[id]() for part in (query, key, value)]
        both = _scaled(wrong, wrong[0].shape[-1] ** -0.5, is_causal)
        outputs[id] = _times(_merged(both), w_output)
    outputs["one-head"] = lambda: (
        _scaled([query, key, value], query.shape[-1] ** -0.5, is_causal)() @ w_output
    )
    outputs["no-output-projection"] = right
    return explained(outputs)


def _split(x: Array, num_heads: int) -> Array:
    *batch, tokens, features = x.shape
    return x.reshape(*batch, tokens, num_heads, features // num_heads).swapaxes(-2, -3)


def _merged(heads: Compute) -> Compute:
    def merge() -> Array:
        array = heads().swapaxes(-2, -3)
        return array.reshape(*array.shape[:-2], -1)

    return merge


def _times(compute: Compute, matrix: Array) -> Compute:
    return lambda: compute() @ matrix


def _scaled(parts: list[Array], scale: float, is_causal: bool) -> Compute:
    query, key, value = parts

    def output() -> Array:
        scores = query @ key.swapaxes(-1, -2) * scale
        if is_causal:
            offset = key.shape[-2] - query.shape[-2]
            scores = np.where(np.tril(np.ones(scores.shape[-2:], bool), offset), scores, -np.inf)
        exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True) @ value)

    return output

"""Compute mistakes in splitting features into heads, and in merging heads into features."""

from __future__ import annotations

import numpy as np

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
        "head-matrices-transposed": lambda: split().swapaxes(-1, -2),
        "heads-before-batch": lambda: np.moveaxis(split(), -3, 0),
        "batch-lost": lambda: x.reshape(1, -1, num_heads, head_dim).swapaxes(-2, -3),
    }
    if not batch:
        del wrong["heads-before-batch"], wrong["batch-lost"]
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
        "heads-as-tokens": lambda: heads.reshape(*batch, num_heads * tokens, head_dim),
        "head-matrices-transposed": lambda: np.moveaxis(heads, -1, -3).reshape(
            *batch, head_dim, num_heads * tokens
        ),
    }
    return explained(wrong)

"""What is hidden stays hidden, also when it is NaN or inf."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from attn._arrays import Array, as_float, as_mask, check_pairs
from attn.masks import causal_mask


def visible_pairs(
    shape: tuple[int, ...],
    mask: ArrayLike | None = None,
    is_causal: bool = False,
    bias: ArrayLike | None = None,
) -> Array | None:
    """Return which query sees which key, broadcastable to scores of ``shape``; None is all."""
    hiding = []
    if mask is not None:
        hiding.append(as_mask(mask))
        check_pairs("mask", hiding[0], shape)
    if is_causal:
        hiding.append(causal_mask(*shape[-2:]))
    if bias is not None and (hidden := np.isneginf(as_float("bias", bias))).any():
        hiding.append(~hidden)
    if not hiding:
        return None
    # Not broadcast in full: a padding mask stays as small as it is.
    return hiding[0] if len(hiding) == 1 else np.logical_and.reduce(np.broadcast_arrays(*hiding))


def weighted_sum(weights: Array, value: Array, visible: Array | None = None) -> Array:
    """Return ``weights @ value`` in which a value that is NaN or inf reaches only who sees it."""
    finite = np.isfinite(value)
    if visible is None or finite.all():
        return weights @ value
    output = weights @ np.where(finite, value, 0)  # (..., num_queries, d_v)
    seen = np.broadcast_to(visible, np.broadcast_shapes(visible.shape, weights.shape[-2:]))
    with np.errstate(invalid="ignore"):
        for kind in (np.nan, np.inf, -np.inf):
            found = np.isnan(value) if np.isnan(kind) else value == kind
            reached = (seen.astype(value.dtype) @ found.astype(value.dtype)) > 0
            output = output + np.where(reached, value.dtype.type(kind), value.dtype.type(0))
    return output

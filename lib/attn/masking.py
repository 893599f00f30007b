"""Join masks, the past, and a bias of -inf into one array."""

from __future__ import annotations

import math
import operator
from functools import reduce
from typing import Any

from attn._arguments import shape_of
from attn._door import Door
from attn.formulas.namespace import is_true
from attn.masks import causal_pairs


def combine_masks(
    door: Door, scores_shape: tuple[int, ...], mask: Any, causal: bool, bias: Any = None
) -> Any:
    """Return which query sees which key, or None if each sees all.

    Parameters
    ----------
    door : Door
    scores_shape : tuple of int
        (..., num_queries, num_keys). The result broadcasts with it: a padding mask stays as small
        as it is.
    mask : boolean array or tensor, or None
    causal : bool
    bias : array or tensor, or None
        Hides a key where it is -inf.
    """
    if mask is None and bias is None and not causal:
        return None
    conditions: list[Any] = []
    if mask is not None:
        conditions.append(mask)
    if causal:
        num_queries, num_keys = scores_shape[-2:]
        conditions.append(causal_pairs(door.framework, num_queries, num_keys, door.like))
    if bias is not None and is_true((hidden := bias == -math.inf).any(), unknown=True):
        conditions.append(~hidden)
    return reduce(operator.and_, conditions) if conditions else None


def mask_for_heads(mask: Any, leading: tuple[int, ...]) -> Any:
    """Return ``mask`` with an axis for the heads; a mask of four axes has one.

    Guessing by size would put a mask of a batch on the heads whenever there are as many of both.
    """
    batch = leading or (1,)
    per_head = mask.ndim == len(batch) + 3
    own = shape_of(mask)[:-3] if per_head else shape_of(mask)[:-2]
    padded = (1,) * (len(batch) - len(own)) + own
    fits = len(padded) == len(batch)
    if not fits or any(n not in (1, size) for n, size in zip(padded, batch, strict=True)):
        expected = ", ".join(map(str, (*batch, "num_queries", "num_keys")))
        raise ValueError(
            f"mask has shape {shape_of(mask)}; expected one that broadcasts to ({expected}), "
            "or one axis more, the heads before the queries"
        )
    if mask.ndim < 2:
        return mask
    with_heads = mask if per_head else mask[..., None, :, :]
    # An input without a batch gives an output without one.
    return with_heads if leading else with_heads.reshape(with_heads.shape[-3:])

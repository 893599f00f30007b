"""Which query may attend to which key: masks, the past, and a bias of -inf as one array."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

from attn._arguments import check_pairs, shape_of
from attn.formulas.namespace import says
from attn.masks import causal_mask

Mask = TypeVar("Mask", bound=Any)


def visible_pairs(
    shape: tuple[int, ...],
    mask: Mask | None = None,
    is_causal: bool = False,
    bias: Mask | None = None,
    causal: Callable[[int, int], Any] = causal_mask,
) -> Mask | None:
    """Return which query sees which key, or None if each sees all.

    Parameters
    ----------
    shape : tuple of int
        That of the scores, (..., num_queries, num_keys). The result broadcasts with it: a padding
        mask stays as small as it is.
    mask : boolean array or tensor, optional
    is_causal : bool
    bias : array or tensor, optional
        Hides a key where it is -inf.
    causal : function
        `causal_mask`, of NumPy or of torch.
    """
    conditions: list[Any] = []
    if mask is not None:
        check_pairs("mask", mask, shape)
        conditions.append(mask)
    if is_causal:
        conditions.append(causal(*shape[-2:]))
    if bias is not None and says((hidden := bias == -math.inf).any(), True):
        conditions.append(~hidden)
    return reduce(operator.and_, conditions) if conditions else None


def mask_for_heads(mask: Mask, leading: tuple[int, ...]) -> Mask:
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

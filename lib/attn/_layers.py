"""What the layers of NumPy and of torch share: their arguments and first weights."""

from __future__ import annotations

import math
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from attn._arrays import Array, check_float_type, shape_of

_Mask = TypeVar("_Mask", bound=Any)


def check_inputs(
    query: Any, key: Any, value: Any, widths: tuple[int, int, int]
) -> tuple[Any, Any, Any]:
    """Return query, key and value with defaults filled in, or raise ValueError."""
    if key is None and value is not None:
        raise ValueError("value is given without key; expected both, key alone, or neither")
    key = query if key is None else key
    value = key if value is None else value
    parts = (
        ("query", "num_queries", query),
        ("key", "num_keys", key),
        ("value", "num_keys", value),
    )
    for (name, tokens, x), width in zip(parts, widths, strict=True):
        shape = tuple(np.shape(x))
        if len(shape) < 2 or shape[-1] != width:
            raise ValueError(f"{name} has shape {shape}; expected (..., {tokens}, {width})")
    return query, key, value


def glorot(rng: np.random.Generator, rows: int, columns: int, dtype: DTypeLike) -> Array:
    """Return weights, uniform with mean 0 and variance 2 / (rows + columns)."""
    limit = math.sqrt(6 / (rows + columns))
    return rng.uniform(-limit, limit, size=(rows, columns)).astype(check_float_type(dtype))


def mask_for_heads(mask: _Mask, leading: tuple[int, ...]) -> _Mask:
    """Return ``mask`` with its axis for heads: inserted, or there already when it has four axes.

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
    # Without a batch, neither the output has that axis.
    return with_heads if leading else with_heads.reshape(with_heads.shape[-3:])

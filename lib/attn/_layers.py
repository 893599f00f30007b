"""Share the sizes, first parameters and printing of layers."""

from __future__ import annotations

import math
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import DTypeLike

from attn._arguments import check_count, check_float_type
from attn._types import Array

Gate: TypeAlias = Literal["head", "feature"]


def glorot(rng: np.random.Generator, rows: int, columns: int, dtype: DTypeLike) -> Array:
    """Return a matrix, uniform with mean 0 and variance 2 / (rows + columns)."""
    limit = math.sqrt(6 / (rows + columns))
    return rng.uniform(-limit, limit, size=(rows, columns)).astype(check_float_type(dtype))


def arguments_of(layer: Any, *names: str) -> str:
    """Return the named attributes of a layer as ``name=value, …``, for its repr."""
    return ", ".join(f"{name}={getattr(layer, name)!r}" for name in names)


def options_of(**options: Any) -> str:
    """Return those options that are neither None nor False as ``, name=value``, for a repr."""
    used = {n: o for n, o in options.items() if o is not None and o is not False}
    return "".join(f", {name}={option!r}" for name, option in used.items())


def gate_width(gate: str | None, num_heads: int, head_dim: int) -> int | None:
    """Return how many gates a token has, None without, or raise ValueError."""
    widths = {None: None, "head": num_heads, "feature": num_heads * head_dim}
    if gate not in widths:
        raise ValueError(f"gate is {gate!r}; expected 'head', 'feature' or None")
    return widths[gate]


def head_width(d_model: int, num_heads: int, head_dim: int | None) -> int:
    """Return the width of one head, or raise ValueError."""
    if head_dim is None and d_model % num_heads:
        raise ValueError(f"num_heads={num_heads} does not divide d_model={d_model}: pass head_dim")
    return check_count("head_dim", d_model // num_heads if head_dim is None else head_dim, 1)


def key_value_heads(num_heads: int, num_kv_heads: int | None) -> int:
    """Return the number of heads of keys and values, or raise ValueError."""
    count = num_heads if num_kv_heads is None else check_count("num_kv_heads", num_kv_heads, 1)
    if num_heads % count:
        raise ValueError(f"num_kv_heads={count} does not divide num_heads={num_heads}")
    return count

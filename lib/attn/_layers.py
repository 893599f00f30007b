"""What the layers have in common: their first parameters, and how they print."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from attn._arguments import Array, check_float_type


def glorot(rng: np.random.Generator, rows: int, columns: int, dtype: DTypeLike) -> Array:
    """Return a matrix, uniform with mean 0 and variance 2 / (rows + columns)."""
    limit = math.sqrt(6 / (rows + columns))
    return rng.uniform(-limit, limit, size=(rows, columns)).astype(check_float_type(dtype))


def arguments_of(layer: Any, *names: str) -> str:
    """Return the named attributes of a layer as ``name=value, …``, for its repr."""
    return ", ".join(f"{name}={getattr(layer, name)!r}" for name in names)

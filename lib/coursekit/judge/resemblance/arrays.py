"""Compare arrays within tolerance."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.floating]


def is_close(value: NDArray[Any], other: NDArray[Any], atol: float, rtol: float = 0.0) -> bool:
    """Return whether two arrays have one shape and, within tolerance, the same numbers."""
    return value.shape == other.shape and bool(np.allclose(value, other, atol=atol, rtol=rtol))

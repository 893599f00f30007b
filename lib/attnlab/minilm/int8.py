"""Matrices in 8 bits: whole numbers from -127 to 127, and one scale for each row.

A row here is what makes one output feature, or one word's vector: its largest number is 127 times
its scale, so that one large row does not make the others coarse.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Added to a matrix's name for its scales.
SCALE = ".scale"
_LARGEST = 127


def quantised(arrays: Mapping[str, NDArray[np.float32]]) -> dict[str, NDArray[Any]]:
    """Return the matrices as int8 with their scales, and the vectors as they are.

    Examples
    --------
    >>> small = quantised({"w": np.array([[0.5, -1.0], [0.0, 0.0]], dtype=np.float32)})
    >>> small["w"].tolist(), small["w.scale"].shape
    ([[64, -127], [0, 0]], (2,))
    """
    small: dict[str, NDArray[Any]] = {}
    for name, array in arrays.items():
        if array.ndim == 1:
            small[name] = array.astype(np.float32)
            continue
        scale = np.abs(array).max(axis=1) / np.float32(_LARGEST)
        scale[scale == 0] = 1
        small[name] = np.rint(array / scale[:, None]).astype(np.int8)
        small[name + SCALE] = scale.astype(np.float32)
    return small


def restored(arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """Return what `quantised` was given, as nearly as 8 bits tell: matrices of float32."""
    return {
        name: array * arrays[name + SCALE][:, None] if array.dtype == np.int8 else array
        for name, array in arrays.items()
        if not name.endswith(SCALE)
    }

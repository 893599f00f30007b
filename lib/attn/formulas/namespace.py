"""Which library the numbers of a formula belong to."""

from __future__ import annotations

import sys
from typing import Any, TypeVar

import numpy as np

#: An array or a tensor.
Numbers = TypeVar("Numbers", bound=Any)


def namespace(numbers: Any) -> Any:
    """Return the library that the numbers belong to, `numpy` or `torch`."""
    return np if isinstance(numbers, np.ndarray) else sys.modules["torch"]

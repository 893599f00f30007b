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


def says(condition: Any, otherwise: bool) -> bool:
    """Return the condition, or ``otherwise`` where a tensor has no numbers to ask.

    That is so in `torch.export` (`torch.compile` stops its graph to ask), under `torch.vmap` and on
    the meta device.
    """
    compiler: Any = getattr(sys.modules.get("torch"), "compiler", None)
    if compiler and compiler.is_compiling() and not compiler.is_dynamo_compiling():
        return otherwise
    try:
        return bool(condition)
    except RuntimeError:
        return otherwise

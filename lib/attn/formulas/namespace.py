"""Find the library that the numbers of a formula belong to."""

from __future__ import annotations

import sys
from typing import Any, TypeVar

import numpy as np

#: An array or a tensor.
Numbers = TypeVar("Numbers", bound=Any)


def namespace(numbers: Any) -> Any:
    """Return the library that the numbers belong to, `numpy` or `torch`."""
    return np if isinstance(numbers, np.ndarray) else sys.modules["torch"]


def is_true(condition: Any, *, unknown: bool) -> bool:
    """Return whether a condition on numbers holds; ``unknown`` where they cannot be looked at.

    That is while torch compiles, and of what ``torch.func`` transforms: there the caller takes the
    path that is right for all numbers.
    """
    torch = sys.modules.get("torch")
    tensor = getattr(torch, "Tensor", None)  # a folder may be called torch
    if torch is None or tensor is None or not isinstance(condition, tensor):
        return bool(condition)
    if torch.compiler.is_compiling():
        return unknown
    try:
        return bool(condition)
    except RuntimeError:  # what vmap raises; it has no public name that says so before
        return unknown

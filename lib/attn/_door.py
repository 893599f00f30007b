"""The door: a public function brings its arguments through here, once, before the formula."""

from __future__ import annotations

from typing import Any

import numpy as np

from attn._arguments import check_axes, check_broadcasts
from attn._framework import NUMPY, Framework, framework_of
from attn._types import Nested, Numbers

#: Types of arrays in which they are computed and returned.
_USUAL = (np.dtype(np.float64), np.dtype(np.float32))


class Door:
    """What the arguments of a call have in common.

    Attributes
    ----------
    framework : Framework
    dtype
        Their common type, in which results leave.
    like : array or tensor
        One of them, in the type to compute in.
    """

    __slots__ = ("dtype", "framework", "like")

    def __init__(self, framework: Framework, dtype: Any, like: Any) -> None:
        self.framework, self.dtype, self.like = framework, dtype, like

    def floats(self, name: str, argument: Any) -> Any:
        """Return a further argument in the type to compute in."""
        return self.framework.cast_like(self.framework.floats(name, argument), self.like)

    def added(self, name: str, argument: Any, shape: tuple[int, ...]) -> Any:
        """Return numbers that broadcast with scores of that shape; None stays None."""
        if argument is None:
            return None
        array = self.floats(name, argument)
        check_broadcasts(name, array, shape)
        return array

    def sink(self, sink: Any, scores_shape: tuple[int, ...]) -> Any:
        """Return ``sink`` as a score for each row of weights; None stays None."""
        return self.added("sink", sink, (*scores_shape[:-1], 1))

    def boolean(self, name: str, mask: Any) -> Any:
        """Return a boolean mask, or raise TypeError; None stays None."""
        return None if mask is None else self.framework.boolean(name, mask, self.like)

    def mask(self, mask: Any, scores_shape: tuple[int, ...]) -> Any:
        """Return a boolean mask for scores of that shape; None stays None."""
        array = self.boolean("mask", mask)
        if array is not None:
            check_broadcasts("mask", array, scores_shape)
        return array

    def leave(self, result: Numbers) -> Numbers:
        """Return a result in the type of the arguments."""
        left: Numbers = self.framework.cast(result, self.dtype)
        return left


def enter(axes: int = 2, **arguments: Numbers | Nested) -> tuple[Door, list[Numbers]]:
    """Return the door, and the arguments in the type to compute in.

    Raises
    ------
    TypeError
        If they are not real numbers.
    ValueError
        If one has fewer axes.
    """
    arrays: list[Any] = list(arguments.values())
    dtype = getattr(arrays[0], "dtype", None)
    if dtype in _USUAL:  # small calls take a few microseconds, of which checks should be few
        for array in arrays:
            if type(array) is not np.ndarray or array.dtype is not dtype or array.ndim < axes:
                break
        else:
            return Door(NUMPY, dtype, arrays[0]), arrays
    return _enter(framework_of(*arrays), axes, arguments, [])


def enter_layer(layer: Any, axes: int = 2, **arguments: Any) -> tuple[Door, list[Any]]:
    """Return the same for a layer, whose parameters decide on framework and type, too."""
    parameters = parameters_of(layer)
    return _enter(framework_of(*parameters), axes, arguments, parameters)


def parameters_of(layer: Any) -> list[Any]:
    """Return the parameters of a layer or a module."""
    found = layer.parameters()
    return list(found.values() if isinstance(found, dict) else found)


def _enter(
    framework: Framework, axes: int, arguments: dict[str, Any], parameters: list[Any]
) -> tuple[Door, list[Any]]:
    arrays = [framework.floats(name, argument) for name, argument in arguments.items()]
    for name, array in zip(arguments, arrays, strict=True):
        if array.ndim < axes:
            check_axes(name, array, axes)
    dtype = framework.common_type(arrays)
    wide = framework.wide_type(framework.common_type(arrays + parameters) if parameters else dtype)
    arrays = [framework.cast(array, wide) for array in arrays]
    return Door(framework, dtype, arrays[0]), arrays

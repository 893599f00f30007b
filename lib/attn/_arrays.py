"""What every mechanism does with its arguments before the formula: types, shapes, errors."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Array: TypeAlias = NDArray[Any]

MOST_AXES = 64  # of a NumPy array


def as_float(name: str, given: ArrayLike) -> Array:
    """Return ``given`` as a floating-point array; integers and booleans become float64."""
    array = np.asarray(given)
    if array.dtype.kind in "biu":
        return array.astype(np.float64)
    if array.dtype.kind != "f":
        raise TypeError(f"{name} has dtype {array.dtype}; expected real numbers")
    return array


def as_floats(axes: int = 2, **given: ArrayLike) -> tuple[list[Array], np.dtype[Any]]:
    """Return the arguments in the type to compute in, and the type to return.

    Sums of float16 products overflow at 65504, so float16 is computed in float32.
    """
    arrays = {name: as_float(name, value) for name, value in given.items()}
    for name, array in arrays.items():
        check_axes(name, array, axes)
    result = np.result_type(*arrays.values())
    wide = compute_type(result)
    return [array.astype(wide, copy=False) for array in arrays.values()], result


def compute_type(dtype: DTypeLike) -> np.dtype[Any]:
    """Return the type in which ``dtype`` is computed: float32 for float16, else itself."""
    return np.promote_types(dtype, np.float32)


class Shaped(Protocol):
    """An array or a tensor: the checks below serve both, and print shapes alike."""

    @property
    def shape(self) -> Any:
        """The lengths of the axes."""


def shape_of(array: Shaped) -> tuple[int, ...]:
    """Return the shape as a tuple: a tensor's own type would print its name too."""
    return tuple(array.shape)


def check_axes(name: str, array: Shaped, axes: int = 2) -> None:
    """Raise ValueError if the array has fewer axes than ``(..., tokens, features)``."""
    if len(array.shape) < axes:
        expected = "(..., tokens, features)" if axes == 2 else f"at least {axes} axes"
        raise ValueError(f"{name} has shape {shape_of(array)}; expected {expected}")


def check_width(query: Shaped, key: Shaped) -> None:
    """Raise ValueError unless query and key have the same width."""
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"key has shape {shape_of(key)}; expected (..., num_keys, {query.shape[-1]}), "
            f"as wide as query of shape {shape_of(query)}"
        )


def check_tokens(key: Shaped, value: Shaped) -> None:
    """Raise ValueError unless there is one value for each key."""
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"value has shape {shape_of(value)}; expected (..., {key.shape[-2]}, d_v), "
            f"one value for each key of shape {shape_of(key)}"
        )


def check_weight(query: Shaped, key: Shaped, weight: Shaped) -> None:
    """Raise ValueError unless the weight of `general_score` leads from query to key."""
    expected = (query.shape[-1], key.shape[-1])
    if shape_of(weight) != expected:
        raise ValueError(
            f"weight has shape {shape_of(weight)}; expected {expected} for query "
            f"{shape_of(query)} and key {shape_of(key)}"
        )


def leading_axes(**arrays: Shaped) -> tuple[int, ...]:
    """Return the common shape of all axes but the last two, or raise ValueError."""
    try:
        return np.broadcast_shapes(*(shape_of(array)[:-2] for array in arrays.values()))
    except ValueError:
        seen = ", ".join(f"{name} {shape_of(array)}" for name, array in arrays.items())
        raise ValueError(
            f"leading axes do not broadcast: {seen}; expected the same before the last two, or 1"
        ) from None


def as_mask(given: ArrayLike, name: str = "mask") -> NDArray[np.bool_]:
    """Return ``given`` as a boolean array, or raise TypeError."""
    mask = np.asarray(given)
    if mask.dtype != np.bool_:
        raise TypeError(
            f"{name} has dtype {mask.dtype}; expected bool, True where a query may attend "
            "(numbers to add to the scores go in bias)"
        )
    return mask


def check_pairs(name: str, array: Shaped, shape: tuple[int, ...]) -> None:
    """Raise ValueError unless ``array`` broadcasts with scores of ``shape``.

    Leading axes may broadcast both ways; the last two must fit ``(num_queries, num_keys)``, so that
    a mask for several queries never multiplies a single one.
    """
    seen = (1, 1, *shape_of(array))
    fits = all(n in (1, wanted) for n, wanted in zip(seen[-2:], shape[-2:], strict=True))
    try:
        np.broadcast_shapes(seen[:-2], shape[:-2])
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{name} has shape {shape_of(array)}; expected one that broadcasts to {shape}"
        )


def check_per_token(name: str, array: Shaped, tokens: tuple[int, ...]) -> None:
    """Raise ValueError unless ``array`` is one for all, or broadcasts to ``(..., tokens)``."""
    seen = shape_of(array)
    fits = seen[-1:] in ((), (1,), tokens[-1:])
    try:
        np.broadcast_shapes(seen[:-1], tokens[:-1])
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"{name} has shape {seen}; expected one that broadcasts to {tokens}")


def check_scores(scores: Shaped, query: Shaped, key: Shaped) -> None:
    """Raise ValueError unless a score function gave one score for each pair."""
    pairs = (query.shape[-2], key.shape[-2])
    if shape_of(scores)[-2:] != pairs:
        raise ValueError(
            f"score returned shape {shape_of(scores)}; expected (..., {pairs[0]}, {pairs[1]})"
        )


def check_axis(axis: Any, scores: Shaped) -> int:
    """Return ``axis`` if it is an axis of ``scores``, or raise ValueError or TypeError."""
    axes = len(scores.shape)
    number = check_count("axis", axis, -MOST_AXES)
    if not -axes <= number < axes:
        raise ValueError(f"axis is {axis}; expected an axis of scores of shape {shape_of(scores)}")
    return number


def check_number(name: str, given: Any) -> float:
    """Return ``given`` as a float that is not NaN, or raise TypeError or ValueError."""
    if isinstance(given, bool) or not isinstance(given, Real):
        raise TypeError(f"{name} is {given!r}; expected a number")
    if math.isnan(given):
        raise ValueError(f"{name} is {given}; expected a number")
    return float(given)


def check_float_type(dtype: DTypeLike) -> np.dtype[Any]:
    """Return a dtype of floating-point numbers; in whole numbers, weights would all be 0."""
    try:
        found = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"dtype is {dtype!r}; expected float16, float32 or float64") from None
    if found.kind != "f":
        raise TypeError(f"dtype is {found}; expected float16, float32 or float64")
    return found


def check_count(name: str, given: Any, least: int = 0) -> int:
    """Return ``given`` as an int of at least ``least``, or raise TypeError or ValueError."""
    if isinstance(given, bool) or not isinstance(given, int | np.integer):
        raise TypeError(f"{name} is {given!r}; expected an integer")
    if given < least:
        raise ValueError(f"{name} is {given}; expected at least {least}")
    return int(given)

"""What every mechanism does with its arguments before the formula: types, shapes, errors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Array: TypeAlias = NDArray[Any]


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
        if array.ndim < axes:
            expected = "(..., tokens, features)" if axes == 2 else f"at least {axes} axes"
            raise ValueError(f"{name} has shape {array.shape}; expected {expected}")
    result = np.result_type(*arrays.values())
    wide = compute_type(result)
    return [array.astype(wide, copy=False) for array in arrays.values()], result


def compute_type(dtype: DTypeLike) -> np.dtype[Any]:
    """Return the type in which ``dtype`` is computed: float32 for float16, else itself."""
    return np.promote_types(dtype, np.float32)


def check_width(query: Array, key: Array) -> None:
    """Raise ValueError unless query and key have the same width."""
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"key has shape {key.shape}; expected (..., num_keys, {query.shape[-1]}), "
            f"as wide as query of shape {query.shape}"
        )


def check_tokens(key: Array, value: Array) -> None:
    """Raise ValueError unless there is one value for each key."""
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(
            f"value has shape {value.shape}; expected (..., {key.shape[-2]}, d_v), "
            f"one value for each key of shape {key.shape}"
        )


def leading_axes(**arrays: Array) -> tuple[int, ...]:
    """Return the common shape of all axes but the last two, or raise ValueError."""
    try:
        return np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError:
        seen = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"leading axes do not broadcast: {seen}") from None


def as_mask(given: ArrayLike, name: str = "mask") -> NDArray[np.bool_]:
    """Return ``given`` as a boolean array, or raise TypeError."""
    mask = np.asarray(given)
    if mask.dtype != np.bool_:
        raise TypeError(
            f"{name} has dtype {mask.dtype}; expected bool, True where a query may attend "
            "(numbers to add to the scores go in bias)"
        )
    return mask


def check_pairs(name: str, array: Array, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of ``array`` broadcast with scores of ``shape``, or raise ValueError.

    Leading axes may broadcast both ways; the last two must fit ``(num_queries, num_keys)``, so that
    a mask for several queries never multiplies a single one.
    """
    pairs = shape[-2:]
    padded = (1, 1, *array.shape)
    fits = all(seen in (1, wanted) for seen, wanted in zip(padded[-2:], pairs, strict=True))
    try:
        if fits:
            return np.broadcast_shapes(array.shape[:-2], shape[:-2]) + pairs
    except ValueError:
        pass
    raise ValueError(f"{name} has shape {array.shape}; expected one that broadcasts to {shape}")


def check_count(name: str, given: Any, least: int = 0) -> int:
    """Return ``given`` as an int of at least ``least``, or raise TypeError or ValueError."""
    if isinstance(given, bool) or not isinstance(given, int | np.integer):
        raise TypeError(f"{name} is {given!r}; expected an integer")
    if given < least:
        raise ValueError(f"{name} is {given}; expected at least {least}")
    return int(given)


def normalised_positions(name: str, given: ArrayLike, num_tokens: int) -> NDArray[np.bool_]:
    """Return marks, True at the given positions; boolean marks are returned as they are."""
    array = np.asarray(given)
    if array.dtype == np.bool_:
        if array.shape[-1:] != (num_tokens,):
            raise ValueError(f"{name} has shape {array.shape}; expected (..., {num_tokens})")
        return array
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {array.dtype}; expected positions or boolean marks")
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}; expected (num_global,)")
    if array.size and not (array.min() >= 0 and array.max() < num_tokens):
        raise ValueError(f"{name} is {_list(array)}; expected positions 0 to {num_tokens - 1}")
    marks = np.zeros(num_tokens, dtype=bool)
    marks[array.astype(np.intp)] = True
    return marks


def _list(values: Iterable[Any]) -> str:
    return str([int(value) for value in values])

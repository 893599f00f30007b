"""The door: what every mechanism does with its arguments before the formula."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any, Generic, Protocol, TypeAlias, TypedDict, TypeVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Array: TypeAlias = NDArray[Any]

_MAX_AXES = 64  # of a NumPy array


Mask = TypeVar("Mask")


class LayerOptions(TypedDict, Generic[Mask], total=False):
    """What hides keys from the queries of a layer, for overloads."""

    mask: Mask | None
    is_causal: bool


class Options(TypedDict, Generic[Mask], total=False):
    """The usual keyword arguments of a mechanism, for overloads."""

    mask: Mask | None
    bias: Mask | None
    is_causal: bool
    scale: float | None


class Shaped(Protocol):
    """An array or a tensor: the checks below serve both, and print shapes alike."""

    @property
    def shape(self) -> Any:
        """The lengths of the axes."""


def as_array(name: str, argument: ArrayLike) -> Array:
    """Return ``argument`` as an array; a tensor of bfloat16, which NumPy lacks, becomes float32."""
    if str(getattr(argument, "dtype", None)) == "torch.bfloat16":
        argument = argument.float()  # type: ignore[union-attr]
    try:
        return np.asarray(argument)
    except (RuntimeError, TypeError) as error:  # torch's, which say what to do
        raise TypeError(f"NumPy cannot read {name}: {error}") from None


def as_float(name: str, argument: ArrayLike) -> Array:
    """Return ``argument`` as a floating-point array; integers and booleans become float64."""
    array = as_array(name, argument)
    if array.dtype.kind in "biu":
        return array.astype(np.float64)
    if array.dtype.kind != "f":
        raise TypeError(f"{name} has dtype {array.dtype}; expected real numbers")
    return array


def as_floats(axes: int = 2, **arguments: ArrayLike) -> tuple[list[Array], np.dtype[Any]]:
    """Return the arguments in the type to compute in, and the type to return.

    Sums of float16 products overflow at 65504, so float16 is computed in float32.
    """
    arrays = {name: as_float(name, argument) for name, argument in arguments.items()}
    for name, array in arrays.items():
        check_axes(name, array, axes)
    result = np.result_type(*arrays.values())
    wide = compute_type(result)
    return [array.astype(wide, copy=False) for array in arrays.values()], result


def compute_type(dtype: DTypeLike) -> np.dtype[Any]:
    """Return the type in which ``dtype`` is computed: float32 for float16, else itself."""
    return np.promote_types(dtype, np.float32)


def as_mask(mask: ArrayLike | None, pairs: tuple[int, ...], name: str = "mask") -> Array | None:
    """Return ``mask`` as a boolean array for scores of shape ``pairs``; None stays None."""
    if mask is None:
        return None
    array = boolean(name, mask)
    check_pairs(name, array, pairs)
    return array


def boolean(name: str, mask: ArrayLike) -> Array:
    """Return ``mask`` as an array, or raise TypeError unless it is boolean."""
    array = as_array(name, mask)
    check_boolean(name, array)
    return array


def as_bias(bias: ArrayLike | None, pairs: tuple[int, ...], dtype: DTypeLike) -> Array | None:
    """Return ``bias`` as numbers to add to scores of shape ``pairs``; None stays None."""
    if bias is None:
        return None
    array = as_float("bias", bias)
    check_pairs("bias", array, pairs)
    with np.errstate(over="ignore"):
        return array.astype(dtype, copy=False)


def layer_inputs(
    query: Any, key: Any, value: Any, widths: tuple[int, int, int]
) -> tuple[Any, Any, Any]:
    """Return query, key and value with defaults filled in, or raise ValueError."""
    if key is None and value is not None:
        raise ValueError("value is given without key; expected both, key alone, or neither")
    key = query if key is None else key
    value = key if value is None else value
    parts = (
        ("query", "num_queries", query),
        ("key", "num_keys", key),
        ("value", "num_keys", value),
    )
    for (name, tokens, x), width in zip(parts, widths, strict=True):
        shape = tuple(np.shape(x))
        if len(shape) < 2 or shape[-1] != width:
            raise ValueError(f"{name} has shape {shape}; expected (..., {tokens}, {width})")
    return query, key, value


def scale_or_default(query: Shaped, scale: float | None = None) -> float:
    """Return ``scale``, or 1 / sqrt(d_k), as a Python float: a NumPy one would widen float32."""
    if scale is not None:
        if math.isinf(check_number("scale", scale)):
            raise ValueError(f"scale is {scale}; expected a finite number")
        return float(scale)
    if query.shape[-1] == 0:
        raise ValueError(
            f"query has shape {shape_of(query)}; expected at least one feature, or a scale"
        )
    return 1 / math.sqrt(query.shape[-1])


def shape_of(array: Shaped) -> tuple[int, ...]:
    """Return the shape as a tuple: a tensor's own type would print its name too."""
    return tuple(array.shape)


def check_attention(query: Shaped, key: Shaped, value: Shaped) -> tuple[int, ...]:
    """Return the shape of the scores, (..., num_queries, num_keys), or raise ValueError."""
    check_tokens(key, value)
    leading = leading_axes(query=query, key=key, value=value)
    check_width(query, key)
    return (*leading, query.shape[-2], key.shape[-2])


def check_axes(name: str, array: Shaped, axes: int = 2) -> None:
    """Raise ValueError if the array has fewer axes than ``(..., tokens, features)``."""
    if len(array.shape) < axes:
        usual = {1: "(..., features)", 2: "(..., tokens, features)"}
        expected = usual.get(axes, f"at least {axes} axes")
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


def check_same_tokens(query: Shaped, key: Shaped, value: Shaped) -> tuple[tuple[int, ...], int]:
    """Return the leading axes and the number of tokens, or raise ValueError."""
    check_width(query, key)
    check_tokens(key, value)
    if query.shape[-2] != key.shape[-2]:
        raise ValueError(
            f"key has shape {shape_of(key)}; expected (..., {query.shape[-2]}, {key.shape[-1]}), "
            f"as many tokens as query of shape {shape_of(query)}"
        )
    return leading_axes(query=query, key=key, value=value), query.shape[-2]


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
    shapes = [shape_of(array)[:-2] for array in arrays.values()]
    if all(shape == shapes[0] for shape in shapes):  # of symbols, too, where torch exports
        return shapes[0]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        named = ", ".join(f"{name} {shape_of(array)}" for name, array in arrays.items())
        raise ValueError(
            f"leading axes do not broadcast: {named}; expected the same before the last two, or 1"
        ) from None


def check_boolean(name: str, mask: Any) -> None:
    """Raise TypeError unless the array or tensor is boolean."""
    if str(mask.dtype) not in ("bool", "torch.bool"):
        raise TypeError(
            f"{name} has dtype {mask.dtype}; expected bool, True where a query may attend "
            "(numbers to add to the scores go in bias)"
        )


def check_pairs(name: str, array: Shaped, pairs: tuple[int, ...]) -> None:
    """Raise ValueError unless ``array`` broadcasts with scores of shape ``pairs``.

    Leading axes may broadcast both ways; the last two must fit ``(num_queries, num_keys)``, so that
    a mask for several queries never multiplies a single one.
    """
    shape = (1, 1, *shape_of(array))
    fits = all(n in (1, length) for n, length in zip(shape[-2:], pairs[-2:], strict=True))
    if not (fits and _broadcast(shape[:-2], pairs[:-2])):
        raise ValueError(
            f"{name} has shape {shape_of(array)}; expected one that broadcasts to {pairs}"
        )


def check_per_token(name: str, array: Shaped, tokens: tuple[int, ...]) -> None:
    """Raise ValueError unless ``array`` is one for all, or broadcasts to ``(..., tokens)``."""
    shape = shape_of(array)
    fits = shape[-1:] in ((), (1,), tokens[-1:])
    if not (fits and _broadcast(shape[:-1], tokens[:-1])):
        raise ValueError(f"{name} has shape {shape}; expected one that broadcasts to {tokens}")


def _broadcast(first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    both = zip(reversed(first), reversed(second), strict=False)
    return all(m == n or 1 in (m, n) for m, n in both)


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
    number = check_count("axis", axis, -_MAX_AXES)
    if not -axes <= number < axes:
        raise ValueError(f"axis is {axis}; expected an axis of scores of shape {shape_of(scores)}")
    return number


def check_number(name: str, number: Any) -> float:
    """Return ``number`` as a float that is not NaN, or raise TypeError or ValueError."""
    if isinstance(number, bool) or not isinstance(number, Real):
        raise TypeError(f"{name} is {number!r}; expected a number")
    if math.isnan(number):
        raise ValueError(f"{name} is {number}; expected a number")
    return float(number)


def check_float_type(dtype: DTypeLike) -> np.dtype[Any]:
    """Return a dtype of floating-point numbers; in whole numbers, weights would all be 0."""
    try:
        checked = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"dtype is {dtype!r}; expected float16, float32 or float64") from None
    if checked.kind != "f":
        raise TypeError(f"dtype is {checked}; expected float16, float32 or float64")
    return checked


def check_count(name: str, count: Any, least: int = 0) -> int:
    """Return ``count`` as an int of at least ``least``, or raise TypeError or ValueError."""
    if isinstance(count, bool) or not isinstance(count, int | np.integer):
        raise TypeError(f"{name} is {count!r}; expected an integer")
    if count < least:
        raise ValueError(f"{name} is {count}; expected at least {least}")
    return int(count)

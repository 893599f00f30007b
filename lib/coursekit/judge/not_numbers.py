"""Describe a value that cannot be read as numbers, in words that do not contradict themselves."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from itertools import islice
from numbers import Number
from typing import Any

import numpy as np

#: What a list may hold instead of numbers, in the plural.
_HELD = {
    str: "strings",
    bytes: "bytes",
    type(None): "None",
    type(...): "`...`",
    dict: "dictionaries",
    set: "sets",
    datetime.date: "dates",
    datetime.datetime: "dates",
}
#: Most values that are looked at.
_MOST = 10_000
#: Deepest lists: NumPy's arrays have at most 64 axes.
_DEEPEST = 64


def not_numbers(value: Any, *, is_one: bool = False) -> str:
    """Return what a value is and what was expected, as the end of a sentence after "is".

    Parameters
    ----------
    value : object
        What `numpy.asarray` makes no array of numbers of.
    is_one : bool
        One number was expected.
    """
    name = "an array" if isinstance(value, np.ndarray) else f"a {type(value).__name__}"
    if not isinstance(value, list | tuple | np.ndarray):
        return f"of type {type(value).__name__}; {_expected(value, is_one)}"
    strange = [leaf for leaf in islice(_leaves(value), _MOST) if not _is_plain(leaf)]
    if not strange:
        return f"{name} whose rows differ in length; {_expected(None, is_one)}"
    kinds = list(dict.fromkeys(map(_held, strange)))
    return f"{name} that holds {' and '.join(kinds[:2])}; {_expected(strange[0], is_one)}"


def _expected(value: Any, is_one: bool) -> str:
    # A fraction or a decimal is a number, and one that NumPy does not calculate with.
    is_number = isinstance(value, Number)
    if is_one:
        kind = "a float or a whole number of at most 64 bits" if is_number else "a number"
        return f"expected {kind}{', without quotes' if isinstance(value, str) else ''}."
    kind = "floats or whole numbers of at most 64 bits" if is_number else "numbers"
    return f"expected {kind}, as an array or a list."


def _leaves(value: Any, depth: int = 0) -> Iterator[Any]:
    if isinstance(value, np.ndarray):
        yield from value.flat
    elif isinstance(value, list | tuple) and depth < _DEEPEST:
        for item in value:
            yield from _leaves(item, depth + 1)
    else:
        yield value


def _is_plain(leaf: Any) -> bool:
    try:
        return np.asarray(leaf).dtype.kind in "bifuc"
    except Exception:  # objects whose conversion is broken
        return False


def _held(leaf: Any) -> str:
    if isinstance(leaf, int):
        return "whole numbers of more than 64 bits"
    if isinstance(leaf, list | tuple):
        return "itself, or lists in too many lists"
    kinds = (kind for kind in type(leaf).__mro__ if kind in _HELD)
    kind = next(kinds, None)
    return _HELD[kind] if kind else f"values of type {type(leaf).__name__}"

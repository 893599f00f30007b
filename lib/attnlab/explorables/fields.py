"""The fields that make up the state of an explorable, each with its check.

Where anywidget is installed, a field is a trait that the front end shares. Elsewhere (in a bare
install, or a build without notebooks) it is a plain attribute with the same check.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

Clean = Callable[[str, Any], Any]

#: Whether explorables can be widgets here.
LIVE = importlib.util.find_spec("anywidget") is not None

if LIVE:
    import anywidget
    import traitlets

    class _Trait(traitlets.TraitType):  # no type parameters: Colab's traitlets has none
        """A synchronised trait that checks every value, its default included."""

        def __init__(self, clean: Clean, default: Any) -> None:
            super().__init__(default)
            self.clean = clean
            self.tag(sync=True)

        def validate(self, obj: Any, value: Any) -> Any:
            """Return ``value`` as plain data, or raise ValueError."""
            return self.clean(str(self.name), value)


class PlainField:
    """An attribute that checks every value: `_Trait` without the front end."""

    def __init__(self, clean: Clean, default: Any) -> None:
        self.clean, self.default_value = clean, default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, obj: Any, owner: type | None = None) -> Any:
        if obj is None:
            return self
        # The check returns a copy, so no two objects share a default.
        return obj.__dict__.setdefault(self.name, self.clean(self.name, self.default_value))

    def __set__(self, obj: Any, value: Any) -> None:
        obj.__dict__[self.name] = self.clean(self.name, value)


class PlainHost:
    """The base of explorables without widgets, and what the type checker knows of the other."""

    def __init__(self, **state: Any) -> None:
        for name, value in state.items():
            setattr(self, name, value)

    def observe(self, handler: Callable[[Any], None], names: str) -> None:
        """Do nothing: without a front end nobody else changes a field."""

    def _repr_mimebundle_(self, **options: Any) -> Any:
        return {}


Host = PlainHost
if LIVE and not TYPE_CHECKING:
    Host = anywidget.AnyWidget


def field(clean: Clean, default: Any) -> Any:
    """Declare one part of the state; ``clean(name, value)`` returns it as plain data."""
    return (_Trait if LIVE else PlainField)(clean, default)


def _instance(kind: Any, plain: Callable[[Any], Any], expected: str) -> Clean:
    """Return a check for an instance of ``kind``, which ``plain`` makes plain data."""

    def clean(name: str, value: Any) -> Any:
        if not isinstance(value, kind):
            raise ValueError(f"{name} is {value!r}; expected {expected}")
        return plain(value)

    return clean


def _numbers(*shape: int) -> Clean:
    """Return a check for finite numbers of a shape; -1 stands for any size but 0."""

    def clean(name: str, value: Any) -> Any:
        array = _array(name, value)
        fits = array.ndim == len(shape) and all(
            size == expected or (expected < 0 and size > 0)
            for size, expected in zip(array.shape, shape, strict=True)
        )
        if not fits or array.dtype.kind not in "iuf" or not np.isfinite(array).all():
            sizes = ", ".join("any" if size < 0 else str(size) for size in shape)
            comma = "," if len(shape) == 1 else ""
            raise ValueError(
                f"{name} is {value!r}; expected finite numbers of shape ({sizes}{comma})"
            )
        return array.astype(float).tolist()

    return clean


#: Two numbers, one or more numbers, vectors of two, and a matrix.
vector, numbers, vectors, matrix = _numbers(2), _numbers(-1), _numbers(-1, 2), _numbers(-1, -1)
flag = _instance((bool, np.bool_), bool, "True or False")
text = _instance(str, str, "text")
mapping = _instance(Mapping, dict, "data by name")


def arrays(name: str, value: Any) -> dict[str, Any]:
    """Return arrays of numbers by name."""
    parts = mapping(name, value).items()
    return {key: np.asarray(array, dtype=float).tolist() for key, array in parts}


def mask(name: str, value: Any) -> list[list[bool]]:
    """Return a boolean matrix, True = may attend."""
    array = _array(name, value)
    if array.dtype != np.bool_ or array.ndim != 2 or not array.size:
        raise ValueError(
            f"{name} has dtype {array.dtype} and shape {array.shape}; "
            "expected booleans of shape (num_queries, num_keys), True = may attend"
        )
    return list(array.tolist())


def between(low: float, high: float) -> Clean:
    """Return a check for one number from ``low`` to ``high``."""

    def clean(name: str, value: Any) -> float:
        array = _array(name, value)
        if array.shape != () or array.dtype.kind not in "iuf" or not low <= float(array) <= high:
            raise ValueError(f"{name} is {value!r}; expected a number from {low} to {high}")
        return float(array)

    return clean


def count(name: str, value: Any) -> int:
    """Return a whole number that is not negative."""
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name} is {value!r}; expected a whole number, 0 or more")
    return int(value)


def counts(name: str, value: Any) -> list[int]:
    """Return a list of whole numbers that are not negative."""
    if not isinstance(value, (list, tuple, np.ndarray)):
        raise ValueError(f"{name} is {value!r}; expected a list of whole numbers")
    return [count(name, number) for number in value]


def whole(low: int, high: int) -> Clean:
    """Return a check for a whole number from ``low`` to ``high``."""

    def clean(name: str, value: Any) -> int:
        number = count(name, value)
        if not low <= number <= high:
            raise ValueError(f"{name} is {number}; expected {low} to {high:,}")
        return number

    return clean


def words(name: str, value: Any) -> list[str]:
    """Return a list of strings, such as tokens."""
    if isinstance(value, str) or not all(isinstance(word, str) for word in value):
        raise ValueError(f"{name} is {value!r}; expected a list of words")
    return list(value)


def _array(name: str, value: Any) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths: {value!r}") from None

"""Make answers that solve nothing: constants, echoed arguments, counted calls."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Any

import numpy as np

#: Values that a check may tell from others by ``is``, and all.
_SINGLE = (None, True, False)
_VALUES: tuple[Any, ...] = (
    *(*_SINGLE, 0, 1, 0.0, 1.0, float("nan")),
    *([], {}, "", "a", (0, 0), np.array([])),
)
#: What arrays are filled with, by its name in messages: a number, or what makes it for a shape.
_FILLS: Mapping[str, Any] = {
    "zeros": 0.0,
    "ones": 1.0,
    "equal shares": lambda shape: 1 / max(*shape[-1:], 1) if shape else 1.0,
    "an array of False": False,
    "an array of True": True,
}
#: Lengths of the cycles in which calls are counted.
_CYCLES = (2, 3)


@dataclass(frozen=True)
class Call:
    """One call of the model solution; a variable has one without arguments."""

    arguments: tuple[Any, ...]
    result: Any


#: What is returned for the arguments of one call.
Function = Callable[[Sequence[Any]], Any]
#: Makes it anew for a check, whose calls of the model solution it is given.
Answer = Callable[[Sequence[Call]], Function]


def that_need_no_look() -> dict[str, Answer]:
    """Return the answers, by their names, that a check may tell apart without touching a value."""
    errors = {
        f"an error at {which}": partial(_counting, partial(_refuse, is_due))
        for which, is_due in _cycles()
    }
    return {**{repr(value): partial(_always, value) for value in _SINGLE}, **errors}


def constants() -> dict[str, Answer]:
    """Return answers that are always the same, by their names, or at least of the right shape."""
    made: dict[str, Answer] = {repr(value): partial(_always, value) for value in _VALUES}
    for what, fill in _FILLS.items():
        made[f"{what} in the right shape"] = partial(_in_shape, fill)
    return made | {"random numbers in the right shape": _noise}


def echoes(num_arguments: int) -> dict[str, Answer]:
    """Return answers that give back what they were given, by their names."""
    made: dict[str, Answer] = {}
    for place in range(num_arguments):
        which = f"argument {place + 1}"
        made[which] = partial(_echo, place, lambda value: value)
        made[f"a copy of {which}"] = partial(_echo, place, copy.deepcopy)
        for what, fill in _FILLS.items():
            made[f"{what} in the shape of {which}"] = partial(_echo, place, partial(_full, fill))
    return made | {"all arguments": lambda _: tuple}


def counts() -> dict[str, Answer]:
    """Return answers that only count their calls, by their names."""
    made: dict[str, Answer] = {"the number of calls": partial(_counting, int)}
    for which, is_due in _cycles():
        made[f"True at {which}"] = partial(_counting, is_due)
        made[f"False at {which}"] = partial(_counting, partial(_is_other, is_due))
    return made


def _always(value: Any, _: Sequence[Call]) -> Function:
    return lambda arguments: copy.copy(value)


def _echo(place: int, change: Callable[[Any], Any], _: Sequence[Call]) -> Function:
    return lambda given: change(given[place]) if place < len(given) else None


def _in_shape(fill: Any, calls: Sequence[Call]) -> Function:
    """Return results that have the shapes of the model solution's, one after the other."""
    results = [call.result for call in calls] or [None]
    place = count()
    return lambda _: _full(fill, results[min(next(place), len(results) - 1)], keep_type=True)


def _full(fill: Any, like: Any, *, keep_type: bool = False) -> Any:
    """Return what has the same parts and shapes as ``like``, and one number everywhere."""
    if isinstance(like, tuple | list):
        return type(like)([_full(fill, part, keep_type=keep_type) for part in like])
    shape = np.shape(like)
    number = fill(shape) if callable(fill) else fill
    if hasattr(like, "new_tensor"):  # a tensor of PyTorch
        filled = like.new_tensor(np.full(shape, number))
        return filled == 1 if isinstance(number, bool) else filled
    has_type = keep_type and not callable(fill) and not isinstance(fill, bool)
    return np.full(shape, number, dtype=getattr(like, "dtype", None) if has_type else None)


def _noise(calls: Sequence[Call]) -> Function:
    return _in_shape(np.random.default_rng(0).random, calls)


def _counting(answer: Callable[[int], Any], _: Sequence[Call]) -> Function:
    numbers = count()
    return lambda arguments: answer(next(numbers))


def _cycles() -> Iterator[tuple[str, Callable[[int], bool]]]:
    for cycle in _CYCLES:
        for start in range(cycle):
            yield f"every call {start + 1} of {cycle}", partial(_is_due, cycle, start)


def _is_due(cycle: int, start: int, number: int) -> bool:
    return number % cycle == start


def _is_other(is_due: Callable[[int], bool], number: int) -> bool:
    return not is_due(number)


def _refuse(is_due: Callable[[int], bool], number: int) -> None:
    assert not is_due(number), "counted"

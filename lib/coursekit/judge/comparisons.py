"""Compare an answer with the right value, and with those that mistakes give at the same place.

A check compares an answer's values one after the other, always in the same order. So the number of
a comparison within its check says which it is, and what a mistake gives there can be known before
an answer comes: :mod:`coursekit.bank.mistakes` runs the mistakes and records the comparisons. What
is handed out are prints of these values and no formula, so it tells nobody how to compute the right
one.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coursekit.judge.resemblance import is_close
from coursekit.judge.which import which

Array = NDArray[Any]
#: How many sums stand for an array, beside its shape; of two mistakes at once, of which there are
#: many, for its sake.
_SUMS, _SUMS_OF_TWO = 3, 2
#: Joins the ids of two mistakes that an answer makes at once.
AND = "+"
#: What stands in the sums for numbers that are none.
_INF, _NAN = 7.3, 11.9
#: Larger numbers are taken for this one: the sums are kept in single precision.
_LARGEST = 1e30


@dataclass(frozen=True)
class Comparison:
    """One comparison that a check made of an answer's value.

    Attributes
    ----------
    number : int
        Its place among those of its check, from 0.
    value, expected : array
        What the answer gave, and what is right.
    atol, rtol : float
        Absolute and relative tolerance.
    """

    number: int
    value: Array
    expected: Array
    atol: float
    rtol: float

    @property
    def is_right(self) -> bool:
        """Whether the value passes."""
        with np.errstate(over="ignore"):
            return is_close(self.value, self.expected, self.atol, self.rtol)


@dataclass(frozen=True)
class Print:
    """What an array is recognised by: its shape and weighted sums of its numbers.

    Two arrays that are equal within tolerance have prints that are; that others have needs a
    coincidence in each of the sums.
    """

    shape: tuple[int, ...]
    sums: tuple[float, ...]

    def fits(self, seen: Comparison) -> bool:
        """Return whether a value that was compared has this print, within tolerance.

        The tolerances of a large array add up to more than what some mistakes change. They rarely
        all point one way; and the value has to be far nearer to the print than to what is right.
        """
        if seen.value.shape != self.shape:
            return False
        numbers = _numbers(seen.value)
        weights = _weights(numbers.size)[: len(self.sums)]
        sums = weights @ numbers
        each = np.abs(weights) * (seen.atol + seen.rtol * np.abs(numbers))
        slack = np.minimum(each.sum(axis=1), 3 * np.sqrt((each**2).sum(axis=1)))
        if seen.expected.shape == self.shape:
            away = np.abs(sums - weights @ _numbers(seen.expected))
            slack = np.minimum(slack, 0.1 * away.max())
        # The sums are kept with 7 digits.
        slack += 1e-6 * np.abs(sums) + 1e-12
        return bool((np.abs(sums - self.sums) <= slack).all())

    def is_like(self, other: Print) -> bool:
        """Return whether two prints are of equal arrays."""
        sums, others = zip(*zip(self.sums, other.sums, strict=False), strict=True)
        return self.shape == other.shape and np.allclose(sums, others, rtol=1e-6, atol=1e-6)


def print_of(array: Array) -> Print:
    """Return the print of an array of numbers or booleans."""
    numbers = _numbers(array)
    sums = _weights(numbers.size) @ numbers
    with np.errstate(over="ignore"):  # Wherever an answer is judged, the same digits are there.
        return Print(array.shape, tuple(sums.astype(np.float32).tolist()))


def _numbers(array: Array) -> NDArray[np.float64]:
    flat = np.ravel(array)
    if flat.dtype.kind == "c":
        flat = flat.real + np.sqrt(3) * flat.imag
    numbers = np.array(flat, float)
    numbers = np.nan_to_num(numbers, copy=False, nan=_NAN, posinf=_INF, neginf=-_INF)
    return np.asarray(np.clip(numbers, -_LARGEST, _LARGEST))


@lru_cache(maxsize=256)
def _weights(size: int) -> NDArray[np.float64]:
    """Return the weights of the sums, shape (_SUMS, size): no two numbers have the same."""
    places = np.arange(1, size + 1)
    return np.cos(np.outer(np.sqrt([2.0, 3.0, 5.0]), places))


@dataclass(frozen=True)
class Known:
    """What the mistakes of an exercise give in the comparisons of one check.

    Attributes
    ----------
    at : mapping of int to sequence of (float, str, Print)
        By a comparison's number: the first sum of what is right there, a mistake's id, and the
        print of its value. The check may have gone another way with a mistake, and compared
        something else; what was right tells.
    """

    at: Mapping[int, Sequence[tuple[float, str, Print]]] = field(default_factory=dict)

    @property
    def ids(self) -> tuple[str, ...]:
        """The mistakes that can be told here."""
        return tuple(dict.fromkeys(id for entries in self.at.values() for _, id, _ in entries))

    @property
    def told_apart(self) -> tuple[str, ...]:
        """The mistakes that have a value somewhere which no other one has there."""
        apart: dict[str, None] = {}
        for entries in self.at.values():
            single = [entry for entry in entries if AND not in entry[1]]
            for expected, id, made in single:
                if {id} == {other for _, other, _ in _alike(single, expected, made)}:
                    apart[id] = None
        return tuple(apart)

    def which(self, seen: Comparison) -> str | None:
        """Return the mistake whose value an answer has, if that of no other one.

        Where several have it, those are left out with which the check would have failed before; two
        mistakes at once count where no single one gives the value.
        """
        if seen.value.dtype.kind in "fc" and seen.value.size and np.isnan(seen.value).all():
            return None
        right = print_of(seen.expected).sums[0]
        near = 1e-5 * (1 + abs(right))
        prints: dict[str, list[Print]] = {}
        for expected, id, made in self.at.get(seen.number, ()):
            if abs(expected - right) <= near:
                prints.setdefault(id, []).append(made)

        def fits(of: Sequence[Print]) -> bool:
            return any(made.fits(seen) for made in of)

        fitting = {id: of for id, of in prints.items() if fits(of)}
        single = {id: of for id, of in fitting.items() if AND not in id}
        failed = {id for n, entries in self.at.items() if n < seen.number for _, id, _ in entries}
        possible = {id: of for id, of in (single or fitting).items() if id not in failed}
        return which(possible or single or fitting, lambda of: True)

    def as_data(self) -> list[Any]:
        """Return it ready for JSON: for each comparison ids, shapes, and sums in Base64."""
        data = []
        for number, entries in self.at.items():
            for right, size in dict.fromkeys((e, len(made.sums)) for e, _, made in entries):
                of = [(id, m) for e, id, m in entries if (e, len(m.sums)) == (right, size)]
                shapes = [list(made.shape) for _, made in of]
                sums = np.array([right, *(s for _, made in of for s in made.sums)], "<f4")
                data.append(
                    [
                        number,
                        " ".join(id for id, _ in of),
                        shapes if any(shape != shapes[0] for shape in shapes) else shapes[:1],
                        base64.b64encode(sums.tobytes()).decode("ascii"),
                    ]
                )
        return data

    @classmethod
    def from_data(cls, data: Sequence[Any]) -> Known:
        """Return what `as_data` was given."""
        at: dict[int, list[tuple[float, str, Print]]] = {}
        for number, words, shapes, text in data:
            ids = words.split()
            right, *sums = np.frombuffer(base64.b64decode(text), "<f4").tolist()
            shapes = shapes if len(shapes) > 1 else shapes * len(ids)
            size = len(sums) // len(ids)
            prints = (
                Print(tuple(shape), tuple(sums[size * i : size * (i + 1)]))
                for i, shape in enumerate(shapes)
            )
            entries = [(right, id, made) for id, made in zip(ids, prints, strict=True)]
            at.setdefault(number, []).extend(entries)
        return cls(at)


def known_from(
    runs: Mapping[str, Sequence[Sequence[Comparison]]],
    pairs: Mapping[str, Sequence[Comparison]] | None = None,
    named: Collection[str] = (),
) -> Known:
    """Return what mistakes give, from the comparisons of the answers that make each of them.

    ``pairs`` are the comparisons of the answers that make two at once. Of these, what counts is the
    first value that is not right, if none of the single ones gives it. Mistakes in ``named`` are
    told by the check itself, and give way to others with the same value.
    """
    at: dict[int, list[tuple[float, str, Print]]] = {}
    for id, answers in runs.items():
        for seen in (comparison for answer in answers for comparison in answer):
            if not seen.is_right and _is_value(seen.value):
                entry = (print_of(seen.expected).sums[0], id, print_of(seen.value))
                if entry not in (entries := at.setdefault(seen.number, [])):
                    entries.append(entry)
    for number, entries in at.items():
        at[number] = [
            (right, id, made)
            for right, id, made in entries
            if id not in named or {id} == {other for _, other, _ in _alike(entries, right, made)}
        ]
    for id, answer in (pairs or {}).items():
        first = next((each for each in answer if not each.is_right), None)
        if first and _is_value(first.value) and first.value.shape == first.expected.shape:
            right, made = print_of(first.expected).sums[0], print_of(first.value)
            entries = at.setdefault(first.number, [])
            single = [each for each in entries if AND not in each[1]]
            if not _alike(single, right, made):
                entries.append((right, id, Print(made.shape, made.sums[:_SUMS_OF_TWO])))
    return Known(dict(sorted(at.items())))


def _alike(
    entries: Sequence[tuple[float, str, Print]], right: float, made: Print
) -> list[tuple[float, str, Print]]:
    """Return the entries with the same value, where the same is right."""
    return [
        entry
        for entry in entries
        if np.isclose(entry[0], right, rtol=1e-5) and entry[2].is_like(made)
    ]


def _is_value(array: Array) -> bool:
    return array.dtype.kind not in "fc" or not array.size or not np.isnan(array).all()


@dataclass
class Comparing:
    """The comparisons of the check that runs.

    Attributes
    ----------
    known : callable, optional
        Returns what mistakes give; called where an answer is wrong.
    goes_on : bool
        True: the check goes on after what is wrong, so that all its comparisons are recorded.
    made : list of Comparison
        Those that were recorded.
    """

    known: Callable[[], Known] | None = None
    goes_on: bool = False
    count: int = 0
    made: list[Comparison] = field(default_factory=list)


_running: ContextVar[Comparing | None] = ContextVar("comparisons", default=None)


@contextmanager
def comparing(
    known: Callable[[], Known] | None = None, goes_on: bool = False
) -> Iterator[Comparing]:
    """Number the comparisons of a check, and let it know what mistakes give."""
    state = Comparing(known, goes_on)
    token = _running.set(state)
    try:
        yield state
    finally:
        _running.reset(token)


def goes_on() -> bool:
    """Return whether the check that runs goes on after what is wrong."""
    state = _running.get()
    return state is not None and state.goes_on


def compared(value: Array, expected: Array, atol: float = 0.0, rtol: float = 0.0) -> Comparison:
    """Return a comparison of the check that runs, with its number."""
    state = _running.get()
    seen = Comparison(state.count if state else 0, value, expected, atol, rtol)
    if state is not None:
        state.count += 1
        if state.goes_on:
            state.made.append(
                Comparison(seen.number, np.array(value), np.array(expected), atol, rtol)
            )
    return seen


def mistake_in(seen: Comparison) -> str | None:
    """Return the mistake that a wrong value shows, if one alone is known to give it."""
    state = _running.get()
    return state.known().which(seen) if state and state.known else None

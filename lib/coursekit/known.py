"""What the known mistakes give wherever a check compares, and which of them an answer shows.

A check runs on each mistake of its exercise, on the same inputs as on the answer, and what it
compares is noted: a *place* for each comparison, with a print of the right value and of what each
mistake gives there. An answer that is wrong at a place is told a mistake that has its value.
Pages and notebooks carry the prints, so no mistake has to be run there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coursekit.which import in_common

#: Shape, whether it holds truth values, a sum that tells where it is not finite, and two sums of
#: its numbers. Those of two values that differ agree within a tolerance with a probability of about
#: its square.
Print = Sequence[Any]


@dataclass(frozen=True)
class Place:
    """The comparison after ``at`` others: the print of the right value, and those of mistakes."""

    at: int
    right: Print
    mistakes: dict[int, Print]


@dataclass(frozen=True)
class Known:
    """What is known of a check: for each mistake its ids, the one that it is for first."""

    ids: Sequence[Sequence[str]] = ()
    places: Sequence[Place] = ()

    def fitting(self, at: int, seen: Print, right: Print, tolerance: float) -> list[int]:
        """Return each mistake that has this value, or shape, at a place.

        An answer that came so far was right before: a mistake that was wrong at an earlier place
        counts only where no other has the value. None counts where the check compares another right
        value than the one that is known, as with the random numbers of another NumPy.
        """
        here = self._at(at, right, tolerance)
        fits = [m for m, wrong in here.items() if _agree(seen, wrong, tolerance)]
        before = {m for p in self.places if p.at < at for m in p.mistakes}
        return [m for m in fits if m not in before] or fits

    def gives(self, mistake: int, at: int, right: Print, tolerance: float) -> Print:
        """Return what a mistake gives at a place."""
        return self._at(at, right, tolerance).get(mistake, right)

    def _at(self, at: int, right: Print, tolerance: float) -> dict[int, Print]:
        here = (p for p in self.places if p.at == at and _agree(right, p.right, tolerance))
        return {mistake: seen for place in here for mistake, seen in place.mistakes.items()}

    def as_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        places = [
            [p.at, p.right, [[m, *seen] for m, seen in p.mistakes.items()]] for p in self.places
        ]
        return {"ids": [list(names) for names in self.ids], "places": places}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Known:
        """Return what `as_json` was given."""
        places = [
            Place(at, right, {m: p for m, *p in wrong}) for at, right, wrong in data["places"]
        ]
        return cls(data["ids"], places)


@dataclass
class Run:
    """One run of a check, in which a place follows the other.

    A run that is ``noted`` refuses nothing; what comes of it is in ``seen``: for each place the
    prints of what was seen and of what is right, and the tolerance. ``again`` is a noted run of the
    same check on the same answer.
    """

    known: Callable[[], Known] | None = None
    is_noted: bool = False
    seen: list[tuple[Print, Print, float]] = field(default_factory=list)
    again: Callable[[], Run] | None = None

    def named(self) -> str | None:
        """Return the mistake that the value at the last place shows, if it shows one.

        It is the id that all mistakes with this value have in common. Where they have none in
        common, those are left that have the answer's values at all later places, too.
        """
        known, at = self.known() if self.known else Known(), len(self.seen) - 1
        fits = known.fitting(at, *self.seen[at])
        id = in_common([known.ids[m] for m in fits])
        if id or len(fits) < 2 or not self.again:
            return id
        later = [*enumerate(self.again().seen)][at + 1 :]
        return in_common(
            [
                known.ids[m]
                for m in fits
                if all(_agree(s, known.gives(m, k, r, tol), tol) for k, (s, r, tol) in later)
            ]
        )


_run: ContextVar[Run] = ContextVar("run")


def current() -> Run:
    """Return the run of a check that is going on; outside of one, a run that knows nothing."""
    return _run.get(Run())


@contextmanager
def running(run: Run) -> Iterator[Run]:
    """Let the comparisons in the block find this run."""
    token = _run.set(run)
    try:
        yield run
    finally:
        _run.reset(token)


def known_from(runs: Iterable[tuple[Sequence[str], Run]]) -> Known:
    """Return what is known from noted runs of the mistakes, each with its ids."""
    ids: list[Sequence[str]] = []
    places: dict[str, Place] = {}
    for names, run in runs:
        wrong = [(at, *each) for at, each in enumerate(run.seen) if not _agree(*each)]
        for at, seen, right, _ in wrong:
            place = places.setdefault(f"{at} {right}", Place(at, right, {}))
            place.mistakes[len(ids)] = seen
        if wrong:
            ids.append(names)
    return Known(ids, list(places.values()))


def print_of(value: NDArray[Any], tolerance: float) -> Print:
    """Return the print of an array, with as many digits as the tolerance asks for."""
    numbers = value.ravel()
    if value.dtype.kind == "c":
        numbers = np.concatenate([numbers.real, numbers.imag])
    numbers = numbers.astype(float)
    kinds = np.isnan(numbers) + 2 * np.isposinf(numbers) + 3.0 * np.isneginf(numbers)
    finite = np.where(kinds == 0, numbers, 0.0)
    digits = 2 - math.floor(math.log10(max(tolerance, 1e-15)))
    sums = [round(float(w @ finite), digits) for w in _weights(numbers.size)]
    where: float | None = round(float(_weights(numbers.size)[0] @ kinds), 6)
    if numbers.size and (kinds == 1).all():
        where = None  # an answer of NaN alone does not tell how it came about
    return [list(value.shape), value.dtype.kind == "b", where, *sums]


def shape_print(shape: Sequence[int]) -> Print:
    """Return the print of a shape alone."""
    return [[int(size) for size in shape], None, 0.0, 0.0, 0.0]


def _agree(one: Print, other: Print, tolerance: float) -> bool:
    """Return whether two prints may be of values that agree within the tolerance."""
    if one[2] is None or other[2] is None:
        return False
    return list(one[:2]) == list(other[:2]) and all(
        abs(a - b) <= tolerance + 1e-12 * abs(b) for a, b in zip(one[2:], other[2:], strict=True)
    )


def _weights(size: int) -> NDArray[Any]:
    """Return two rows of numbers from -1 to 1, the same on every machine."""
    places = np.arange(1, size + 1, dtype=np.uint64)
    factors = np.array([[2654435761], [2246822519]], dtype=np.uint64)
    numbers = places * factors % np.uint64(2**32)
    # Mixed, so that the sums of two regular arrays do not agree: the products alone are linear.
    numbers ^= numbers >> np.uint64(15)
    numbers = numbers * np.uint64(0x2C1B3C6D) % np.uint64(2**32)
    numbers ^= numbers >> np.uint64(12)
    return numbers.astype(float) / 2**31 - 1

"""Which mistakes the checks of an exercise name: ``coursekit check --mistakes``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

import numpy as np

from coursekit._expect import Comparison, recording
from coursekit.model import Exercise
from coursekit.selftest.answers import check_answer


class Naming(Enum):
    """What an exercise does with a mistake; the value is its sign in the table."""

    BY_ANSWER = "●"
    BY_VALUE = "○"
    NOT_NAMED = "✗"
    NOT_MADE = "–"

    @property
    def meaning(self) -> str:
        """The line of the table's legend."""
        return {
            Naming.BY_ANSWER: "named: an edit of the solution makes it, and a check tells so",
            Naming.BY_VALUE: "named: an answer with the value that it gives is told so",
            Naming.NOT_NAMED: "not named: it can be made, and no check tells it from another one",
            Naming.NOT_MADE: "does not apply: with the checks' arguments it cannot be computed, or "
            "gives the right result",
        }[self]


def namings(exercise: Exercise) -> dict[str, Naming]:
    """Return what the checks of a code exercise do with each mistake, by its id.

    The mistakes are those that its checks try, shared ones and its own, and those that edits of the
    solution make. Nothing is taken on trust: the edits are run, and the value that a mistake gives
    is compared as an answer would be.
    """
    with recording() as comparisons:
        check_answer(exercise, exercise.solution)
    tried = dict.fromkeys(id for comparison in comparisons for id in comparison.mistakes)
    found = {id: _by_value(id, comparisons) for id in tried}
    reported = _reported(exercise)
    for wrong in exercise.wrong.values():
        found.setdefault(wrong.misconception, Naming.NOT_NAMED)
    return found | dict.fromkeys(reported & set(found), Naming.BY_ANSWER)


def _by_value(id: str, comparisons: Sequence[Comparison]) -> Naming:
    can_be_made = False
    for comparison in comparisons:
        value = comparison.mistakes.get(id)
        if value is None or (value.dtype.kind in "fc" and np.isnan(value).all()):
            continue
        if comparison.names(value) == id:
            return Naming.BY_VALUE
        can_be_made |= not comparison.accepts(value)
    return Naming.NOT_NAMED if can_be_made else Naming.NOT_MADE


def _reported(exercise: Exercise) -> set[str]:
    """Return the mistakes that checks report of the answers that make them."""
    reported = set()
    for wrong in exercise.wrong.values():
        answer = check_answer(exercise, wrong.code)
        if wrong.misconception in {verdict.misconception for verdict in answer.verdicts}:
            reported.add(wrong.misconception)
    return reported


def table(exercises: Mapping[str, Mapping[str, Naming]]) -> Iterator[str]:
    """Yield the lines of a table: a row for each mistake, a column for each exercise.

    Parameters
    ----------
    exercises : mapping of str to mapping of str to Naming
        By the exercise's id, its `namings`.
    """
    columns = [len(str(number)) for number in range(1, len(exercises) + 1)]
    yield from (f"{number:>3} {id}" for number, id in enumerate(exercises, 1))
    ids = list(dict.fromkeys(id for found in exercises.values() for id in found))
    width = max(map(len, ids), default=0)
    yield f"{'':<{width}}  " + "  ".join(str(i) for i in range(1, len(exercises) + 1))
    for id in sorted(ids):
        signs = (found[id].value if id in found else "" for found in exercises.values())
        cells = (f"{sign:>{size}}" for sign, size in zip(signs, columns, strict=True))
        yield f"{id:<{width}}  {'  '.join(cells)}".rstrip()

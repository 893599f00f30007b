"""``coursekit check --mistakes``: print which mistakes the checks of an exercise name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from coursekit.bank.mistakes import known, wrong_answers
from coursekit.bank.model import Exercise
from coursekit.selftest.answers import check_answer


class Naming(Enum):
    """What an exercise does with a mistake; the value is its sign in the table."""

    BY_ANSWER = "●"
    BY_VALUE = "○"
    NOT_NAMED = "✗"

    @property
    def meaning(self) -> str:
        """The line of the table's legend."""
        return {
            Naming.BY_ANSWER: "named: an answer of the file makes it, and a check tells so",
            Naming.BY_VALUE: "named: an answer with the value that it gives is told so",
            Naming.NOT_NAMED: "not named: it can be made, and no check tells it from another one",
        }[self]


def namings(exercise: Exercise) -> dict[str, Naming]:
    """Return what the checks of a code exercise do with each mistake, by its id.

    The mistakes are its own and the shared ones that can be made in the calls of its checks.
    Nothing is taken on trust: the answers of its own are run, and the values of shared ones are
    looked up as an answer's would be.
    """
    tables = [known(exercise, check) for check in exercise.checks]
    shared = {id for table in tables for id in table.ids} - set(exercise.mistakes)
    alone = {id for table in tables for id in table.told_apart}
    found = {id: Naming.BY_VALUE if id in alone else Naming.NOT_NAMED for id in sorted(shared)}
    reported = _reported(exercise)
    for id in exercise.mistakes:
        found[id] = Naming.BY_ANSWER if id in reported else Naming.NOT_NAMED
    return found


def _reported(exercise: Exercise) -> set[str]:
    """Return the mistakes that checks report of the answers that make them."""
    return {
        wrong.mistake
        for wrong in wrong_answers(exercise).values()
        if wrong.mistake
        in {verdict.misconception for verdict in check_answer(exercise, wrong.code).verdicts}
    }


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

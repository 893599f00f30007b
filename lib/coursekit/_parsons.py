"""Parsons problems: put given lines in order, and leave out those that do not belong.

A line has a letter. In an answer ``"c"`` is line c at the margin, ``">c"`` the same line indented
once. Several orders may be right. Partial credit is for what would stay if the answer were edited
into the nearest right order: every line that is missing, wrongly placed or too much costs one
line's share, so that a line in the wrong place costs two. Less than half earns nothing, or one line
that is guessed would earn something.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any, ClassVar

from coursekit._expect import CheckFailed
from coursekit.checks import RIGHT, Check, check_of_question
from coursekit.orders import Order, are_few, common, in_order, missing, next_line
from coursekit.verdict import NOT_STARTED
from coursekit.which import in_common

_ENTRY = re.compile(r"(>*)\s*([a-z])\Z")
#: An answer that would earn a smaller share of the points earns none.
LEAST_CREDIT = 0.5
#: Width of one level of indentation in assembled text (spaces).
_INDENT = 4


@dataclass(frozen=True, kw_only=True)
class Parsons:
    """Lines to put in order; ``name`` is the variable that holds the list of letters.

    Attributes
    ----------
    lines : mapping of str to str
        Letter to text, in the order in which they are shown.
    orders : tuple of tuple of str
        All right answers, the usual one first.
    mistakes : mapping of str to tuple of str
        A misconception's id to a pattern: lines that stand in this order in every answer that
        shows it, with others between them or not. In a pattern ``"c"`` is line c at any
        indentation, ``">c"`` indented once, ``"|c"`` at the margin. The pattern ``"!c"`` is an
        answer without line c that has more lines than it lacks.
    works : callable, optional
        Whether lines in some order, given as one text, do what is asked. The self-test tries it
        on right orders and on others.
    """

    kind: ClassVar = "parsons"

    name: str
    statement: str
    lines: Mapping[str, str]
    orders: tuple[Order, ...]
    mistakes: Mapping[str, Order] = field(default_factory=dict)
    success_message: str = RIGHT
    failure_message: str = ""
    points: float = 1.0
    works: Callable[[str], bool] | None = None

    @property
    def answer(self) -> list[str]:
        """The usual right order."""
        return list(self.orders[0])

    @property
    def is_indented(self) -> bool:
        """Whether a right order has an indented line."""
        return any(depth_of(entry) for order in self.orders for entry in order)

    @property
    def distractors(self) -> tuple[str, ...]:
        """The letters of the lines that stand in no right order."""
        used = {entry[-1] for order in self.orders for entry in order}
        return tuple(letter for letter in self.lines if letter not in used)

    @property
    def answer_form(self) -> str:
        """What an answer looks like, for the comment beside it."""
        first, second = [*self.lines][:2]
        more = f'; ">{second}" is {second} indented once' if self.is_indented else ""
        return f'the letters in order, such as ["{first}", "{second}"]{more}'

    @property
    def known_mistakes(self) -> list[tuple[Any, str]]:
        """Wrong answers, each with the misconception that it shows."""
        return [(example, id) for id in self.mistakes if (example := self.example(id))]

    @property
    def messages(self) -> dict[str, str]:
        """All that may be said of an answer, by the name of the argument that says it."""
        return {"success_message": self.success_message, "failure_message": self.failure_message}

    def grade(self, answer: Any) -> None:
        """Raise `CheckFailed`, with partial credit, unless the answer is one of the orders."""
        placed = as_lines(answer, self.lines, is_indented=self.is_indented)
        if placed in self.orders:
            return
        message = " ".join((*self._told(placed), self.failure_message))
        raise CheckFailed(message.strip(), self.mistake_in(placed), credit=self.credit(placed))

    def mistake_in(self, placed: Order) -> str | None:
        """Return the misconception whose pattern the answer has: of several patterns the first."""
        first = next((p for p in self.mistakes.values() if self._shows(p, placed)), None)
        return in_common([[id] for id, pattern in self.mistakes.items() if pattern == first])

    def _shows(self, pattern: Order, placed: Order) -> bool:
        if pattern[0][0] == "!" and not are_few(missing(self.orders, placed), placed):
            return False
        if any(entry[0] == "|" for entry in pattern) and self._is_flat(placed):
            return False  # that no line is indented says more
        return occurs(pattern, placed)

    def _is_flat(self, placed: Order) -> bool:
        """Return whether no line is indented, and several of them should be."""
        deep = {entry[-1] for order in self.orders for entry in order if depth_of(entry)}
        return not any(map(depth_of, placed)) and sum(entry in deep for entry in placed) > 1

    def credit(self, placed: Order) -> float:
        """Return the share of the points that the nearest right order leaves: 0, or ½ to 1."""

        def share(order: Order) -> float:
            edits = len(order) + len(placed) - 2 * common(order, placed)
            return 1 - edits / len(order)

        most = max(map(share, self.orders))
        return most if most >= LEAST_CREDIT else 0.0

    def example(self, id: str) -> list[str] | None:
        """Return an answer that is told this misconception, or None where there is none."""
        return next((list(o) for o in self._tried(id) if self.mistake_in(o) == id), None)

    def text(self, placed: Sequence[str]) -> str:
        """Return the lines in this order, indented, as one text."""
        rows = (" " * (_INDENT * depth_of(p)) + self.lines[p[-1]] for p in placed)
        return "".join(f"{row}\n" for row in rows)

    def check(self) -> Check:
        """Return the check that grades the question."""
        return check_of_question(self.name, self.grade, self.points, self.success_message)

    def as_json(self) -> dict[str, Any]:
        """Return what a page needs to grade the question."""
        return {
            "kind": self.kind,
            "name": self.name,
            "points": self.points,
            "lines": [{"key": letter, "text": text} for letter, text in self.lines.items()],
            "orders": [list(order) for order in self.orders],
            "mistakes": [{"id": id, "pattern": list(p)} for id, p in self.mistakes.items()],
            "success_message": self.success_message,
            "failure_message": self.failure_message,
        }

    def _told(self, placed: Order) -> Iterator[str]:
        """Yield what is true of an answer, in sentences."""
        orders, is_flat = self.orders, self._is_flat(placed)
        if is_flat:
            orders = tuple(tuple(entry[-1] for entry in order) for order in orders)
        yield in_order(orders, placed)
        if placed not in orders:
            yield next_line(orders, placed)
        if is_flat:
            yield "Nothing is indented, and some of these lines belong inside of others."

    def _tried(self, id: str) -> Iterator[Order]:
        """Yield answers that have a mistake's pattern: right orders with its lines moved."""
        letters = {entry[-1] for entry in self.mistakes[id]}
        for order in self.orders:
            usual = {entry[-1]: entry for entry in order}
            own = [
                entry[1:] if entry[0] == "|" else usual.get(entry, entry)
                for entry in self.mistakes[id]
                if entry[0] != "!"
            ]
            rest = tuple(entry for entry in order if entry[-1] not in letters)
            for places in combinations_with_replacement(range(len(rest) + 1), len(own)):
                yield _inserted(rest, own, places)


def depth_of(entry: str) -> int:
    """Return how often a line is indented."""
    return entry.count(">")


def occurs(pattern: Order, placed: Order) -> bool:
    """Return whether an answer has the lines of a pattern in the pattern's order."""
    if pattern[0][0] == "!":
        return all(entry[-1] != pattern[0][-1] for entry in placed)
    rest = iter(placed)
    return all(any(_fits(p, entry) for entry in rest) for p in pattern)


def as_lines(
    answer: Any, letters: Mapping[str, str] | Sequence[str], *, is_indented: bool
) -> Order:
    """Return an answer as a tuple such as ``("c", ">a")``, or raise `CheckFailed`."""
    if answer is Ellipsis or (isinstance(answer, list | tuple | str) and not len(answer)):
        raise CheckFailed("No answer yet.", NOT_STARTED)
    entries = answer.replace(",", " ").split() if isinstance(answer, str) else answer
    if not isinstance(entries, list | tuple):
        raise CheckFailed(
            f"Your answer is of type {type(answer).__name__}; expected a list of letters."
        )
    placed = tuple(_as_entry(entry, [*letters]) for entry in entries)
    keys = [entry[-1] for entry in placed]
    if twice := sorted({key for key in keys if keys.count(key) > 1}):
        raise CheckFailed(
            f"Line {twice[0]} stands in your answer twice; use it once or not at all."
        )
    if not is_indented and any(map(depth_of, placed)):
        raise CheckFailed('No line is indented here; write the letters without ">".')
    return placed


def show_lines(placed: Sequence[str]) -> str:
    """Return an answer as a message prints it, which is also how a learner writes it."""
    return json.dumps(list(placed))


def _as_entry(entry: Any, letters: list[str]) -> str:
    match = _ENTRY.match(entry.strip().lower()) if isinstance(entry, str) else None
    if match is None or match[2] not in letters:
        raise CheckFailed(f"{entry!r} is none of the lines; expected some of {', '.join(letters)}.")
    return match[1] + match[2]


def _fits(pattern: str, entry: str) -> bool:
    return entry == pattern.removeprefix("|") or (len(pattern) == 1 and entry[-1] == pattern)


def _inserted(rest: Order, entries: Sequence[str], places: Sequence[int]) -> Order:
    made = list(rest)
    for entry, place in reversed([*zip(entries, places, strict=True)]):
        made.insert(place, entry)
    return tuple(made)

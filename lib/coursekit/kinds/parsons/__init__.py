"""Ask to put given lines in order, and to leave out those that do not belong: Parsons problems.

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
from itertools import combinations_with_replacement, pairwise
from typing import Any, ClassVar, Self

from coursekit.errors import DefinitionError
from coursekit.judge.checks import RIGHT
from coursekit.judge.drawn import code_lines
from coursekit.judge.expect import CheckFailed
from coursekit.judge.verdict import NOT_STARTED
from coursekit.judge.which import which
from coursekit.kinds.base import Listed, WithMistakes, earned_share, variable
from coursekit.kinds.parsons.defects import order_defects
from coursekit.kinds.parsons.orders import (
    Order,
    common,
    depth_of,
    few_missing,
    first_wrong,
    occurs,
    told,
)

_ENTRY = re.compile(r"(>*)\s*([a-z])\Z")
#: Width of one level of indentation in assembled text (spaces).
_INDENT = 4


@dataclass(frozen=True, kw_only=True)
class Parsons(WithMistakes):
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
    absent : mapping of str to str
        What a needed line does, by its letter, as the subject of a sentence ("the scale"): said
        where the line is missing.
    works : callable, optional
        Whether lines in some order, given as one text, do what is asked. The self-test tries it
        on right orders and on others.
    """

    kind: ClassVar[str] = "parsons"
    declared_with: ClassVar[tuple[str, ...]] = ("parsons",)
    minutes: ClassVar[float] = 6.0
    task: ClassVar[str] = "lines to order"
    is_card: ClassVar[bool] = False
    not_graded: ClassVar[frozenset[str]] = frozenset({"works"})

    lines: Mapping[str, str]
    orders: tuple[Order, ...]
    absent: Mapping[str, str] = field(default_factory=dict)
    failure_message: str = ""
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
    def answer_text(self) -> str:
        """The correct answer as MyST, for a card."""
        return f"```\n{self.text(self.orders[0])}```"

    @property
    def lists(self) -> tuple[Listed, ...]:
        """The lines to put in order."""
        return (Listed("ck-given", self.lines, is_code=True, on_paper="ck-write"),)

    @property
    def how_to_write(self) -> str:
        """How to write an answer in a notebook, where its form needs a sentence. MyST."""
        if not self.is_indented:
            return ""
        return 'For each level of indentation put `>` before the letter, as in `">a"`.'

    @property
    def known_mistakes(self) -> list[tuple[Any, str]]:
        """Wrong answers, each with the misconception that it shows."""
        return [(example, id) for id in self.mistakes if (example := self.example(id))]

    def grade(self, answer: Any) -> None:
        """Raise `CheckFailed`, with partial credit, unless the answer is one of the orders."""
        placed = as_lines(answer, self.lines, is_indented=self.is_indented)
        if placed in self.orders:
            return
        message = " ".join((*self._told(placed), self.failure_message))
        picture = code_lines(
            self.text(placed).splitlines(), first_wrong(self._told_by(placed), placed)
        )
        raise CheckFailed(
            message.strip(), self.mistake_in(placed), credit=self.credit(placed), drawing=picture
        )

    @property
    def form(self) -> dict[str, Any]:
        """The letters of the lines, and whether some are indented."""
        return {"lines": list(self.lines), "is_indented": self.is_indented}

    @classmethod
    def echo(cls, value: Any, form: Mapping[str, Any]) -> str:
        """Return the lines as they were understood, or raise `CheckFailed`."""
        return json.dumps(list(as_lines(value, **form)))

    def mistake_in(self, placed: Order) -> str | None:
        """Return the misconception whose pattern the answer has: of several patterns the first."""
        first = next((p for p in self.mistakes.values() if self._shows(p, placed)), None)
        return which(self.mistakes, lambda pattern: pattern == first)

    def _shows(self, pattern: Order, placed: Order) -> bool:
        if pattern[0][0] == "!" and not few_missing(self.orders, placed):
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

        return earned_share(max(map(share, self.orders)))

    def example(self, id: str) -> list[str] | None:
        """Return an answer that is told this misconception, or None where there is none."""
        return next((list(o) for o in self._tried(id) if self.mistake_in(o) == id), None)

    def text(self, placed: Sequence[str]) -> str:
        """Return the lines in this order, indented, as one text."""
        rows = (" " * (_INDENT * depth_of(p)) + self.lines[p[-1]] for p in placed)
        return "".join(f"{row}\n" for row in rows)

    def declared(self) -> dict[str, Any]:
        """Return the arguments by which a cell declares what grades answers; no statement."""
        declared = super().declared() | {"orders": [" ".join(order) for order in self.orders]}
        if self.mistakes:
            declared["mistakes"] = {id: " ".join(p) for id, p in self.mistakes.items()}
        return declared

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """Return the question that `declared` was asked of, after JSON, without its text."""
        orders = tuple(tuple(order.split()) for order in data["orders"])
        mistakes = {id: tuple(p.split()) for id, p in data.get("mistakes", {}).items()}
        return cls(statement="", **{**data, "orders": orders, "mistakes": mistakes})

    def defects(self) -> Iterator[str]:
        """Yield what would tell a learner wrongly, or reject a right order."""
        return order_defects(self)

    def _graded_with(self) -> dict[str, Any]:
        return {
            "lines": [{"key": letter, "text": text} for letter, text in self.lines.items()],
            "orders": [list(order) for order in self.orders],
            "mistakes": [{"id": id, "pattern": list(p)} for id, p in self.mistakes.items()],
            "absent_message": dict(self.absent),
        }

    def _told(self, placed: Order) -> Iterator[str]:
        """Yield what is true of an answer, in sentences."""
        yield from told(self._told_by(placed), placed, self.absent)
        if self._is_flat(placed):
            yield "Nothing is indented, and some of these lines belong inside of others."

    def _told_by(self, placed: Order) -> tuple[Order, ...]:
        """Return what an answer is compared with: where it has no indentation, orders without."""
        if not self._is_flat(placed):
            return self.orders
        return tuple(tuple(entry[-1] for entry in order) for order in self.orders)

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


def as_lines(answer: Any, lines: Mapping[str, str] | Sequence[str], *, is_indented: bool) -> Order:
    """Return an answer as a tuple such as ``("c", ">a")``, or raise `CheckFailed`."""
    if answer is Ellipsis or (isinstance(answer, list | tuple | str) and not len(answer)):
        raise CheckFailed("No answer yet.", NOT_STARTED)
    entries = answer.replace(",", " ").split() if isinstance(answer, str) else answer
    if not isinstance(entries, list | tuple):
        raise CheckFailed(
            f"Your answer is of type {type(answer).__name__}; expected a list of letters."
        )
    placed = tuple(_as_entry(entry, [*lines]) for entry in entries)
    keys = [entry[-1] for entry in placed]
    if twice := sorted({key for key in keys if keys.count(key) > 1}):
        raise CheckFailed(
            f"Line {twice[0]} stands in your answer twice; use it once or not at all."
        )
    if not is_indented and any(map(depth_of, placed)):
        raise CheckFailed('No line is indented here; write the letters without ">".')
    return placed


def _as_entry(entry: Any, letters: list[str]) -> str:
    match = _ENTRY.match(entry.strip().lower()) if isinstance(entry, str) else None
    if match is None or match[2] not in letters:
        raise CheckFailed(f"{entry!r} is none of the lines; expected some of {', '.join(letters)}.")
    return match[1] + match[2]


def _inserted(rest: Order, entries: Sequence[str], places: Sequence[int]) -> Order:
    made = list(rest)
    for entry, place in reversed([*zip(entries, places, strict=True)]):
        made.insert(place, entry)
    return tuple(made)


def parsons(
    name: str,
    statement: str,
    *,
    lines: Mapping[str, str],
    orders: Sequence[str],
    mistakes: Mapping[str, str] | None = None,
    absent: Mapping[str, str] | None = None,
    works: Callable[[str], bool] | None = None,
    success_message: str = RIGHT,
    failure_message: str = "",
    points: float = 1.0,
) -> Parsons:
    """Return a Parsons problem: ``lines``, by letter and as they are shown, to put in order.

    ``orders`` has every right answer as letters, ``"c a >b"`` with b indented once. Lines in none
    of them are distractors. ``mistakes`` maps misconception ids to patterns: ``"b a"`` is b before
    a, ``"d"`` is d used at all, ``"|b"`` and ``">b"`` are b at the margin and indented once, and
    ``"!b"`` is b missing where fewer lines are missing than there. The first that fits is named.
    ``absent`` has for each needed line what it does, such as "the scale": said where it is missing.
    ``works`` tells whether the assembled text does what is asked; the self-test uses it.
    """
    made = Parsons(
        name=variable(name),
        statement=statement,
        lines=dict(lines),
        orders=tuple(tuple(order.split()) for order in orders),
        mistakes={id: tuple(pattern.split()) for id, pattern in (mistakes or {}).items()},
        absent=dict(absent or {}),
        works=works,
        success_message=success_message,
        failure_message=failure_message,
        points=points,
    )
    if not made.orders or not all(made.orders):
        raise DefinitionError(f"parsons {name}: has no right order")
    for letters in made.orders:
        _check_order(made, letters)
    for id, pattern in made.mistakes.items():
        if not pattern or any(entry[-1] not in made.lines for entry in pattern):
            raise DefinitionError(f"parsons {name}: the mistake {id!r} names an unknown line")
        if len(pattern) > 1 and any(entry[0] == "!" for entry in pattern):
            raise DefinitionError(
                f"parsons {name}: the mistake {id!r} joins an absent line with others; "
                'expected "!c" alone'
            )
    if unknown := sorted(set(made.absent) - set(made.lines)):
        raise DefinitionError(f"parsons {name}: absent names an unknown line, {unknown[0]!r}")
    return made


def _check_order(question: Parsons, order: Order) -> None:
    """Refuse an order that no answer could have."""
    keys, shown = [entry[-1] for entry in order], " ".join(order)
    if not set(keys) <= set(question.lines) or len(set(keys)) != len(keys):
        raise DefinitionError(
            f"parsons {question.name}: the order {shown!r} has an unknown line, or one twice"
        )
    if any(len(k) != 1 or not "a" <= k <= "z" for k in question.lines):
        raise DefinitionError(f"parsons {question.name}: lines have letters from a to z")
    depths = [0, *map(depth_of, order)]
    if depths[1] or any(b > a + 1 for a, b in pairwise(depths)):
        raise DefinitionError(
            f"parsons {question.name}: the order {shown!r} indents a line too far"
        )

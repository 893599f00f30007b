"""Find defects of a Parsons problem: in its lines, orders and mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations
from typing import TYPE_CHECKING

from coursekit.kinds.parsons.orders import Order, depth_of, occurs

if TYPE_CHECKING:
    from coursekit.kinds.parsons import Parsons

MIN_LINES = 3
#: Most orders that are assembled to see whether they work; eight lines have 40 320.
MAX_ASSEMBLED = 10_000


def order_defects(question: Parsons) -> Iterator[str]:
    """Yield what would give the answer away, tell a learner wrongly, or reject a right order."""
    if len(question.orders[0]) < MIN_LINES:
        yield f"has {len(question.orders[0])} lines to order; expected at least {MIN_LINES}"
    yield from _shown(question)
    for id, pattern in question.mistakes.items():
        for order in question.orders:
            if occurs(pattern, order):
                yield f"the mistake {id!r} is found in the right order {' '.join(order)!r}"
        if question.example(id) is None:
            yield f"no answer is told the mistake {id!r}; one before it fits as well"
    named = {p[-1] for p in question.mistakes.values() if len(p) == 1}
    for letter in question.distractors:
        if letter not in named:
            yield f"the distractor {letter} has no mistake that names it"
    yield from _unnamed(question)
    if question.works is not None:
        yield from _run(question)


def _shown(question: Parsons) -> Iterator[str]:
    needed = [letter for letter in question.lines if letter not in question.distractors]
    depths = {entry[-1]: depth_of(entry) for order in question.orders for entry in order}
    shown = tuple(">" * depths[letter] + letter for letter in needed)
    if question.credit(shown):
        yield (
            f"the lines as they are shown earn {question.credit(shown):.0%} of the points; "
            "shuffle them"
        )


def _unnamed(question: Parsons) -> Iterator[str]:
    for letter in question.lines:
        if letter not in question.distractors and not question.absent.get(letter, "").strip():
            yield f"nothing in absent says what is missing without the line {letter}"


def _run(question: Parsons) -> Iterator[str]:
    """Yield the declared orders that do not work, and the working ones that are not declared."""
    for order in question.orders:
        if not _works(question, order):
            yield f"the right order {' '.join(order)!r} does not work"
    for order in islice(_others(question), MAX_ASSEMBLED):
        if _works(question, order):
            yield f"the order {' '.join(order)!r} works and is not among the right ones"
            return


def _works(question: Parsons, order: Order) -> bool:
    assert question.works is not None
    try:
        return bool(question.works(question.text(order)))
    except Exception:  # most wrong orders do not even run
        return False


def _others(question: Parsons) -> Iterator[Order]:
    """Yield wrong answers: with a distractor in a line's place, then the lines in other orders."""
    usual = question.orders[0]
    for letter in question.distractors:
        for at, entry in enumerate(usual):
            yield (*usual[:at], ">" * depth_of(entry) + letter, *usual[at + 1 :])
    for order in permutations(usual):
        if order not in question.orders:
            yield order

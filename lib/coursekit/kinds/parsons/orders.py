"""Compare lines in some order with the right orders: count, and say it in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

Order = tuple[str, ...]


def depth_of(entry: str) -> int:
    """Return how often a line is indented."""
    return entry.count(">")


def occurs(pattern: Order, placed: Order) -> bool:
    """Return whether an answer has the lines of a pattern in the pattern's order."""
    if pattern[0][0] == "!":
        return all(entry[-1] != pattern[0][-1] for entry in placed)
    rest = iter(placed)
    return all(any(_fits(p, entry) for entry in rest) for p in pattern)


def told(orders: Sequence[Order], placed: Order, absent: Mapping[str, str]) -> Iterator[str]:
    """Yield what is true of an answer that is not right, in sentences.

    Parameters
    ----------
    orders : sequence of Order
        The right answers; where no line of the answer is indented and several should be, these
        without indentation.
    placed : Order
        The answer.
    absent : mapping of str to str
        What a line does, by its letter: "the scale".
    """
    yield in_order(orders, placed)
    if placed in orders:
        return
    yield next_line(orders, placed, absent)
    words = _named(orders, placed, absent)
    if words and not _follows(orders, placed):
        yield f"{words[0].upper()}{words[1:]} missing."


def in_order(orders: Sequence[Order], placed: Order) -> str:
    """Return how many lines are in order, and how many are too many."""
    nearest = _nearest(orders, placed)
    kept, needed = common(nearest, placed), len(nearest)
    many = (
        f", and {_lines_are(len(placed) - kept)} too many" if kept == needed < len(placed) else ""
    )
    is_or_are = "is" if kept == 1 else "are"
    return f"{kept} of the {needed} lines that are needed {is_or_are} in order{many}."


def next_line(orders: Sequence[Order], placed: Order, absent: Mapping[str, str]) -> str:
    """Return what is true of the first line that no right order has there."""
    fits = _beginning(orders, placed)
    if fits == len(placed):
        return "What you have so far fits, and more is needed."
    if _follows(orders, placed):
        words = _named(orders, placed, absent) or _lines_are(len(missing(orders, placed)))
        return f"Yours follow each other rightly; {words} missing."
    for order in orders:
        begins = _same_beginning(order, placed) == fits < len(order)
        if begins and order[fits][-1] == placed[fits][-1]:
            return f"Line {fits + 1} of your answer is right, but not its indentation."
    if fits == 0:
        return "No right answer begins with your first line."
    what = "the line" if fits == 1 else f"the {fits} lines"
    return f"Line {fits + 1} of your answer cannot follow {what} before it."


def first_wrong(orders: Sequence[Order], placed: Order) -> int | None:
    """Return the number, from 0, of the first line that no right order has there."""
    fits = _beginning(orders, placed)
    return None if fits == len(placed) or _follows(orders, placed) else fits


def common(a: Order, b: Order) -> int:
    """Return the length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = row
        row = [0]
        for j, y in enumerate(b):
            row.append(before[j] + 1 if x == y else max(before[j + 1], row[j]))
    return row[-1]


def missing(orders: Sequence[Order], placed: Order) -> list[str]:
    """Return the lines of the nearest right order that do not stand in an answer, by letter."""
    letters = {entry[-1] for entry in placed}
    return [entry[-1] for entry in _nearest(orders, placed) if entry[-1] not in letters]


def few_missing(orders: Sequence[Order], placed: Order) -> bool:
    """Return whether some lines are missing, and fewer than are there."""
    return 0 < len(missing(orders, placed)) < len(placed)


def _follows(orders: Sequence[Order], placed: Order) -> bool:
    """Return whether few lines are missing, and the others are as they should be.

    What could be a beginning that goes on is no such answer.
    """
    is_beginning = any(_same_beginning(order, placed) == len(placed) for order in orders)
    kept = common(_nearest(orders, placed), placed)
    return not is_beginning and kept == len(placed) and few_missing(orders, placed)


def _named(orders: Sequence[Order], placed: Order, absent: Mapping[str, str]) -> str:
    """Return what is missing, as the beginning of a sentence; empty where that is not certain.

    A line that belongs nowhere may stand for one that is missing.
    """
    letters = missing(orders, placed)
    needed = {entry[-1] for order in orders for entry in order}
    is_sure = few_missing(orders, placed) and all(entry[-1] in needed for entry in placed)
    if not is_sure or not all(letter in absent for letter in letters):
        return ""
    *others, last = (absent[letter] for letter in letters)
    return f"{', '.join(others)} and {last} are" if others else f"{last} is"


def _nearest(orders: Sequence[Order], placed: Order) -> Order:
    return max(orders, key=lambda order: common(order, placed))


def _beginning(orders: Sequence[Order], placed: Order) -> int:
    return max(_same_beginning(order, placed) for order in orders)


def _same_beginning(a: Order, b: Order) -> int:
    pairs = zip(a, b, strict=False)
    return next((i for i, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))


def _lines_are(count: int) -> str:
    return "one line is" if count == 1 else f"{count} lines are"


def _fits(pattern: str, entry: str) -> bool:
    return entry == pattern.removeprefix("|") or (len(pattern) == 1 and entry[-1] == pattern)

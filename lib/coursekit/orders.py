"""What is true of lines in some order, beside the right orders: counted, and said in sentences."""

from __future__ import annotations

from collections.abc import Sequence

Order = tuple[str, ...]


def in_order(orders: Sequence[Order], placed: Order) -> str:
    """Return how many lines are in order, and how many are too many."""
    nearest = _nearest(orders, placed)
    kept, needed = common(nearest, placed), len(nearest)
    many = (
        f", and {_lines_are(len(placed) - kept)} too many" if kept == needed < len(placed) else ""
    )
    is_or_are = "is" if kept == 1 else "are"
    return f"{kept} of the {needed} lines that are needed {is_or_are} in order{many}."


def next_line(orders: Sequence[Order], placed: Order) -> str:
    """Return what is true of the first line that no right order has there."""
    fits = max(_same_beginning(order, placed) for order in orders)
    if fits == len(placed):
        return "What you have so far fits, and more is needed."
    nearest = _nearest(orders, placed)
    absent = len(nearest) - len(placed)
    if common(nearest, placed) == len(placed) and are_few(absent, placed):
        return f"Yours follow each other rightly; {_lines_are(absent)} missing."
    for order in orders:
        begins = _same_beginning(order, placed) == fits < len(order)
        if begins and order[fits][-1] == placed[fits][-1]:
            return f"Line {fits + 1} of your answer is right, but not its indentation."
    if fits == 0:
        return "No right answer begins with your first line."
    what = "the line" if fits == 1 else f"the {fits} lines"
    return f"Line {fits + 1} of your answer cannot follow {what} before it."


def common(a: Order, b: Order) -> int:
    """Return the length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        before = row
        row = [0]
        for j, y in enumerate(b):
            row.append(before[j] + 1 if x == y else max(before[j + 1], row[j]))
    return row[-1]


def missing(orders: Sequence[Order], placed: Order) -> int:
    """Return how many lines of the nearest right order do not stand in an answer."""
    letters = {entry[-1] for entry in placed}
    return sum(entry[-1] not in letters for entry in _nearest(orders, placed))


def are_few(missing: int, placed: Order) -> bool:
    """Return whether some lines are missing, and fewer than are there."""
    return 0 < missing < len(placed)


def _nearest(orders: Sequence[Order], placed: Order) -> Order:
    return max(orders, key=lambda order: common(order, placed))


def _same_beginning(a: Order, b: Order) -> int:
    pairs = zip(a, b, strict=False)
    return next((i for i, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))


def _lines_are(count: int) -> str:
    return "one line is" if count == 1 else f"{count} lines are"

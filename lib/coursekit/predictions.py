"""What waits: for a prediction, or for code that the learner is to write.

What waits for a prediction, beside the folded cell below it, is marked ``after-predict-…``, on
pages and in notebooks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any

from coursekit._expect import CheckFailed
from coursekit.verdict import NOT_STARTED, PLACEHOLDER

#: Begins the id of an exercise that is a prediction.
PREDICTION = "predict-"
AWAITED_IS_MISSING = "'after-{0}' waits for {0!r}, a question that this page does not have"
#: What waits for one on a page, beside what its section says after it, as a selector.
MARKED = '[class*="after-predict-"]'
_MARK = re.compile(rf"(?:tag_)?after-({PREDICTION}[\w-]+)")


def awaited(marks: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of the predictions that something waits for, from its tags or classes."""
    found = (_MARK.fullmatch(mark) for mark in marks)
    return tuple(dict.fromkeys(match[1] for match in found if match))


def read_when_answered(titles: Iterable[str]) -> str:
    """Return the words on a fold whose text waits for predictions with these titles."""
    named = " and ".join(f"“{title}”" for title in titles)
    return f"Read this when you have answered {named}"


def require_code(*answers: Callable[..., Any]) -> None:
    """Stop a notebook's cell that runs the learner's code while a part of it is not written.

    Parameters
    ----------
    *answers : callable
        Functions and classes that the learner is to write.

    Raises
    ------
    CheckFailed
        One of them is the placeholder still, or has a method that is.
    """
    missing = [answer.__name__ for answer in answers if any(map(_is_stub, _functions(answer)))]
    if missing:
        listed = " and ".join(f"`{name}`" for name in missing)
        raise CheckFailed(
            f"This cell runs your code, and {listed} {'is' if len(missing) == 1 else 'are'} still "
            "to be written. Do that above, then run this cell again.",
            NOT_STARTED,
        )


def _functions(answer: Callable[..., Any]) -> Iterator[FunctionType]:
    parts = vars(answer).values() if isinstance(answer, type) else [answer]
    yield from (part for part in parts if isinstance(part, FunctionType))


def _is_stub(function: FunctionType) -> bool:
    return PLACEHOLDER in function.__code__.co_consts

"""Put computed numbers into a chapter's text, so that none of them is typed.

In a chapter, ``{number}`heights.mean():.2f``` stands for a number: an expression and a format, as
between the braces of an f-string. ``names()`` of the course's module of numbers (``quoted`` among
its entry points) returns what expressions may use. Pages and notebooks are made of the text with
its numbers in place, so that a number can stand anywhere, in formulas and tables, too.
"""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import Any

from coursekit.course import course_of
from coursekit.errors import CoursekitError, UnknownError

#: A number in a text, before it is computed.
NUMBER = re.compile(r"\{number\}`([^`\n]*)`")


def filled(chapter: Path, text: str | None = None) -> str:
    """Return a chapter's text with its numbers in place, in the same lines.

    Parameters
    ----------
    chapter : Path
        The file, which belongs to a course.
    text : str, optional
        What to fill, if not the text of the file.

    Raises
    ------
    CoursekitError
        If an expression has no value; the message has the file, the line and what is near.
    """
    text = chapter.read_text(encoding="utf-8") if text is None else text
    names = _names(course_of(chapter).quoted) if NUMBER.search(text) else {}

    def value(field: re.Match[str]) -> str:
        try:
            # The author of a chapter writes this, as its cells.
            return str(eval(f"f'''{{{field[1]}}}'''", dict(names)))
        except NameError as error:
            what = str(UnknownError("name", error.name or "", names))
        except Exception as error:  # whatever the expression raises
            what = f"{type(error).__name__}: {error}"
        line = text.count("\n", 0, field.start()) + 1
        raise CoursekitError(f"{chapter}:{line}: {field[0]}: {what}")

    return NUMBER.sub(value, text)


def behind(chapter: Path) -> list[Path]:
    """Return the files that numbers come from: the course's module, and results beside it."""
    module = importlib.util.find_spec(course_of(chapter).quoted)
    file = Path(str(module and module.origin))
    return [file, *file.parent.rglob("*.json")]


@cache
def _names(module: str) -> dict[str, Any]:
    names: dict[str, Any] = importlib.import_module(module).names() if module else {}
    return names

"""Put numbers into a chapter's text: ``{number}`FIELD``` stands for the number itself.

``FIELD`` is what an f-string has between its braces, an expression and a format, as in
``{number}`heights.mean():.2f```. The course's module of numbers (``quoted`` among its entry points)
says by ``names(chapter)`` which names an expression may use. Pages and notebooks are made of the
text with its numbers in place, so a field works wherever text does, in formulas and tables, too.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from coursekit.course import course_of
from coursekit.errors import CoursekitError

_NUMBER = re.compile(r"(^ *```.*)?\{number\}`([^`\n]*)`", re.MULTILINE)


def filled(chapter: Path, text: str) -> str:
    """Return the text of a chapter with its numbers in place; its lines stay the same lines.

    Raises
    ------
    CoursekitError
        If a field has no value; the message has the file, the line, and the names that there are.
        If it is in the title of a fence of backticks, which raw readers do not take for a fence.
    """
    if not _NUMBER.search(text):
        return text
    names = _names(chapter)

    def value(field: re.Match[str]) -> str:
        place = f"{chapter}:{text.count(chr(10), 0, field.start()) + 1}"
        if field[1]:
            raise CoursekitError(
                f"{place}: {{number}} is in the title of a fence; begin it with :::"
            )
        return _value(field[2], names, place)

    return _NUMBER.sub(value, text)


def _names(chapter: Path) -> Mapping[str, Any]:
    module = course_of(chapter).quoted
    if not module:
        raise CoursekitError(
            f"{chapter}: has {{number}}, but the course names no module of numbers; add "
            'quoted = "mylib.quoted" to [project.entry-points.coursekit] in pyproject.toml'
        )
    names: Mapping[str, Any] = importlib.import_module(module).names(chapter.stem)
    return names


def _value(field: str, names: Mapping[str, Any], place: str) -> str:
    try:
        # A chapter's author writes this, as its cells.
        return str(eval(f"f'''{{{field}}}'''", {}, names))
    except Exception as error:  # whatever the course's code raises
        what = str(error.args[0]) if isinstance(error, KeyError) else str(error)
        known = f"; there are {', '.join(sorted(names))}" if isinstance(error, NameError) else ""
        message = f"{place}: {{number}}`{field}`: {type(error).__name__}: {what}{known}"
        raise CoursekitError(" ".join(message.split())) from None

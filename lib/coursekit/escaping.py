"""Escape text of learners, so that no program that opens it interprets it."""

from __future__ import annotations

import re
import textwrap

_LONGEST_LINE = 100
#: Characters that start a formula in a spreadsheet; some programs accept the wide forms as well.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_MARKUP = re.compile(r'[<>"%]')


def code_block(text: str) -> str:
    """Return Markdown that shows a text as it was typed, with long lines broken.

    Inside a fence nothing is rendered: no markup, link, picture or HTML, and no MathJax, whose
    formulas can contain links and which escaping of Markdown does not stop.
    """
    lines = [part for line in text.splitlines() for part in _broken(line)]
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([f"{fence}text", *lines, fence])


def _broken(line: str) -> list[str]:
    if len(line) <= _LONGEST_LINE:
        return [line]
    return textwrap.wrap(line, _LONGEST_LINE, drop_whitespace=False, replace_whitespace=False)


def escape_formula(text: str) -> str:
    """Return the text of a table cell such that no spreadsheet reads it as a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def escape_markup(student: str) -> str:
    """Return a student's id without HTML, since nbgrader's pages do not escape ids.

    Different ids stay different.
    """
    return _MARKUP.sub(lambda match: f"%{ord(match[0]):02x}", student)

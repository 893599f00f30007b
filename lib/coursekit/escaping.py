"""Text that others wrote, in a form in which nothing that opens it does anything with it."""

from __future__ import annotations

import re
import textwrap

_LONGEST_LINE = 100
#: What a spreadsheet takes for the start of a formula; some take the wide forms as well.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_MARKUP = re.compile(r'[<>"%]')


def code_block(text: str) -> str:
    """Return Markdown that shows a text as it was typed, long lines broken.

    Inside a fence there is no markup, no link, no picture and no HTML; MathJax leaves it alone as
    well, whose formulas can hold links. Escaping each of these would miss the last.
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
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def escape_markup(student: str) -> str:
    """Return a student's id as nbgrader's pages, which escape no id, can show it.

    Different ids stay different.
    """
    return _MARKUP.sub(lambda found: f"%{ord(found[0]):02x}", student)

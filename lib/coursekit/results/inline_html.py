"""Texts of the course (code, stress, formulas) as HTML; all else is escaped."""

from __future__ import annotations

import re
from html import escape

from coursekit.marked import message_html

_FORMULA = re.compile(r"(?<!\\)\$(?P<formula>[^$\s](?:[^$]*[^$\s])?)\$(?!\d)")
_CODE = re.compile(r"(`[^`]+`)")


def course_html(text: str) -> str:
    """Return a text of the course: as a message, and with its formulas in MathML."""
    parts = []
    for piece in _CODE.split(text):
        end = 0
        for match in () if piece.startswith("`") else _FORMULA.finditer(piece):
            parts += [message_html(piece[end : match.start()]), _formula(match["formula"])]
            end = match.end()
        parts.append(message_html(piece[end:]))
    return "".join(parts)


def _formula(tex: str) -> str:
    """Return a formula in MathML; its source where the library is missing or does not know it."""
    try:
        from latex2mathml.converter import convert

        return str(convert(tex))
    except Exception:  # its errors have no base class of their own
        return f"<code>{escape(tex)}</code>"

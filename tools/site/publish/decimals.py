"""Drawings in a page with no more decimals than can be seen."""

from __future__ import annotations

import re

_DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
#: Places and paths. The factors of a transform are left alone: they apply to all of a drawing.
_PLACES = re.compile(r"""(?<=[\s"'])((?:d|points|x|y|[xy][12])=)(["'])(.*?)\2""", re.DOTALL)
_SHIFT = re.compile(r"(translate\()([^)]*)")
_LONG = re.compile(r"(?<![\d.])-?\d+\.\d{3,}(?![\de])")


def shorten(html: str) -> str:
    """Return a page whose drawings have places to a hundredth of a point.

    Examples
    --------
    >>> shorten('<svg><path d="M 58.868842 -155.996L 0.001 1.5"></path></svg> 3.14159')
    '<svg><path d="M 58.87 -156L 0 1.5"></path></svg> 3.14159'
    """
    return _DRAWING.sub(lambda drawing: _SHIFT.sub(_moved, _PLACES.sub(_places, drawing[0])), html)


def _places(attribute: re.Match[str]) -> str:
    name, quote, text = attribute.groups()
    return f"{name}{quote}{_LONG.sub(_short, ' '.join(text.split()))}{quote}"


def _moved(shift: re.Match[str]) -> str:
    return shift[1] + _LONG.sub(_short, shift[2])


def _short(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 2) + 0.0:g}" if abs(float(number[0])) < 1000 else number[0]

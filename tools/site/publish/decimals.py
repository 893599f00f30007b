"""Drawings in a page with no more decimals than can be seen."""

from __future__ import annotations

import re

_DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_WIDTH = re.compile(r'\bviewbox="\S+ \S+ (\d+)', re.IGNORECASE)
#: Places and paths. The factors of a transform are left alone: they apply to all of a drawing.
_PLACES = re.compile(
    r"""(?<=[\s"'])(?:d|points|x|y|[xy][12])=(["']).*?\1|translate\([^)]*""", re.DOTALL
)
_LONG = re.compile(r"(?<![\d.])-?\d+\.\d{2,}(?![\de])")
#: Matplotlib turns all of its text, nearly all of it by nothing.
_NOT_TURNED = re.compile(r' transform="rotate\(-?0 [^"]*"')
#: From this width on a tenth of a unit is too little to be seen.
_LARGE = 200


def shorten(html: str) -> str:
    """Return a page whose drawings have places to a hundredth of a unit, large ones to a tenth.

    Examples
    --------
    >>> shorten('<svg><path d="M 58.868842 -155.996L 60.001 1.5"></path></svg> 3.14159')
    '<svg><path d="M 58.87 -156L 60 1.5"></path></svg> 3.14159'
    """
    return _DRAWING.sub(_shortened, html)


def _shortened(match: re.Match[str]) -> str:
    drawing = _NOT_TURNED.sub("", match[0])
    width = _WIDTH.search(drawing)
    is_large = width is not None and int(width[1]) >= _LARGE and "scale(" not in drawing

    def short(number: re.Match[str]) -> str:
        rounded = round(float(number[0]), 1 if is_large else 2)
        return f"{rounded + 0.0:.2f}".rstrip("0").rstrip(".")

    return _PLACES.sub(lambda places: " ".join(_LONG.sub(short, places[0]).split()), drawing)

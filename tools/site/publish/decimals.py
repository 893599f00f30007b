"""Cut the numbers and decimals of a page's drawings to what can be seen."""

from __future__ import annotations

import re

_DRAWING = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
_WIDTH = re.compile(r'\bviewbox="\S+ \S+ (\d+)', re.IGNORECASE)
#: Places and paths. The factors of a transform are left alone: they apply to all of a drawing.
_PLACES = re.compile(r"""(?<=[\s"'])((?:d|points|x|y|[xy][12])=)(["'])(.*?)\2""", re.DOTALL)
_SHIFT = re.compile(r"(translate\()([^)]*)")
_LONG = re.compile(r"(?<![\d.])-?\d+\.\d{2,}(?![\de])")
#: Matplotlib turns all of its text, nearly all of it by nothing.
_NOT_TURNED = re.compile(r' transform="rotate\(-?0 [^"]*"')
_STEP = r"\s*(?:([ML])\s*(-?[\d.]+)[\s,]+(-?[\d.]+)|([zZ]))"
_LINES = re.compile(f"(?:{_STEP})+\\s*")
#: From this width on a tenth of a unit is too little to be seen.
_LARGE = 200


def shorten(html: str) -> str:
    """Return a page whose drawings have places to a hundredth of a unit, large ones to a tenth.

    Lines go from point to point: shapes that are alike then have the same text, which compresses.

    Examples
    --------
    >>> shorten('<svg><path d="M 58.868842 -155.996L 60.001 1.5"></path></svg> 3.14159')
    '<svg><path d="M58.87 -156l1.13 157.5"></path></svg> 3.14159'
    """
    return _DRAWING.sub(_shortened, html)


def _shortened(match: re.Match[str]) -> str:
    drawing = _NOT_TURNED.sub("", match[0])
    width = _WIDTH.search(drawing)
    is_large = width is not None and int(width[1]) >= _LARGE and "scale(" not in drawing
    decimals = 1 if is_large else 2

    def short(text: str) -> str:
        return _LONG.sub(lambda number: _number(round(float(number[0]), decimals)), text)

    def places(attribute: re.Match[str]) -> str:
        name, quote, text = attribute.groups()
        made = _lines(text, 10**decimals) if name == "d=" else ""
        return f"{name}{quote}{made or short(' '.join(text.split()))}{quote}"

    return _SHIFT.sub(lambda shift: shift[1] + short(shift[2]), _PLACES.sub(places, drawing))


def _lines(path: str, parts: int) -> str:
    """Return a path of straight lines, each from where the last ended, or "" for another path.

    Every point is rounded before the differences are taken: no error adds up.
    """
    if not _LINES.fullmatch(path):
        return ""
    made = []
    x = y = start_x = start_y = 0
    for command, right, down, end in re.findall(_STEP, path):
        if end:
            made.append("z")
            x, y = start_x, start_y
            continue
        next_x, next_y = round(float(right) * parts), round(float(down) * parts)
        if command == "M":
            made.append(f"M{_number(next_x / parts)} {_number(next_y / parts)}")
            start_x, start_y = next_x, next_y
        else:
            made.append(f"l{_number((next_x - x) / parts)} {_number((next_y - y) / parts)}")
        x, y = next_x, next_y
    return "".join(made)


def _number(value: float) -> str:
    return f"{value + 0.0:.2f}".rstrip("0").rstrip(".")

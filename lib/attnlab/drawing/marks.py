"""Draw the marks of queries, keys, values and outputs: the shape repeats what the colour says."""

from __future__ import annotations

from typing import Literal

Role = Literal["query", "key", "value", "output"]

#: Role: (colour, matplotlib marker). The output is made of values: same colour and mark.
MARKS: dict[Role, tuple[str, str]] = {
    "query": ("query", "o"),
    "key": ("key", "s"),
    "value": ("value", "^"),
    "output": ("value", "^"),
}


def _triangle(radius: float, attributes: str = "") -> str:
    x, y = f"{0.87 * radius:.1f}", f"{radius / 2:g}"
    return f'<path d="M0 {-radius:g}L{x} {y}H-{x}Z"{attributes}/>'


#: Role: the mark as SVG, centred at the origin. The output's second outline tells it from a value.
SVG_MARKS: dict[Role, str] = {
    "query": '<circle r="6"/>',
    "key": '<rect x="-5.5" y="-5.5" width="11" height="11"/>',
    "value": _triangle(7.5),
    "output": _triangle(14, ' style="fill:none"') + _triangle(7.5),
}

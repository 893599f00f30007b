"""The two colour scales: weights from paper to ink, scores from orange through paper to blue.

A scale has steps of one per cent, and each step is a mix of two colours of `tokens`.
"""

from __future__ import annotations

import functools
from typing import Literal

from attnlab.drawing.tokens import PLAIN, Theme, palette, theme_colours, unused_colour, var

Kind = Literal["weights", "scores"]
_THEMES: tuple[Theme, ...] = ("light", "dark")


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(start: str, end: str, percent: int) -> str:
    """Return the colour ``percent`` of the way from ``start`` to ``end``, as ``#rrggbb``.

    As CSS ``color-mix(in srgb, …)`` does it, on the encoded channels.

    Examples
    --------
    >>> mix("#000000", "#ffffff", 50)
    '#808080'
    """
    pairs = zip(_channels(start), _channels(end), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * percent / 100):02x}" for a, b in pairs)


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb``, from 0 to 1 (WCAG 2.2)."""
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2.2)."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def step(value: float, kind: Kind = "weights", limit: float = 1.0) -> tuple[str, int]:
    """Return ``(name, percent)``: the end of the scale that ``value`` leans to, and how far.

    Parameters
    ----------
    value
        A weight from 0 to 1, or a score of any sign.
    kind
        Which scale.
    limit
        The absolute value at which a scale of scores ends; ignored for weights.
    """
    if kind == "weights":
        return "ink", round(100 * min(max(value, 0.0), 1.0))
    share = min(abs(value) / limit, 1.0) if limit > 0 else 0.0
    return ("positive" if value >= 0 else "negative"), round(100 * share)


def cell_css(name: str, percent: int) -> str:
    """Return the CSS background of a cell at one step of a scale."""
    if percent in (0, 100):
        return var(name if percent else "paper")
    return f"color-mix(in srgb, {var(name)} {percent}%, {var('paper')})"


def cell_colour(name: str, percent: int, theme: Theme) -> str:
    """Return the same background as ``#rrggbb`` in one theme."""
    colours = theme_colours(theme)
    return mix(colours["paper"], colours[name], percent)


def text_colour(name: str, percent: int) -> str:
    """Return the name (or plain colour) of the number on a cell: the more legible of two.

    Each theme chooses on its own: ``on-low`` turns from black to white with the theme, ``on-high``
    the other way round, and near the middle of a scale the same colour is the better in both.
    """
    light, dark = (_black_or_white(cell_colour(name, percent, theme)) for theme in _THEMES)
    if light == dark:
        return light
    return "on-low" if light == "#000000" else "on-high"


def _black_or_white(background: str) -> str:
    black, white = (contrast(text, background) for text in PLAIN)
    return PLAIN[0] if black >= white else PLAIN[1]


def text_css(name: str, percent: int) -> str:
    """Return the CSS colour of the number on a cell."""
    colour = text_colour(name, percent)
    return colour if colour.startswith("#") else var(colour)


def drawn_cell(percent: int) -> str:
    """Return the colour with which matplotlib draws a weight; it belongs to this step alone."""
    return _drawn_cells()[percent]


@functools.cache
def _drawn_cells() -> list[str]:
    colours = palette()
    taken = {*theme_colours("light").values(), *PLAIN, *colours.values()}
    drawn = [colours["paper"]]
    for percent in range(1, 100):
        drawn.append(unused_colour(cell_colour("ink", percent, "light"), taken))
        taken.add(drawn[-1])
    return [*drawn, colours["ink"]]


@functools.cache
def css_by_drawn_colour() -> dict[str, str]:
    """Return ``{"#rrggbb": css}`` for all colours that stand for a name or a weight."""
    steps = {colour: cell_css("ink", percent) for percent, colour in enumerate(_drawn_cells())}
    return steps | {colour: var(name) for name, colour in palette().items()}

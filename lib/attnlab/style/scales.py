"""The two colour scales: weights from paper to ink, scores from orange through paper to blue.

A scale has steps of one per cent, and each step is a mix of two tokens. So a drawn colour can be
translated back into ``color-mix(...)`` of the theme's variables (see :func:`css_of_scales`).
"""

from __future__ import annotations

import functools
from typing import Literal

from attnlab.style.tokens import Theme, palette, var

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
    """Return ``(token, percent)``: the end of the scale that ``value`` leans to, and how far.

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


def cell_css(token: str, percent: int) -> str:
    """Return the CSS background of a cell at one step of a scale."""
    if percent == 0:
        return var("paper")
    return f"color-mix(in srgb, {var(token)} {percent}%, {var('paper')})"


def cell_colour(token: str, percent: int, theme: Theme = "light") -> str:
    """Return the same background as ``#rrggbb`` in one theme."""
    colours = palette(theme)
    return mix(colours["paper"], colours[token], percent)


def text_token(token: str, percent: int) -> str:
    """Return the token (or plain colour) of the number on a cell: the better of black and white.

    Better in each theme on its own: ``on-low`` turns from black to white with the theme,
    ``on-high`` the other way, and near the middle of a scale one colour is best in both.
    """
    light, dark = (_best_text(cell_colour(token, percent, theme)) for theme in _THEMES)
    if light == dark:
        return light
    return "on-low" if light == "#000000" else "on-high"


def _best_text(background: str) -> str:
    black, white = (contrast(text, background) for text in ("#000000", "#ffffff"))
    return "#000000" if black >= white else "#ffffff"


def text_css(token: str, percent: int) -> str:
    """Return the CSS colour of the number on a cell."""
    name = text_token(token, percent)
    return name if name.startswith("#") else var(name)


@functools.cache
def css_of_scales() -> dict[str, str]:
    """Return ``{"#rrggbb": css}`` for every step of both scales in the light theme."""
    steps = [(token, p) for token in ("negative", "positive", "ink") for p in range(1, 101)]
    return {cell_colour(*at): cell_css(*at) for at in steps}

"""The colours of the course, read from ``tokens.css``, and how a drawn figure refers to them.

matplotlib knows colours only as numbers. So each name has a drawing colour of its own, which no
other name shares: a barely visible shade off the name's colour in the light theme. `svg` replaces
it by the name's CSS variable; a figure saved as PNG keeps it and looks as it should.
"""

from __future__ import annotations

import functools
import itertools
import re
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Literal

Theme = Literal["light", "dark"]

FOLDER = Path(__file__).parent
SHEETS = ("tokens.css", "figures.css", "claims.css", "stages.css", "map.css", "curves.css")
_COLOUR = re.compile(r"--attn-([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")
#: Colours that mean themselves in both themes; no name may be drawn with them.
PLAIN = ("#000000", "#ffffff")


def css() -> str:
    """Return the text of all style sheets here, for hosts without the site's CSS."""
    return "\n".join((FOLDER / name).read_text("utf-8") for name in SHEETS)


def style_element() -> str:
    """Return the course's CSS as a ``<style>`` element."""
    return f"<style>{css()}</style>"


def embedded_css() -> str:
    """Return a ``<style>`` with the course's CSS in Colab, where each output is its own document.

    Elsewhere the site's style sheet or the output of `attnlab.drawing.use` covers the whole
    document, and this is empty.
    """
    return style_element() if "google.colab" in sys.modules else ""


@functools.cache
def _themes() -> dict[Theme, dict[str, str]]:
    named = _COLOUR.findall((FOLDER / "tokens.css").read_text("utf-8"))
    return {
        "light": {name: light for name, light, _ in named},
        "dark": {name: dark for name, _, dark in named},
    }


def theme_colours(theme: Theme) -> dict[str, str]:
    """Return ``{name: "#rrggbb"}`` as ``tokens.css`` has it; ``["query"]`` is ``--attn-query``."""
    return dict(_themes()[theme])


def palette() -> dict[str, str]:
    """Return ``{name: "#rrggbb"}``, the colours to draw with in matplotlib.

    Each stands for one name only, and becomes that name's CSS variable in the page.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> line = Figure().subplots().axhline(0, color=palette()["key"])
    """
    return dict(_palette())


@functools.cache
def _palette() -> dict[str, str]:
    colours = theme_colours("light")
    # A colour that a figure took from elsewhere must not be mistaken for one of these.
    taken = {*colours.values(), *PLAIN}
    drawn = {}
    for name, colour in colours.items():
        drawn[name] = unused_colour(colour, taken)
        taken.add(drawn[name])
    return drawn


def unused_colour(colour: str, taken: Collection[str]) -> str:
    """Return the colour nearest to ``colour`` that is not taken, all as ``#rrggbb``.

    Examples
    --------
    >>> unused_colour("#0063a6", []), unused_colour("#000000", ["#000000"])
    ('#0063a6', '#000001')
    """
    channels = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    for distance in itertools.count():
        ranges = (range(max(c - distance, 0), min(c + distance, 255) + 1) for c in channels)
        for candidate in itertools.product(*ranges):
            text = "#" + "".join(f"{channel:02x}" for channel in candidate)
            if text not in taken:
                return text
    raise AssertionError("there are more colours than names")


def var(name: str) -> str:
    """Return the CSS expression of a colour: its variable, with the light value as fallback.

    Examples
    --------
    >>> var("query")
    'var(--attn-query, #0063a6)'
    """
    return f"var(--attn-{name}, {_themes()['light'][name]})"

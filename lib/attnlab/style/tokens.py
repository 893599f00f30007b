"""The colours of the course, read from ``tokens.css`` so that Python has no second copy."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Literal

Theme = Literal["light", "dark"]

HERE = Path(__file__).parent
_BLOCK = re.compile(r"(?P<selector>[^{}]+)\{(?P<body>[^{}]*)\}")
_COLOUR = re.compile(r"--attn-([a-z-]+):\s*(#[0-9a-f]{6});")


def css() -> str:
    """Return the text of ``tokens.css`` and ``figures.css``, for hosts without the site's CSS."""
    return "\n".join((HERE / name).read_text("utf-8") for name in ("tokens.css", "figures.css"))


@functools.cache
def _palettes() -> dict[Theme, dict[str, str]]:
    text = re.sub(r"/\*.*?\*/", "", (HERE / "tokens.css").read_text("utf-8"), flags=re.DOTALL)
    palettes: dict[Theme, dict[str, str]] = {}
    for block in _BLOCK.finditer(text):
        theme: Theme = "dark" if 'data-theme="dark"' in block["selector"] else "light"
        # The first block of each theme is the palette; what follows repeats it for other hosts.
        palettes.setdefault(theme, dict(_COLOUR.findall(block["body"])))
    return palettes


def palette(theme: Theme = "light") -> dict[str, str]:
    """Return ``{name: "#rrggbb"}`` for one theme; ``palette()["query"]`` is ``--attn-query``.

    Raises
    ------
    ValueError
        If ``theme`` is neither ``"light"`` nor ``"dark"``.
    """
    if theme not in ("light", "dark"):
        raise ValueError(f"theme is {theme!r}; expected 'light' or 'dark'")
    return dict(_palettes()[theme])


def var(name: str) -> str:
    """Return the CSS expression of a colour: its variable, with the light value as fallback.

    Raises
    ------
    ValueError
        If ``tokens.css`` defines no such colour.

    Examples
    --------
    >>> var("query")
    'var(--attn-query, #0063a6)'
    """
    colours = _palettes()["light"]
    if name not in colours:
        raise ValueError(f"no colour {name!r} in tokens.css; there are {', '.join(colours)}")
    return f"var(--attn-{name}, {colours[name]})"


@functools.cache
def css_of() -> dict[str, str]:
    """Return ``{"#rrggbb": css}`` for the light palette, to make a drawn figure follow the theme.

    Where two names share a colour, as ``accent`` and ``query`` do, the last one in
    ``tokens.css`` wins; they share the dark value too.
    """
    return {value: var(name) for name, value in _palettes()["light"].items()}

"""The colours of pages and figures, read from ``web/tokens.css``."""

from __future__ import annotations

import functools
import re
from pathlib import Path

_FILE = Path(__file__).parent / "web" / "tokens.css"
_COLOUR = re.compile(r"--ck-([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")


@functools.cache
def css() -> str:
    """Return the style sheet that defines the colours as ``--ck-NAME``."""
    return _FILE.read_text(encoding="utf-8")


@functools.cache
def colours() -> dict[str, tuple[str, str]]:
    """Return ``{name: (light, dark)}``, each as ``#rrggbb``.

    Examples
    --------
    >>> colours()["ink"]
    ('#151b2b', '#e8eaf0')
    """
    return {name: (light, dark) for name, light, dark in _COLOUR.findall(css())}


def on_paper(sheet: str) -> str:
    """Return a style sheet with the light colours in place of their variables.

    Paper has one theme, and the margins of a page know no variables.

    Examples
    --------
    >>> on_paper("h2 { color: var(--ck-ink) }")
    'h2 { color: #151b2b }'
    """
    known = "|".join(colours())
    return re.sub(rf"var\(--ck-({known})\)", lambda match: colours()[match[1]][0], sheet)

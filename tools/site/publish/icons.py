"""Icons as inline pictures: the outlines of the few glyphs used, in place of an icon font."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont

from tools.site.environment import BuildError

_ICON = re.compile(
    r'<(?P<tag>i|span) class="(?P<classes>[^"]*\bfa-(?P<first>[a-z][a-z-]*)[^"]*)"'
    r"(?P<more>[^>]*)>\s*</(?P=tag)>"
)
BOX = "icon-box"  # the class of what holds a picture
_STYLES = {"fa-solid", "fa-brands", "fa-regular", "fa-lg", "fa-fw", "fas", "fab", "far"}


@cache
def _font(static: Path) -> tuple[TTFont, str]:
    """Return the theme's icon font, and the style sheet that says which character is which."""
    font = static / "vendor" / "fontawesome" / "webfonts" / "fa-solid-900.woff2"
    sheet = static / "styles" / "pydata-sphinx-theme.css"
    return TTFont(BytesIO(font.read_bytes())), sheet.read_text(encoding="utf-8")


@cache
def outline(static: Path, icon: str) -> str:
    """Return an icon of the theme (``"fa-bars"``) as an ``<svg>`` of the text's height.

    Raises
    ------
    BuildError
        If the theme in the folder ``static`` has no such icon.
    """
    font, sheet = _font(static)
    code = re.search(rf'\.{icon}:before[^{{}}]*\{{content:"\\([0-9a-f]+)"', sheet)
    name = font.getBestCmap().get(int(code[1], 16)) if code else None
    if name is None:
        raise BuildError(f"the theme has no icon {icon!r}; look its name up in its style sheet")
    glyphs = font.getGlyphSet()
    path, bounds = SVGPathPen(glyphs, lambda number: f"{number:.0f}"), BoundsPen(glyphs)
    glyphs[name].draw(path)
    glyphs[name].draw(bounds)
    left, bottom, right, top = bounds.bounds
    box = f"{left:.0f} {-top:.0f} {right - left:.0f} {top - bottom:.0f}"
    return (
        f'<svg class="icon" viewBox="{box}" aria-hidden="true" focusable="false">'
        f'<path transform="scale(1 -1)" d="{path.getCommands()}"/></svg>'
    )


def inline_icons(page: str, static: Path) -> str:
    """Return the page with every icon element holding its picture."""

    def replace(match: re.Match[str]) -> str:
        names = [c for c in match["classes"].split() if c.startswith("fa-") and c not in _STYLES]
        if not names:
            return match[0]
        classes = " ".join(c for c in match["classes"].split() if not c.startswith("fa"))
        tag, more = match["tag"], match["more"]
        return f'<{tag} class="{classes} {BOX}"{more}>{outline(static, names[0])}</{tag}>'

    return _ICON.sub(replace, page)

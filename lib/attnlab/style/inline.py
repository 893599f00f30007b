"""A matplotlib figure as inline SVG whose colours are the page's CSS variables.

An image cannot follow the page's dark theme; an inline SVG can, once each colour it was drawn
with is replaced by the expression it came from. Text stays text, in the page's font.
"""

from __future__ import annotations

import hashlib
import html
import io
import re
import xml.etree.ElementTree as ET
from typing import Any

from attnlab.style import scales, tokens

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_DRAWN_FONT = re.compile(r"(?:'DejaVu Sans'|DejaVu Sans)(?:, sans-serif)?")
_REFERENCE = re.compile(r"#([\w-]+)")


def follow_theme(style: str) -> str:
    """Return CSS text with every colour of the light theme replaced by its variable.

    Examples
    --------
    >>> follow_theme("fill: #a84300; stroke: #123456")
    'fill: var(--attn-key, #a84300); stroke: #123456'
    """
    known = {**scales.css_of_scales(), **tokens.css_of()}
    return _COLOUR.sub(lambda found: known.get(found[0], found[0]), style)


def _tidy(root: ET.Element, prefix: str) -> None:
    """Drop the metadata and unused ids, make the others unique, and translate the colours."""
    for junk in root.findall(f"{{{_SVG}}}metadata"):
        root.remove(junk)
    used = set(
        _REFERENCE.findall(" ".join(v for node in root.iter() for v in node.attrib.values()))
    )
    used &= {node.get("id", "") for node in root.iter()}
    for node in root.iter():
        name = node.attrib.pop("id", "")
        for key, text in node.attrib.items():
            text = _REFERENCE.sub(lambda m: f"#{prefix}{m[1]}" if m[1] in used else m[0], text)
            # Presentation attributes take no var(): only style does.
            node.set(key, _DRAWN_FONT.sub("var(--attn-font, sans-serif)", follow_theme(text)))
        if name in used:
            node.set("id", prefix + name)
        if (node.text or "").lstrip().startswith("*{"):
            node.text = None
        for key in ("fill", "stroke"):
            if "var(" in node.get(key, ""):
                node.set("style", f"{key}: {node.attrib.pop(key)}; {node.get('style', '')}")


def svg_of(figure: Any) -> str:
    """Return a :class:`matplotlib.figure.Figure` as an ``<svg>`` element that follows the theme."""
    buffer = io.BytesIO()
    nothing = {"Creator": None, "Date": None, "Format": None, "Type": None}
    figure.savefig(buffer, format="svg", bbox_inches="tight", transparent=True, metadata=nothing)
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", _XLINK)
    root = ET.fromstring(buffer.getvalue())
    prefix = f"f{hashlib.sha256(buffer.getvalue()).hexdigest()[:8]}-"
    _tidy(root, prefix)
    # Points become CSS pixels one to one with the text size of the page in mind; the viewBox
    # keeps the shape, and figures.css lets a narrow page shrink it.
    width, height = (
        round(float(root.get(side, "0pt")[:-2]) * 4 / 3) for side in ("width", "height")
    )
    root.attrib.update({"width": str(width), "height": str(height), "role": "img"})
    root.set("aria-label", figure.get_label() or "Figure")
    return ET.tostring(root, encoding="unicode")


def html_of(figure: Any) -> str:
    """Return a figure as HTML: the SVG in a ``div`` with the theme's paper behind it."""
    svg = re.sub(r">\s+<", "><", svg_of(figure))
    return f'{embedded_css()}<div class="attn-figure">{svg}</div>'


def embedded_css() -> str:
    """Return a ``<style>`` with the course's CSS where each output is a document of its own.

    That is so in Colab. Elsewhere the site's style sheet or the output of
    :func:`attnlab.style.use` covers the whole document, and this is empty.
    """
    import sys

    return style_element() if "google.colab" in sys.modules else ""


def style_element() -> str:
    """Return the course's CSS as a ``<style>`` element."""
    return f"<style>{tokens.css()}</style>"


def escape(text: object) -> str:
    """Return text that is safe as HTML content and in a quoted attribute."""
    return html.escape(str(text), quote=True)

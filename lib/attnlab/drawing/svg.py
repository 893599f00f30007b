"""A matplotlib figure as inline SVG whose colours are the page's CSS variables.

An image cannot follow the page's dark theme. An inline SVG can, once each drawing colour is
replaced by the CSS expression that it stands for. Text stays text, in the page's font.
"""

from __future__ import annotations

import hashlib
import io
import re
import xml.etree.ElementTree as ET
from typing import Any

from attnlab.drawing import scales, tokens

#: The id of a figure that scrolls in a narrow page, where others shrink and their text with them.
KEEPS_SIZE = "keeps-size"
#: The id of a figure that is drawn for a phone, and that a wide page shows larger.
GROWS = "grows"
_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_DRAWN_FONT = re.compile(r"(?:'DejaVu Sans'|DejaVu Sans)(?:, sans-serif)?")
_REFERENCE = re.compile(r"#([\w-]+)")


def follow_theme(style: str) -> str:
    """Return CSS text with every drawing colour replaced by what it stands for.

    Examples
    --------
    >>> follow_theme(f"fill: {tokens.palette()['key']}; stroke: #123456")
    'fill: var(--attn-key, #a84300); stroke: #123456'
    """
    css = scales.css_by_drawn_colour()
    return _COLOUR.sub(lambda match: css.get(match[0], match[0]), style)


def _tidy(root: ET.Element, prefix: str) -> None:
    """Drop the metadata and unused ids, make the others unique, and translate the colours."""
    for metadata in root.findall(f"{{{_SVG}}}metadata"):
        root.remove(metadata)
    used = set(
        _REFERENCE.findall(" ".join(v for node in root.iter() for v in node.attrib.values()))
    )
    used &= {node.get("id", "") for node in root.iter()}
    for node in root.iter():
        name = node.attrib.pop("id", "")
        for key, text in node.attrib.items():
            text = _REFERENCE.sub(lambda m: f"#{prefix}{m[1]}" if m[1] in used else m[0], text)
            node.set(key, _DRAWN_FONT.sub("var(--attn-ui-font, sans-serif)", follow_theme(text)))
        if name in used:
            node.set("id", prefix + name)
        if (node.text or "").lstrip().startswith("*{"):
            node.text = None
        # A presentation attribute cannot hold var(); a style can.
        for key in ("fill", "stroke"):
            if "var(" in node.get(key, ""):
                node.set("style", f"{key}: {node.attrib.pop(key)}; {node.get('style', '')}")


def svg_of(figure: Any) -> str:
    """Return a :class:`matplotlib.figure.Figure` as an ``<svg>`` element that follows the theme."""
    buffer = io.BytesIO()
    no_metadata = {"Creator": None, "Date": None, "Format": None, "Type": None}
    figure.savefig(
        buffer, format="svg", bbox_inches="tight", transparent=True, metadata=no_metadata
    )
    ET.register_namespace("", _SVG)
    ET.register_namespace("xlink", _XLINK)
    root = ET.fromstring(buffer.getvalue())
    prefix = f"f{hashlib.sha256(buffer.getvalue()).hexdigest()[:8]}-"
    _tidy(root, prefix)
    # At 4/3 CSS pixels a point, a figure's text has about the size of the page's. The viewBox
    # keeps the proportions, and figures.css lets a narrow page shrink the figure.
    width, height = (
        round(float(root.get(side, "0pt")[:-2]) * 4 / 3) for side in ("width", "height")
    )
    root.attrib.update({"width": str(width), "height": str(height), "role": "img"})
    root.set("aria-label", figure.get_label() or "Figure")
    return ET.tostring(root, encoding="unicode")


def html_of(figure: Any) -> str:
    """Return a figure as HTML: the SVG in a ``div`` with the theme's paper behind it."""
    svg = re.sub(r">\s+<", "><", svg_of(figure))
    kind = f'class="attn-figure{" attn-grows" if figure.get_gid() == GROWS else ""}"'
    if figure.get_gid() == KEEPS_SIZE:
        # What scrolls must be reachable by keyboard.
        kind = (
            'class="attn-figure attn-scroll attn-wide" tabindex="0" role="group" '
            'aria-label="Wide figure"'
        )
    return f"{tokens.embedded_css()}<div {kind}>{svg}</div>"

"""A map of ideas: boxes that link to chapters, and arrows with words between them.

It is narrow enough to be read on a phone without being scaled down.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from attnlab.data.course_map import IDEAS, LINKS, Idea, Link
from attnlab.drawing.picture import Picture
from attnlab.drawing.text import escape

_COLUMN, _ROW = 120, 76
_WIDTH, _HEIGHT = 108, 42
_LINE = 14
#: Most characters of a line in a box.
_FITS = 15


def concept_map() -> Picture:
    """Return the map of the course's ideas; every arrow is also told in words."""
    ideas = {idea.chapter: idea for idea in IDEAS}
    arrows = (f"{ideas[a].name} → {words} → {ideas[b].name}" for a, words, b in LINKS)
    description = f"A map of {len(ideas)} ideas. {'; '.join(arrows)}."
    width = _COLUMN * (1 + max(idea.column for idea in IDEAS))
    height = _ROW * max(idea.row for idea in IDEAS) + _HEIGHT + 8
    parts = [*(_arrow(link, ideas) for link in LINKS), *map(_box, IDEAS)]
    html = (
        f'<div class="attn-figure"><svg class="attn-map" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="group" '
        f'aria-label="{escape(description)}">{"".join(parts)}</svg></div>'
    )
    return Picture(html, description)


def _middle(idea: Idea) -> float:
    return _COLUMN * (idea.column + 0.5)


def _top(idea: Idea) -> float:
    return _ROW * idea.row + 4


def _box(idea: Idea) -> str:
    left, top = _middle(idea) - _WIDTH / 2, _top(idea)
    lines = textwrap.wrap(idea.name, _FITS, break_on_hyphens=False, break_long_words=False)
    first = top + _HEIGHT / 2 - _LINE * (len(lines) - 1) / 2
    words = "".join(
        f'<tspan x="{_middle(idea):g}" y="{first + _LINE * number:g}">{escape(line)} </tspan>'
        for number, line in enumerate(lines)
    )
    return (
        f'<a href="{escape(idea.chapter)}.html"><rect x="{left:g}" y="{top:g}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" rx="4"/><text>{words}</text></a>'
    )


def _arrow(link: Link, ideas: Mapping[str, Idea]) -> str:
    start, end = ideas[link.start], ideas[link.end]
    x, y = _middle(start), _top(start) + _HEIGHT
    to_x, to_y = _middle(end), _top(end)
    along = 0.5 if x == to_x else 0.62  # words of neighbouring arrows stay apart
    middle = f'x="{x + along * (to_x - x):g}" y="{y + along * (to_y - y):g}"'
    head = f"M{to_x - 4:g} {to_y - 5:g}L{to_x:g} {to_y:g}L{to_x + 4:g} {to_y - 5:g}"
    return (
        f'<g aria-hidden="true"><path d="M{x:g} {y:g}L{to_x:g} {to_y:g}{head}"/>'
        f"<text {middle}>{escape(link.words)}</text></g>"
    )

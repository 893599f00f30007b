"""Words in a row, and lines from the one that asks back to those that it looks at."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from attnlab.drawing.picture import Picture
from attnlab.drawing.text import escape

#: In CSS pixels: where marks and words stand, where lines end, and how high they rise.
_MARKS, _WORDS, _ENDS, _RISE = 96, 126, 87, 26
_LETTER = 13  # px, with room between words
_TEXT = "font: italic 20px var(--attn-text-font, serif); text-anchor: middle"
_SHAPES = {
    "query": f'<circle cx="{{x:g}}" cy="{_MARKS}" r="7"',
    "key": f'<rect x="{{x:g}}" y="{_MARKS - 6}" transform="translate(-6)" width="12" height="12"',
}


def looks_back(words: Sequence[str], asks: int, to: Collection[int], question: str = "") -> Picture:
    """Return the picture of one word that looks at others.

    Parameters
    ----------
    words : sequence of str
        In their order, at most six.
    asks : int
        Which of them asks: a query, blue and round. The others are keys, orange and square.
    to : collection of int
        Those that it looks at.
    question
        What it asks, where no answer is known yet: it stands above it, and the lines are dashed.

    Raises
    ------
    ValueError
        If there are too many words, or a place is not one of another word.
    """
    places = range(len(words))
    if len(words) > 6:
        raise ValueError(f"{len(words)} words; expected at most 6, which fit a page")
    if asks not in places or not set(to) <= set(places) - {asks}:
        raise ValueError(f"{asks} looks at {sorted(to)}; expected places of {len(words)} words")
    seen = ", ".join(words[place] for place in sorted(to))
    does = f"asks “{question}” of" if question else "looks at"
    description = f"{' '.join(words)}: {words[asks]} {does} {seen}."
    width = len(words) * _step(words)
    drawn = "".join(_parts(words, asks, to, question))
    html = (
        f'<div class="attn-figure"><svg role="img" aria-label="{escape(description)}" '
        f'viewBox="0 0 {width} 136" width="{width}" height="136">{drawn}</svg></div>'
    )
    return Picture(html, description)


def _parts(words: Sequence[str], asks: int, to: Collection[int], question: str) -> Iterator[str]:
    x = [_step(words) * (place + 0.5) for place in range(len(words))]
    stroke = "fill: none; stroke: var(--attn-ink); stroke-width: "
    stroke += "2; stroke-dasharray: 3 5" if question else "4.5"
    for place in to:
        top = _ENDS - _RISE * (1 + abs(place - asks) ** 0.6)
        back = f"{x[asks]:g} {top:.0f},{x[place]:g} {top:.0f},{x[place]:g} {_ENDS}"
        yield f'<path d="M{x[asks]:g} {_ENDS}C{back}" style="{stroke}"/>'
    for place, word in enumerate(words):
        mark, mark_hue, hue = "key", "key-fill", "ink"
        if place == asks:
            mark, mark_hue, hue = "query", "query-fill", "query"
        elif place not in to:
            mark_hue = hue = "muted"
        shape = _SHAPES[mark].format(x=x[place])
        yield f'{shape} style="fill: var(--attn-{mark_hue})"/>{_text(x[place], _WORDS, word, hue)}'
    if question:
        yield _text(x[asks], 20, question, "query")


def _step(words: Sequence[str]) -> int:
    return max(80, _LETTER * max(map(len, words)))


def _text(x: float, y: float, text: str, role: str) -> str:
    return (
        f'<text x="{x:g}" y="{y}" style="{_TEXT}; fill: var(--attn-{role})">{escape(text)}</text>'
    )

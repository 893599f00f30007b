"""Draw a text with arcs from its last word to those that it looks at, as inline SVG.

The writer's ``sheet.ts`` draws the same in a page. Here the lines are broken without knowing the
font: each word is set to the width that is reckoned for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from attnlab.drawing.text import escape, number

_SIZE, _LINE, _WIDTH, _TOP = 22, 46, 430, 34
#: Widths of letters in parts of the size: narrow, wide, others.
_NARROW, _WIDE = set("ijlft,.:;“”? "), set("mwMWOHGNQ")
#: Below these, a weight has no arc, and no number.
_FAINT, _TOLD = 0.03, 0.14


@dataclass(frozen=True)
class _Placed:
    text: str
    x: float
    y: float
    width: float

    @property
    def centre(self) -> float:
        return self.x + self.width / 2


def text_arcs(parts: Sequence[str], weights: NDArray[Any], label: str) -> str:
    """Return the picture of a text whose last word looks back.

    Parameters
    ----------
    parts : sequence of str
        The words with the blanks before them.
    weights : array, shape (num_words,)
        Weights of the last word on each.
    label : str
        Said of the picture, before the largest weight.
    """
    words = _placed(parts)
    asks, height = words[-1], words[-1].y + _SIZE
    arcs, texts = [], []
    for word, weight in zip(words, weights.tolist(), strict=True):
        role = "query" if word is asks else "key" if weight >= _TOLD else "ink"
        if word is not asks and weight >= _FAINT:
            arcs.append(_arc(asks, word, weight))
        if word is not asks and weight >= _TOLD:
            texts.append(_text(word.centre, word.y - 0.85 * _SIZE, number(weight), 'class="w"'))
        size = f'textLength="{word.width:.0f}" lengthAdjust="spacingAndGlyphs"'
        texts.append(_text(word.x, word.y, word.text, f'{size} fill="var(--attn-{role})"'))
    most = int(weights[:-1].argmax())
    said = f"{label}: from “{asks.text}” to “{words[most].text}” {number(float(weights[most]))}."
    return (
        f'<svg class="attn-text-arcs" role="img" aria-label="{escape(said)}" '
        f'viewBox="0 0 {_WIDTH} {height:.0f}" width="{_WIDTH}" height="{height:.0f}">'
        f"<g>{''.join(arcs)}</g>{''.join(t for t in texts if t)}</svg>"
    )


def _placed(parts: Sequence[str]) -> list[_Placed]:
    """Return the words in lines; a word that closes a phrase stays with the one before it."""
    made: list[_Placed] = []
    x, y = 0.0, float(_TOP)
    for i, part in enumerate(parts):
        text = part.lstrip()
        width, blank = _reckoned(text), _reckoned(" ") * (part != text)
        joined = _reckoned(parts[i + 1]) if parts[i + 1 : i + 2] and parts[i + 1][:1] != " " else 0
        if x + blank + width + joined > _WIDTH and blank:
            x, y, blank = 0.0, y + _LINE, 0.0
        made.append(_Placed(text, x + blank, y, width))
        x += blank + width
    return made


def _reckoned(text: str) -> float:
    shares = (0.29 if c in _NARROW else 0.75 if c in _WIDE else 0.5 for c in text)
    return _SIZE * sum(shares)


def _text(x: float, y: float, text: str, more: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" {more}>{escape(text)}</text>' if text else ""


def _arc(asks: _Placed, answers: _Placed, weight: float) -> str:
    x, y, to = asks.centre, asks.y - 0.75 * _SIZE, answers.centre
    if asks.y == answers.y:
        up = y - min(1.1 * _SIZE, 12 + 0.14 * abs(x - to))
        path = f"M{x:.0f} {y:.0f}C{x:.0f} {up:.0f},{to:.0f} {up:.0f},{to:.0f} {y:.0f}"
    else:
        end = answers.y + 0.3 * _SIZE
        bend = max(18.0, (y - end) / 2)
        path = (
            f"M{x:.0f} {y:.0f}C{x:.0f} {y - bend:.0f},{to:.0f} {end + bend:.0f},{to:.0f} {end:.0f}"
        )
    shade = min(1.0, 0.16 + 0.9 * weight)
    return f'<path d="{path}" stroke-width="{0.8 + 5.5 * weight:.1f}" opacity="{shade:.2f}"/>'

"""The block diagram of a GPT, in which the parts that are built already are filled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from attnlab.drawing.text import escape
from attnlab.drawing.tokens import embedded_css, var

LAST_STEP = 8
_WIDTH, _HEIGHT = 340, 462
_LEFT, _RIGHT, _MIDDLE = 84, 274, 179


@dataclass(frozen=True)
class _Box:
    """A part: what it is called, the step that builds it, its place."""

    name: str
    step: int
    x: float
    y: float
    width: float
    height: float = 26


_PARTS = (
    _Box("embeddings + positions", 6, _LEFT, 34, 190),
    _Box("layer norm", 4, _LEFT, 92, 190),
    _Box("", 3, _LEFT, 128, 190, 62),
    _Box("causal mask", 2, _LEFT + 6, 156, 102),
    _Box("softmax", 1, _LEFT + 112, 156, 72),
    _Box("layer norm", 4, _LEFT, 226, 190),
    _Box("feed-forward", 5, _LEFT, 262, 190),
    _Box("layer norm", 4, _LEFT, 334, 190),
    _Box("embeddingsᵀ → logits", 6, _LEFT, 370, 190),
    _Box("loss", 7, _LEFT, 420, 76),
    _Box("next word", 8, _LEFT + 92, 420, 98),
)
_NAMES = (
    "softmax", "causal mask", "attention with several heads", "layer norm",
    "block with feed-forward network", "embeddings, positions and output", "loss", "writing",
)  # fmt: skip


@dataclass(frozen=True)
class GPTDiagram:
    """The diagram after some steps; displays as HTML in a notebook and in the book."""

    done: int

    @property
    def description(self) -> str:
        """The alternative text: what is built and what is missing."""
        built = ", ".join(_NAMES[: self.done]) or "nothing"
        missing = ", ".join(_NAMES[self.done :]) or "nothing"
        return (
            "Block diagram of a GPT. Words become embeddings plus positions; four blocks follow, "
            "each with layer norm and causal attention, added to the stream, then layer norm and "
            "feed-forward network, added again; a last layer norm and the embeddings transposed "
            f"give logits, for loss or next word. Built so far: {built}. Missing: {missing}."
        )

    def _repr_html_(self) -> str:
        return (
            f'{embedded_css()}<div class="attn-stages"><svg role="img" '
            f'aria-label="{escape(self.description)}" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
            f'width="{_WIDTH}" height="{_HEIGHT}" font-size="13" style="margin: 0 auto">'
            f"{''.join(self._marks())}</svg></div>"
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": self.description}

    def _marks(self) -> Iterator[str]:
        ink, line = var("ink"), var("line")
        yield _text(_MIDDLE, 14, "once there was an old fox", ink)
        yield _rectangle(_Box("", 5, _LEFT - 46, 78, 250, 236), self.done >= 5, outer=True)
        yield _text(_LEFT + 216, 198, "× 4", ink)
        yield _line(_MIDDLE, 20, _MIDDLE, 408)
        # One way in training, the other one in writing.
        yield (
            f'<path d="M {_LEFT + 38} 420 V 408 H {_LEFT + 141} V 420" fill="none" '
            f'stroke="{ink}" stroke-width="1.5"/>'
        )
        for y, start in ((206, 84), (304, 220)):
            # Around what is added: the stream itself passes on unchanged.
            yield (
                f'<path d="M {_MIDDLE} {start} H {_LEFT - 22} V {y} H {_MIDDLE}" fill="none" '
                f'stroke="{ink}" stroke-width="1.5"/>'
            )
        for box in _PARTS:
            yield _rectangle(box, self.done >= box.step)
            if box.name:
                yield _named(box, self.done >= box.step)
        yield _named(_Box("attention", 3, _LEFT, 128, 190), self.done >= 3)
        for y in (206, 304):
            yield f'<circle cx="{_MIDDLE}" cy="{y}" r="8" fill="{var("paper")}" stroke="{ink}"/>'
            yield _text(_MIDDLE, y + 4.5, "+", ink)
        yield (
            f'<path d="M {_RIGHT} 433 H {_RIGHT + 48} V 10 H {_RIGHT + 4}" fill="none" '
            f'stroke="{ink if self.done >= LAST_STEP else line}" stroke-width="1.5" '
            f'stroke-dasharray="{"0" if self.done >= LAST_STEP else "4 3"}"/>'
        )


def _rectangle(box: _Box, is_built: bool, outer: bool = False) -> str:
    fill = var("paper") if outer or not is_built else var("desk")
    stroke = var("ink") if is_built else var("hatch")
    dash = "" if is_built else ' stroke-dasharray="4 3"'
    return (
        f'<rect x="{box.x}" y="{box.y}" width="{box.width}" height="{box.height}" rx="4" '
        f'fill="{fill}" stroke="{stroke}" stroke-width="{1.8 if is_built else 1.2}"{dash}/>'
    )


def _named(box: _Box, is_built: bool) -> str:
    """Return a box's name after the number of the step that builds it."""
    colour = var("ink") if is_built else var("muted")
    return _text(box.x + box.width / 2, box.y + 17.5, f"{box.step} {box.name}", colour)


def _text(x: float, y: float, text: str, colour: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="middle" fill="{colour}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    ink = var("ink")
    return f'<path d="M {x1} {y1} L {x2} {y2}" stroke="{ink}" stroke-width="1.5"/>'


def gpt_diagram(done: int = LAST_STEP) -> GPTDiagram:
    """Return the diagram of a GPT in which the first ``done`` steps are built.

    Raises
    ------
    ValueError
        If ``done`` is not from 0 to `LAST_STEP`.
    """
    if not 0 <= done <= LAST_STEP:
        raise ValueError(f"done is {done}; expected 0 to {LAST_STEP}")
    return GPTDiagram(done)

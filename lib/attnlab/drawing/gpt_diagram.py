"""The block diagram of a GPT, whose parts lead to the exercises that build them.

In a page of the course the parts that the reader has built are filled: `coursekit` marks what names
an exercise in ``data-done-by``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from attnlab.drawing.picture import Picture
from attnlab.drawing.text import escape

_WIDTH, _LEFT, _RIGHT, _MIDDLE = 340, 84, 274, 179


@dataclass(frozen=True)
class _Box:
    """A part: its name, the exercise that builds it, its place."""

    name: str
    exercise: str
    x: float
    y: float
    width: float = 190
    height: float = 26


#: Steps of the chapter before, which a GPT in NumPy consists of.
_STEPS = (
    "softmax", "causal-mask", "attention", "layer-norm", "block", "forward", "loss", "writing",
)  # fmt: skip
_PARTS = (
    _Box("block", "block", _LEFT - 46, 78, 250, 236),
    _Box("embeddings + positions", "forward", _LEFT, 34),
    _Box("layer norm", "layer-norm", _LEFT, 92),
    _Box("attention", "attention", _LEFT, 128, 190, 62),
    _Box("causal mask", "causal-mask", _LEFT + 6, 156, 102),
    _Box("softmax", "softmax", _LEFT + 112, 156, 72),
    _Box("layer norm", "layer-norm", _LEFT, 226),
    _Box("feed-forward", "block", _LEFT, 262),
    _Box("layer norm", "layer-norm", _LEFT, 334),
    _Box("embeddingsᵀ → logits", "forward", _LEFT, 370),
)
_ENDS = (
    _Box("loss", "loss", _LEFT, 420, 76),
    _Box("next word", "writing", _LEFT + 92, 420, 98),
)
_TRAINING = (
    _Box("1 batch", "gpt-torch-batch", _LEFT, -26),
    _Box("2 loss", "gpt-torch-loss", _LEFT, 420),
    _Box("lines of a step", "gpt-torch-lines", _LEFT, 462, 112),
    _Box("4 train", "gpt-torch-train", _LEFT + 118, 462, 72),
)
#: Frames around other parts, which have no room for their names: the whole model, and a block.
_MODEL = _Box("3 model", "gpt-torch-module", _LEFT - 56, 16, 270, 390)
_FRAMES = (_MODEL, _PARTS[0])


def gpt_diagram(training: bool = False) -> Picture:
    """Return the diagram of a GPT in NumPy.

    Parameters
    ----------
    training
        Whether it is the model in PyTorch, between its batch and its loss, whose parts lead to the
        chapter that built them in NumPy.
    """
    blocks, ends = "four", "for the loss or the next word"
    if training:
        blocks, ends = "three", "and those a loss, by which each step of training changes them"
    description = (
        f"Block diagram of a GPT. Words become embeddings plus positions; {blocks} blocks "
        "follow, each with layer norm and causal attention, added to the stream, then layer "
        "norm and feed-forward network, added again; a last layer norm and the embeddings "
        f"transposed give logits, {ends}. Each part leads to its exercise."
    )
    top, height = (-30, 524) if training else (0, 462)
    html = (
        f'<div class="attn-figure"><svg class="attn-gpt" role="group" '
        f'aria-label="{escape(description)}" viewBox="0 {top} {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}">{"".join(_marks(training))}</svg></div>'
    )
    return Picture(html, description)


def _marks(training: bool) -> Iterator[str]:
    if training:
        yield _part(_MODEL, training)
    yield _part(_PARTS[0], training)
    yield _text(_RIGHT - 12, 303, "× 3" if training else "× 4")
    # Around what is added: the stream itself passes on unchanged.
    around = "".join(
        f"M{_MIDDLE} {start}H{_LEFT - 22}V{y}H{_MIDDLE - 9}m-6 -4l6 4l-6 4"
        for y, start in ((206, 84), (304, 220))
    )
    into = "".join(f"M{_MIDDLE - 4} {part.y - 6:g}l4 6l4 -6" for part in _PARTS if part.width > 180)
    yield f'<path d="M{_MIDDLE} {0 if training else 20}V408{around}{into}{_ways(training)}"/>'
    if not training:
        yield _text(_MIDDLE, 10, "once there was an old fox")
    for part in (*_PARTS[1:], *(_TRAINING if training else _ENDS)):
        yield _part(part, training)
    for y in (206, 304):
        yield f'<circle cx="{_MIDDLE}" cy="{y}" r="8"/>{_text(_MIDDLE, y, "+")}'
    if training:
        yield _text(_LEFT - 26, 66, "3 model")


def _ways(training: bool) -> str:
    """Return the lines below the logits, and the one that leads back."""
    head = "m6 -4l-6 4l6 4"
    if training:
        return f"M{_MIDDLE} 408V462M{_RIGHT} 475H{_RIGHT + 48}V200H{_RIGHT + 25}{head}"
    # One way in training, the other one in writing.
    both = f"M{_LEFT + 38} 420V408H{_LEFT + 141}V420"
    return f"{both}M{_RIGHT} 433H{_RIGHT + 48}V10H{_RIGHT + 4}{head}"


def _part(box: _Box, training: bool) -> str:
    if box.exercise not in _STEPS:
        return _link(box, box.exercise, box.name)
    number = _STEPS.index(box.exercise) + 1
    exercise = f"gpt-{number}-{box.exercise}"
    if training:
        return _link(box, exercise, box.name, "build-a-gpt.html")
    return _link(box, exercise, f"{number} {box.name}")


def _link(box: _Box, exercise: str, name: str, page: str = "") -> str:
    step, _, label = name.partition(" ") if name[0].isdigit() else ("", "", name)
    beside = 4 if step else 0  # the number, which takes some room
    frame, badge, text = "", "", _text(box.x + box.width / 2 + beside, box.y + 13, label)
    if box in _FRAMES:
        frame, text = ' class="frame"', ""
    elif step:  # On the frame, as a number before a name would be read as a count.
        # Outside of the link: a number in it would belong to its name.
        disc = f'<circle cx="{box.x:g}" cy="{box.y + 13:g}" r="8.5"/>'
        badge = f'<g aria-hidden="true">{disc}{_text(box.x, box.y + 13, step)}</g>'
    spoken = f"Step {step}: {label}" if step else label
    return (
        f'<a href="{page}#exercise-{exercise}" data-done-by="{exercise}" aria-label="{spoken}"'
        f'{frame}><rect x="{box.x}" y="{box.y}" width="{box.width}" '
        f'height="{box.height}" rx="4"/>{text}</a>{badge}'
    )


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}">{escape(text)}</text>'

"""The blocks of the Transformer's diagram: their places and lines, for Python and the front end."""

from __future__ import annotations

from typing import Any

from attnlab.drawing.text import escape
from attnlab.drawing.tokens import var

WIDTH, HEIGHT = 372, 510
_BOX, _BOX_HEIGHT, _NORM, _PITCH = 132, 60, 18, 92
_STREAM = {"encoder": 13, "decoder": 359}
_LEFT = {"encoder": 38, "decoder": 202}
_EMBEDDING, _BOTTOM = 418, 390  # upper end of the embedding; lower end of the first sublayer
_GLYPH = 30  # of a mask, both ways

#: Each block: id, title, the lines of its label, and what it does.
_BLOCKS = {
    "encoder.embedding": (
        "Embedding and position", "Embedding",
        "Each source token becomes a row of 32 numbers, times √32, plus the vector of its place.",
    ),
    "encoder.self": (
        "Self-attention", "Self-\nattention",
        "Every source token attends to every source token. The result is added to the stream.",
    ),
    "encoder.network": (
        "Feed-forward network", "Feed-forward\nnetwork",
        "Two linear layers, the same for each token by itself. Nothing moves between tokens here.",
    ),
    "encoder.output": (
        "Encoder’s output", "Encoder’s\noutput",
        "The end of the stream, normalised once more. It is computed once for a whole translation.",
    ),
    "decoder.embedding": (
        "Embedding and position", "Embedding",
        "The target, shifted by one place: it begins with a mark, and its last token is new.",
    ),
    "decoder.self": (
        "Causal self-attention", "Causal self-\nattention",
        "Each target token attends to itself and to those before it, never to later ones.",
    ),
    "decoder.cross": (
        "Cross-attention", "Cross-\nattention",
        "The only place where the two streams meet: target tokens attend to source tokens.",
    ),
    "decoder.network": (
        "Feed-forward network", "Feed-forward\nnetwork",
        "Two linear layers, the same for each token by itself, as in the encoder.",
    ),
    "decoder.scores": (
        "Output layer", "Output layer",
        "One score for each French token at each place. A softmax makes probabilities of the last "
        "row, and the likeliest token is written.",
    ),
}  # fmt: skip
_SUBLAYERS = {"encoder": ("self", "network"), "decoder": ("self", "cross", "network")}
_ATTENTIONS = ("encoder.self", "decoder.self", "decoder.cross")


def blocks() -> list[dict[str, Any]]:
    """Return each block: id, title, label, text, upper left corner, height and mask's side."""
    made = []
    for name, (title, label, text) in _BLOCKS.items():
        stack, part = name.split(".")
        norm = 0 if part == "embedding" else _NORM
        made.append(
            {"id": name, "title": title, "label": label.split("\n"), "text": text,
             "x": _LEFT[stack], "y": _top(stack, part), "width": _BOX,
             "height": _BOX_HEIGHT - _NORM + norm, "norm": norm,
             "glyph": _GLYPH if name in _ATTENTIONS else 0}
        )  # fmt: skip
    return made


def streams() -> list[dict[str, Any]]:
    """Return each part of the two streams that has a tensor of its own: id, x, and both ends."""
    made = []
    for stack, sublayers in _SUBLAYERS.items():
        ends = [_EMBEDDING, *(_top(stack, part) - 6 for part in sublayers)]
        last = _top(stack, "output" if stack == "encoder" else "scores") + _BOX_HEIGHT - _NORM / 2
        for number, (low, high) in enumerate(zip(ends, [*ends[1:], last], strict=True)):
            made.append({"id": f"{stack}.stream.{number}", "x": _STREAM[stack],
                         "low": low, "high": high})  # fmt: skip
    return made


def wires() -> list[list[str]]:
    """Return each line as its role and its path."""
    made = []
    for stack, sublayers in _SUBLAYERS.items():
        x = _STREAM[stack]
        side = _LEFT[stack] + (_BOX if stack == "decoder" else 0)
        for part in sublayers:
            top = _top(stack, part)
            low = top + _BOX_HEIGHT
            roles = {"self": ("query", "key", "value"), "cross": ("query",)}.get(part, ("ink",))
            for number, role in enumerate(roles):
                y = low - 9 + 5 * (number - (len(roles) - 1) / 2)
                made.append([role, f"M{x} {low + 14}C{x} {y + 3:g} {x} {y:g} {side} {y:g}"])
            y = top + 15
            made.append(["ink", f"M{side} {y}C{x} {y} {x} {y} {x} {top - 2}"])
        end = _top(stack, "output" if stack == "encoder" else "scores") + _BOX_HEIGHT - _NORM / 2
        made.append(["stream", f"M{x} {end:g}H{side}"])
        foot = _EMBEDDING + 21
        made.append(["stream", f"M{side} {foot}H{x}V{_EMBEDDING}"])
    start, end = _LEFT["encoder"] + _BOX, _LEFT["decoder"]
    above, below = _top("encoder", "output") + 14, _top("decoder", "cross") + 14
    for role, shift in (("key", 0), ("value", 10)):
        bend = (start + end) / 2 + (6 if role == "key" else -6)
        made.append([role, f"M{start} {above + shift}C{bend:g} {above + shift} {bend:g} "
                     f"{below + shift} {end} {below + shift}"])  # fmt: skip
    return made


def frames() -> list[list[float]]:
    """Return what a stack repeats: x, y, width and height of each frame."""
    low = _BOTTOM + 12
    tops = {stack: _top(stack, "network") - 26 for stack in _SUBLAYERS}
    return [[0 if stack == "encoder" else 194, top, 178, low - top] for stack, top in tops.items()]


def _top(stack: str, part: str) -> int:
    """Return the upper end of a block."""
    if part == "embedding":
        return _EMBEDDING
    order = [*_SUBLAYERS[stack], "output" if stack == "encoder" else "scores"]
    gap = 8 if order.index(part) == len(order) - 1 and stack == "decoder" else 0
    return _BOTTOM - _BOX_HEIGHT - _PITCH * order.index(part) - gap


def picture(label: str) -> str:
    """Return the still diagram as SVG."""
    parts = [
        f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="6" style="fill:{var("desk")}"/>'
        f'<text x="{x + w / 2:g}" y="{y + 17}" style="{_text("muted")}">× 2 layers</text>'
        for x, y, w, h in frames()
    ]
    parts += [
        f'<path d="M{s["x"]} {s["low"]}V{s["high"]}" style="stroke:{var("line")};stroke-width:8"/>'
        for s in streams()
    ]
    for role, path in wires():
        colour, width = (var("line"), 8) if role == "stream" else (_hue(role), 2)
        parts.append(f'<path d="{path}" style="fill:none;stroke:{colour};stroke-width:{width}"/>')
    parts += map(_box, blocks())
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def _box(block: dict[str, Any]) -> str:
    x, y, width, height = (block[name] for name in ("x", "y", "width", "height"))
    frame = f"fill:{var('paper')};stroke:{var('muted')};stroke-width:1.2"
    middle = y + (height - block["norm"]) / 2
    lines = block["label"]
    text = "".join(
        f'<text x="{x + width / 2:g}" y="{middle + 5 + 16 * (i - (len(lines) - 1) / 2):g}" '
        f'style="{_text("ink")}">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    norm = ""
    if block["norm"]:
        edge = y + height - block["norm"]
        norm = (
            f'<path d="M{x} {edge}h{width}" style="stroke:{var("line")}"/>'
            f'<text x="{x + width / 2:g}" y="{edge + 13}" style="{_text("muted")}">norm</text>'
        )
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" style="{frame}"/>'
        f"{text}{norm}"
    )


def _hue(role: str) -> str:
    return var("muted") if role == "ink" else var(f"{role}-fill")


def _text(role: str) -> str:
    return f"fill:{var(role)};font-size:13.5px;text-anchor:middle"

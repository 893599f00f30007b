"""The block diagram of a Transformer, drawn from a model and the shapes inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from attnlab.drawing.block_parts import Kind, block, mark, plus, wire
from attnlab.drawing.boxes import canvas, figure_of, label
from attnlab.drawing.matplotlib_style import describe

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 4.1  # of a sublayer's block
STEP = 1.9  # from one sublayer to the next
BOTTOM = 7.9  # of the layers
NAMES: dict[Kind, str] = {
    "encoder": "self-attention",
    "causal": "causal self-attention",
    "cross": "cross-attention",
}
SEEN: dict[Kind, str] = {
    "encoder": "source to all of the source",
    "causal": "target to itself and earlier",
    "cross": "target to all of the source",
}


class Sublayer(NamedTuple):
    """One sublayer: its name and the shape of its weights or widths, and which attention it is."""

    name: str
    shape: str
    kind: Kind | None = None


def shapes(model: Any, num_source: int, num_target: int) -> dict[str, tuple[int, ...]]:
    """Return the shape of each module's output in a pass over so many tokens, by its name.

    Attentions have the shape of their weights instead, (num_heads, num_queries, num_keys).
    """
    found: dict[str, tuple[int, ...]] = {}

    def keep(name: str) -> Any:
        def hook(_module: Any, _inputs: Any, output: Any) -> None:
            found[name] = tuple(output.shape[1:])

        return hook

    wanted = ("embed_source", "embed_target", "encoder.norm", "decoder.norm", "to_scores")
    hooks = [
        module.register_forward_hook(keep(name))
        for name, module in model.named_modules()
        if name in wanted
    ]
    zeros = model.to_scores.weight.new_zeros
    source, target = (zeros((1, n)).long() for n in (num_source, num_target))
    try:
        model(source, target)
    finally:
        for hook in hooks:
            hook.remove()
    x = model.embed(source, model.embed_source, "source")
    _, own = model.encoder(x, return_weights=True)
    y = model.embed(target, model.embed_target, "target")
    _, weights = model.decoder(y, model.encode(source), return_weights=True)
    found |= {"encoder": tuple(own[0].shape[1:]), "causal": tuple(weights[0]["self"].shape[1:])}
    return found | {"cross": tuple(weights[0]["cross"].shape[1:])}


def transformer_blocks(model: Any, num_source: int, num_target: int) -> Figure:
    """Draw the blocks of an encoder-decoder, with the shapes of a pass over so many tokens.

    Parameters
    ----------
    model : attn.torch.Transformer
        With both stacks.
    num_source, num_target : int
    """
    found = shapes(model, num_source, num_target)
    layer = model.encoder.layers[0]
    hidden = layer.feed_forward[0].out_features
    network = Sublayer("feed-forward network", f"{model.d_model} → {hidden} → {model.d_model}")
    attentions = {kind: Sublayer(name, str(found[kind]), kind) for kind, name in NAMES.items()}
    ax = canvas(6.4, (-0.3, 11.8), (-1.0, 10.7), keeps_size=True)
    norm_first = layer.norm_first
    left, right = 0.0, 6.7
    top = _stack(ax, left, [attentions["encoder"], network], norm_first, len(model.encoder.layers))
    _stack(
        ax,
        right,
        [attentions["causal"], attentions["cross"], network],
        norm_first,
        len(model.decoder.layers),
    )
    _foot(ax, left, "source tokens", num_source, found["embed_source"])
    _foot(ax, right, "target tokens, shifted", num_target, found["embed_target"])
    _memory(ax, top, found["encoder.norm"])
    _head(ax, right, found["to_scores"])
    _legend(ax)
    describe(ax, _description(found, model, norm_first))
    return figure_of(ax)


def _stack(
    ax: Axes, left: float, sublayers: list[Sublayer], norm_first: bool, layers: int
) -> float:
    """Draw the layer of one stack around its residual stream; return the y of its upper end."""
    from matplotlib.patches import Rectangle

    from attnlab.drawing.tokens import palette

    stream, bottom = left + 0.25, BOTTOM
    top = bottom - STEP * len(sublayers)
    frame = Rectangle(
        (left - 0.15, top - 0.15),
        WIDTH + 1.0,
        bottom - top + 0.25,
        facecolor=palette()["desk"],
        edgecolor=palette()["line"],
    )
    ax.add_patch(frame)
    label(ax, left + WIDTH + 0.8, top - 0.4, f"× {layers} layers", "muted", "right", 9)
    for index, sublayer in enumerate(sublayers):
        _sublayer(ax, left, bottom - STEP * index, sublayer, norm_first)
    wire(ax, [(stream, bottom + 0.3), (stream, top - 0.15)], "ink", arrow=False)
    return top - 0.15


def _sublayer(ax: Axes, left: float, bottom: float, part: Sublayer, norm_first: bool) -> None:
    """Draw a branch off the stream: norm and sublayer, and the sum; the norm after it if last."""
    stream, x = left + 0.25, left + 0.75
    role = part.kind or "ink"
    branch = (bottom - 0.1, bottom - STEP + 0.3)
    sides = ((x, branch[0] - 0.25), (x, branch[1]))
    wire(ax, [(stream, sides[0][1]), sides[0]], "ink")
    lines = f"{'norm' if norm_first else ''}\n{part.name}\n{part.shape}"
    corner, size = (x, branch[1] - 0.1), (WIDTH, branch[0] - branch[1])
    block(ax, corner, size, lines, role, heavy=part.kind is not None)
    wire(ax, [sides[1], (stream + 0.2, sides[1][1])], "ink")
    plus(ax, (stream, sides[1][1]))
    if not norm_first:
        label(ax, stream - 0.3, sides[1][1] - 0.3, "norm", "muted", "left", 9)
    if part.kind is not None:
        mark(ax, (x + 0.12, corner[1] + 0.12), part.kind)


def _foot(ax: Axes, left: float, name: str, tokens: int, shape: tuple[int, ...]) -> None:
    stream = left + 0.25
    block(ax, (left, 8.4), (WIDTH + 0.7, 0.9), f"embedding · √{shape[-1]} + positions\n{shape}")
    wire(ax, [(stream, 8.4), (stream, 8.15)], "ink", arrow=False)
    block(ax, (left, 9.8), (WIDTH + 0.7, 0.8), f"{name}  ({tokens},)")
    middle = left + (WIDTH + 0.7) / 2
    wire(ax, [(middle, 9.8), (middle, 9.35)], "ink")


def _memory(ax: Axes, top: float, shape: tuple[int, ...]) -> None:
    """Draw the way of the encoder's output to the cross-attention of every decoder layer."""
    block(ax, (0, top - 1.5), (WIDTH + 0.7, 0.8), f"encoder's output  {shape}")
    wire(ax, [(0.25, top), (0.25, top - 0.65)], "ink")
    crossing = BOTTOM - STEP * 1.5
    points = [(WIDTH + 0.7, top - 1.1), (5.85, top - 1.1), (5.85, crossing), (7.4, crossing)]
    wire(ax, points, "cross")
    label(ax, 5.95, top - 1.45, "K, V", "cross", "left", 9)


def _head(ax: Axes, left: float, shape: tuple[int, ...]) -> None:
    top = BOTTOM - STEP * 3 - 0.15
    block(ax, (left, top - 1.5), (WIDTH + 0.7, 0.8), f"norm, output layer  {shape}")
    wire(ax, [(left + 0.25, top), (left + 0.25, top - 0.65)], "ink")
    block(ax, (left, top - 2.9), (WIDTH + 0.7, 0.9), "softmax: the next token\nat each place")
    middle = left + (WIDTH + 0.7) / 2
    wire(ax, [(middle, top - 1.5), (middle, top - 1.95)], "ink")


def _legend(ax: Axes) -> None:
    for row, (kind, seen) in enumerate(SEEN.items()):
        mark(ax, (0.0, -0.7 + 0.75 * row), kind)
        label(ax, 0.75, -0.5 + 0.75 * row, seen, kind, "left", 9)


def _description(found: dict[str, tuple[int, ...]], model: Any, norm_first: bool) -> str:
    place = "before" if norm_first else "after"
    return (
        f"Block diagram. Left, the encoder: source tokens are embedded, {found['embed_source']}, "
        f"and pass {len(model.encoder.layers)} layers of self-attention, weights "
        f"{found['encoder']}, and a feed-forward network. Right, the decoder: "
        f"{len(model.decoder.layers)} layers of causal self-attention, weights {found['causal']}, "
        f"cross-attention to the encoder's output, weights {found['cross']}, and a feed-forward "
        f"network; then the output layer, {found['to_scores']}. Each sublayer's output is added to "
        f"the residual stream, with a layer normalisation {place} it."
    )

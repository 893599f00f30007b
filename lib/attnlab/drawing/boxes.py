"""Block diagrams: boxes with text on a canvas, and multi-head attention as one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

import attn
from attnlab.drawing.matplotlib_style import describe
from attnlab.drawing.svg import KEEPS_SIZE
from attnlab.drawing.tokens import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Marks and names of what a head gets; in cells, from Q to K, and from a head to the one behind it.
INPUTS = {"query": "● Q", "key": "■ K", "value": "▲ V"}
COLUMN, SHIFT = 3.15, 0.28


def canvas(
    width: float, x: tuple[float, float], y: tuple[float, float], *, keeps_size: bool = False
) -> Axes:
    """Return empty axes without a frame, y pointing down; ``width`` in inches.

    A figure that keeps its size scrolls in a narrow page, so that its text stays legible.
    """
    from matplotlib.figure import Figure

    height = width * (y[1] - y[0]) / (x[1] - x[0])
    figure = Figure(figsize=(width, height))
    figure.set_gid(KEEPS_SIZE if keeps_size else None)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=x, ylim=(y[1], y[0]), aspect="equal")
    ax.axis("off")
    return ax


def box(
    ax: Axes,
    corner: tuple[float, float],
    text: str,
    role: str = "ink",
    *,
    width: float,
    height: float = 1.0,
    double: bool = False,
) -> None:
    """Draw a box with a text in its middle, its upper left corner at ``corner``.

    Parameters
    ----------
    role
        ``"query"``, ``"key"`` or ``"value"`` colours frame and text; ``"ink"`` is a plain box.
    double
        Draw a second outline, the mark of an output.
    """
    from matplotlib.patches import Rectangle

    colours, (x, y) = palette(), corner
    edge = colours["line" if role == "ink" else role]
    ax.add_patch(Rectangle(corner, width, height, fill=False, edgecolor=edge, linewidth=1.4))
    if double:
        inside = (x + 0.08, y + 0.08), width - 0.16, height - 0.16
        ax.add_patch(Rectangle(*inside, fill=False, edgecolor=edge))
    middle = x + width / 2, y + height / 2
    ax.text(*middle, text, ha="center", va="center", color=colours[role], fontsize=10)


def multi_head_blocks(
    num_queries: int, num_keys: int, *, d_model: int, num_heads: int, head_dim: int
) -> Figure:
    """Draw how tokens x attend to tokens y in several heads, with the shapes of a real layer.

    Parameters
    ----------
    num_queries, num_keys : int
        Tokens of x and of y.
    d_model, num_heads, head_dim : int
        Sizes of the layer.
    """
    found = _shapes(num_queries, num_keys, d_model, num_heads, head_dim)
    ax = canvas(6.2, (-0.3, 10.1), (-0.3, 12.7), keeps_size=True)
    for column, (role, name) in enumerate(INPUTS.items()):
        _input(ax, column * COLUMN, role, name, found)
    _heads(ax, num_heads, found)
    size: dict[str, Any] = {"width": 9.2, "height": 0.9}
    box(ax, (0, 1.7), f"▲ heads side by side  {found['merged']}", "value", **size)
    box(ax, (0, 0.0), f"· W^O {found['w_output']} = output  {found['output']}", **size)
    _wire(ax, 4.6, 3.5, 2.65, "value")
    _wire(ax, 4.6, 1.7, 0.95, "value")
    describe(ax, _description(num_heads, found))
    return cast("Figure", ax.figure)


def _shapes(
    num_queries: int, num_keys: int, d_model: int, num_heads: int, head_dim: int
) -> dict[str, tuple[int, ...]]:
    """Return the shapes inside a layer, read from its arrays."""
    layer = attn.MultiHeadAttention(d_model, num_heads, head_dim, rng=0)
    x, y = np.ones((num_queries, d_model)), np.ones((num_keys, d_model))
    projected = {"query": x @ layer.w_query, "key": y @ layer.w_key, "value": y @ layer.w_value}
    heads = {name: attn.split_heads(array, num_heads) for name, array in projected.items()}
    outputs, weights = attn.scaled_dot_product_attention(
        heads["query"], heads["key"], heads["value"], return_weights=True
    )
    found = {"x": x.shape, "y": y.shape, "w": layer.w_query.shape}
    found |= {name: array.shape for name, array in projected.items()}
    found |= {f"split {name}": array.shape for name, array in heads.items()}
    found |= {"weights": weights.shape, "outputs": outputs.shape}
    merged = attn.merge_heads(outputs)
    found |= {"merged": merged.shape, "w_output": layer.w_output.shape}
    return found | {"output": (merged @ layer.w_output).shape}


def _wire(ax: Axes, x: float, start: float, end: float, role: str) -> None:
    """Draw an arrow that leads down."""
    style = {"arrowstyle": "-|>", "color": palette()[role], "linewidth": 1.2, "mutation_scale": 9}
    ax.annotate("", (x, end), (x, start), arrowprops={**style, "shrinkA": 0, "shrinkB": 0})


def _input(ax: Axes, x: float, role: str, name: str, found: dict[str, Any]) -> None:
    """Draw the projection of one of the three inputs and its split into heads."""
    tokens, width = ("x" if role == "query" else "y"), 2.9
    middle, letter = x + width / 2, name[-1]
    box(ax, (x, 11.5), f"{tokens}  {found[tokens]}", width=width, height=0.9)
    _wire(ax, middle, 11.5, 10.95, role)
    product = f"· W^{letter} {found['w']}\n{name} {found[role]}"
    box(ax, (x, 9.4), product, role, width=width, height=1.5)
    _wire(ax, middle, 9.4, 8.85, role)
    box(ax, (x, 7.4), f"split\n{found[f'split {role}']}", role, width=width, height=1.4)
    _wire(ax, middle, 7.4, 6.45, role)


def _heads(ax: Axes, num_heads: int, found: dict[str, Any]) -> None:
    """Draw the heads behind one another, the first in front."""
    from matplotlib.patches import Rectangle

    colours = palette()
    look: dict[str, Any] = {"facecolor": colours["paper"], "edgecolor": colours["ink"]}
    for behind in reversed(range(num_heads)):
        corner = (behind * SHIFT, 3.5 + (num_heads - 1 - behind) * SHIFT - SHIFT)
        ax.add_patch(Rectangle(corner, 9.2, 2.4, linewidth=1.2, **look))
    _, queries, keys = found["weights"]
    front = 3.5 + (num_heads - 2) * SHIFT
    text = (
        f"head 1 of {num_heads}: softmax(QKᵀ / √{found['split query'][-1]}) V",
        f"weights ({queries}, {keys}), output {found['outputs'][1:]}",
    )
    for row, line in enumerate(text):
        y = front + 0.85 + 0.7 * row
        ax.text(4.6, y, line, ha="center", va="center", color=palette()["ink"], fontsize=9)


def _description(num_heads: int, found: dict[str, Any]) -> str:
    return (
        f"Block diagram. Queries come from x, {found['x']}; keys and values from y, {found['y']}. "
        f"Each is multiplied by a matrix of shape {found['w']} and split into {num_heads} heads: "
        f"queries {found['split query']}, keys {found['split key']}. Each head computes weights, "
        f"all heads {found['weights']}, and an output, {found['outputs']}. The outputs side by "
        f"side, {found['merged']}, times W^O, {found['w_output']}, give {found['output']}."
    )

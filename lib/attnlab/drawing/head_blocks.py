"""Draw multi-head attention as blocks, from a layer and the shapes inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import attn
from attnlab.drawing.block_parts import block, wire
from attnlab.drawing.boxes import canvas, figure_of, label
from attnlab.drawing.marks import Role
from attnlab.drawing.matplotlib_style import describe

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INPUTS: dict[Role, str] = {"query": "● Q", "key": "■ K", "value": "▲ V"}
COLUMN = 3.15  # from Q to K, and from K to V
SHIFT = 0.28  # from a head to the one behind it


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
    block(ax, (0, 1.7), (9.2, 0.9), f"▲ heads side by side  {found['merged']}", "value")
    block(ax, (0, 0.0), (9.2, 0.9), f"· W^O {found['w_output']} = output  {found['output']}")
    wire(ax, [(4.6, 3.5), (4.6, 2.65)], "value")
    wire(ax, [(4.6, 1.7), (4.6, 0.95)], "value")
    describe(ax, _description(num_heads, found))
    return figure_of(ax)


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


def _input(ax: Axes, x: float, role: Role, name: str, found: dict[str, Any]) -> None:
    """Draw the projection of one of the three inputs and its split into heads."""
    tokens, width = ("x" if role == "query" else "y"), 2.9
    middle, letter = x + width / 2, name[-1]
    block(ax, (x, 11.5), (width, 0.9), f"{tokens}  {found[tokens]}")
    wire(ax, [(middle, 11.5), (middle, 10.95)], role)
    block(ax, (x, 9.4), (width, 1.5), f"· W^{letter} {found['w']}\n{name} {found[role]}", role)
    wire(ax, [(middle, 9.4), (middle, 8.85)], role)
    block(ax, (x, 7.4), (width, 1.4), f"split\n{found[f'split {role}']}", role)
    wire(ax, [(middle, 7.4), (middle, 6.45)], role)


def _heads(ax: Axes, num_heads: int, found: dict[str, Any]) -> None:
    """Draw the heads behind one another, the first in front."""
    from matplotlib.patches import Rectangle

    from attnlab.drawing.tokens import palette

    colours = palette()
    for behind in reversed(range(num_heads)):
        corner = (behind * SHIFT, 3.5 + (num_heads - 1 - behind) * SHIFT - SHIFT)
        ax.add_patch(
            Rectangle(
                corner,
                9.2,
                2.4,
                facecolor=colours["paper"],
                edgecolor=colours["ink"],
                linewidth=1.2,
            )
        )
    _, queries, keys = found["weights"]
    front = 3.5 + (num_heads - 2) * SHIFT
    text = (
        f"head 1 of {num_heads}: softmax(QKᵀ / √{found['split query'][-1]}) V",
        f"weights ({queries}, {keys}), output {found['outputs'][1:]}",
    )
    for row, line in enumerate(text):
        label(ax, 4.6, front + 0.85 + 0.7 * row, line, "ink", size=9)


def _description(num_heads: int, found: dict[str, Any]) -> str:
    return (
        f"Block diagram. Queries come from x, {found['x']}; keys and values from y, {found['y']}. "
        f"Each is multiplied by a matrix of shape {found['w']} and split into {num_heads} heads: "
        f"queries {found['split query']}, keys {found['split key']}. Each head computes weights, "
        f"all heads {found['weights']}, and an output, {found['outputs']}. The outputs side by "
        f"side, {found['merged']}, times W^O, {found['w_output']}, give {found['output']}."
    )

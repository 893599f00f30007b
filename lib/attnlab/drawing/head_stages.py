"""The running picture with heads: each head's weights and output, and their concatenation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import attn
from attnlab.data import four_tokens
from attnlab.drawing.matrix_svg import Matrix, panel_svg
from attnlab.drawing.picture import Picture
from attnlab.drawing.stages import side_by_side
from attnlab.drawing.text import subscript, vector_text

Numbers = NDArray[np.float64]
_SIZES = ("num_queries", "num_keys")


def head_stages(
    highlight: str | None = None,
    *,
    heads: Sequence[Sequence[ArrayLike]] = four_tokens.HEADS,
    x: ArrayLike = four_tokens.X,
    tokens: Sequence[str] = four_tokens.TOKENS,
) -> Picture:
    """Draw several heads of the running picture, and their outputs side by side.

    Parameters
    ----------
    highlight
        The token whose query is followed: its row is framed in every array.
    heads
        W^Q, W^K and W^V of each head; by default the two of the running example.
    x, tokens
        Embeddings, shape ``(num_tokens, d_model)``, and their labels.

    Raises
    ------
    ValueError
        If ``highlight`` is not a token.

    Examples
    --------
    >>> head_stages().description.split(". ")[0]
    '2 heads attend within the tokens the, cat, drank, milk'
    """
    if highlight is not None and highlight not in tokens:
        raise ValueError(f"highlight is {highlight!r}; expected one of {', '.join(tokens)}")
    row = None if highlight is None else list(tokens).index(highlight)
    embedded = np.asarray(x, float)
    results = [_attention(embedded, projections) for projections in heads]
    panels = _panels(results, tokens, row)
    return side_by_side(panels, " ".join(_sentences(results, tokens, row)))


def _attention(x: Numbers, projections: Sequence[ArrayLike]) -> tuple[Numbers, Numbers]:
    """Return the output and the weights of one head."""
    query, key, value = (x @ np.asarray(w, float) for w in projections)
    output, weights = attn.scaled_dot_product_attention(query, key, value, return_weights=True)
    return output, weights


def _panels(
    results: Sequence[tuple[Numbers, Numbers]], tokens: Sequence[str], row: int | None
) -> Iterator[str]:
    rows: dict[str, Any] = {"rows": tokens, "row_role": "query", "framed": row}
    for head, (output, weights) in enumerate(results, 1):
        index = subscript(head)
        matrices = [
            Matrix(weights, f"A{index}", _SIZES, "weights", columns=tokens, **rows),
            Matrix(
                output,
                f"▲ H{index} = A{index} V{index}",
                (_SIZES[0], "head_dim"),
                "output",
                columns=(),
                framed=row,
            ),
        ]
        yield panel_svg(f"head {head}: weights and output", matrices)
    joined = np.concatenate([output for output, _ in results], axis=-1)
    axes = (_SIZES[0], "num_heads · head_dim")
    heads = ", ".join(f"H{subscript(head)}" for head in range(1, len(results) + 1))
    names = _over([output.shape[1] for output, _ in results])
    labels: dict[str, Any] = {"columns": names, "column_role": "value", **rows}
    concatenation = Matrix(joined, f"▲ Concat({heads})", axes, "output", **labels)
    yield panel_svg("→ concatenation", [concatenation])


def _over(widths: Sequence[int]) -> list[str]:
    """Return labels of columns that name each head over the middle of its block."""
    labels = []
    for head, width in enumerate(widths, 1):
        block = [""] * width
        block[width // 2] = f"H{subscript(head)}"
        labels += block
    return labels


def _sentences(
    results: Sequence[tuple[Numbers, Numbers]], tokens: Sequence[str], row: int | None
) -> Iterator[str]:
    """Yield the alternative text."""
    yield f"{len(results)} heads attend within the tokens {', '.join(tokens)}."
    for head, (output, weights) in enumerate(results, 1):
        yield f"Head {head}: weights {weights.shape}, output {output.shape}."
        if row is not None:
            yield f"For {tokens[row]} its weights are {vector_text(weights[row])}"
            yield f"and its output is {vector_text(output[row])}."
    width = sum(output.shape[1] for output, _ in results)
    yield f"Side by side the outputs have shape {(len(tokens), width)}."

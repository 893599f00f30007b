"""The running picture: X → Q, K, V → scores → weights → output, as many stages as are wanted.

With heads it shows the weights and the output of each, and their concatenation.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

import attn
from attnlab.data.four_tokens import HEADS, PROJECTIONS, TOKENS, X
from attnlab.drawing.matrix_svg import Matrix, panel_svg
from attnlab.drawing.picture import Picture
from attnlab.drawing.text import escape, subscript, vector_text

Numbers = NDArray[np.float64]
Tokens = Sequence[str]
_SIZES, _EMBEDDED = ("num_queries", "num_keys"), ("num_tokens", "d_model")


class _Stage(NamedTuple):
    """Panels with their headings, and what the framed row of the first matrix is in words."""

    panels: list[tuple[str, list[Matrix]]]
    followed: str = ""


def attention_stages(
    stages: int = 5,
    highlight: str | None = None,
    *,
    since: int = 1,
    mask: ArrayLike | None = None,
    x: ArrayLike = X,
    tokens: Tokens = TOKENS,
    y: ArrayLike | None = None,
    y_tokens: Tokens = (),
    positions: ArrayLike | None = None,
) -> Picture:
    """Draw the running picture: the same tokens from their embeddings to the output.

    Parameters
    ----------
    stages
        The last stage shown, from 1 to 5: X; Q, K, V; scores; weights; output. A mask adds one
        between scores and weights, so that weights are stage 5 and the output is stage 6.
    highlight
        The token whose query is followed: its row is framed in every array.
    since
        The first stage shown.
    mask
        Boolean, broadcastable to ``(num_queries, num_keys)``; True = may attend. A hidden cell is
        hatched in the masked scores and in the weights.
    x, tokens
        Embeddings that make the queries, shape ``(num_queries, d_model)``, and their labels;
        by default "the cat drank milk".
    y, y_tokens
        Embeddings that make the keys and values, shape ``(num_keys, d_model)``, and their labels;
        by default ``x`` (self-attention).
    positions
        What is added to ``x``, of the same shape; the first stage then shows X, P and X + P.

    Raises
    ------
    ValueError
        If ``stages`` or ``since`` is not a stage, ``highlight`` is not a token, or labels or
        ``positions`` do not fit.

    Examples
    --------
    >>> attention_stages(1)
    The tokens the, cat, drank, milk. X: (num_tokens, d_model) = (4, 5).
    """
    last = 5 if mask is None else 6
    if stages not in range(1, last + 1):
        raise ValueError(f"stages is {stages!r}; expected a whole number from 1 to {last}")
    if since not in range(1, stages + 1):
        raise ValueError(f"since is {since!r}; expected a whole number from 1 to {stages}")
    row = _row_of(highlight, tokens)
    embedded = _checked(x, tokens)
    own: dict[str, Any] = {"rows": tokens, "framed": row}
    first = [("stage 1: tokens", [Matrix(embedded, "X", _EMBEDDED, "ink", **own)])]
    if positions is not None:
        added = np.asarray(positions, float)
        if added.shape != embedded.shape:
            raise ValueError(f"positions have shape {added.shape}; expected {embedded.shape}, as x")
        embedded = embedded + added
        first.append(("+ positions", [Matrix(added, "P", _EMBEDDED, "ink", **own)]))
        first.append(("= both", [Matrix(embedded, "X + P", _EMBEDDED, "ink", **own)]))
    source, name = (embedded, tokens), "X"
    if y is not None:
        source, name = (_checked(y, y_tokens), y_tokens), "Y"
        first.append(("stage 1: source", [Matrix(source[0], name, _EMBEDDED, "ink", y_tokens)]))
    every = [_Stage(first), *_computed((embedded, tokens), source, name, mask, row)]
    shown = every[since - 1 : stages]
    drawn = (panel_svg(*panel) for stage in shown for panel in stage.panels)
    return _side_by_side(drawn, " ".join(_sentences(shown, tokens, row)))


def _row_of(token: str | None, tokens: Tokens) -> int | None:
    """Return where the token stands that is followed, if one is."""
    if token is not None and token not in tokens:
        raise ValueError(f"highlight is {token!r}; expected one of {', '.join(tokens)}")
    return None if token is None else list(tokens).index(token)


def _side_by_side(panels: Iterable[str], description: str) -> Picture:
    """Return a picture of several SVGs, one for each stage."""
    divs = "".join(f"<div>{panel}</div>" for panel in panels)
    label = f'role="img" aria-label="{escape(description)}"'
    return Picture(f'<div class="attn-stages" {label}>{divs}</div>', description)


def _checked(values: ArrayLike, labels: Tokens) -> Numbers:
    array = np.asarray(values, float)
    if array.ndim != 2 or len(labels) != len(array):
        raise ValueError(
            f"embeddings of shape {array.shape} with {len(labels)} labels; expected "
            "(num_tokens, d_model), and one label for each token"
        )
    return array


def _computed(
    asking: tuple[Numbers, Tokens],
    source: tuple[Numbers, Tokens],
    name: str,
    mask: ArrayLike | None,
    row: int | None,
) -> Iterator[_Stage]:
    """Yield the stages after the first: all arrays of one attention; ``name`` is the source's."""
    (x, tokens), (y, y_tokens) = asking, source
    query, key, value = (a @ w for a, w in zip((x, y, y), PROJECTIONS, strict=True))
    if mask is not None:
        mask = np.broadcast_to(np.asarray(mask, bool), (len(x), len(y)))
    output, weights = attn.scaled_dot_product_attention(
        query, key, value, mask=mask, return_weights=True
    )
    number = itertools.count(2)

    def stage(heading: str, matrices: list[Matrix], followed: str = "") -> _Stage:
        return _Stage([(f"→ stage {next(number)}: {heading}", matrices)], followed)

    rows: dict[str, Any] = {"rows": tokens, "row_role": "query", "framed": row}
    pairs: dict[str, Any] = {**rows, "columns": y_tokens}
    projected = [
        Matrix(query, "● Q = X W^Q", ("num_queries", "d_k"), "query", **rows),
        Matrix(key, f"■ K = {name} W^K", ("num_keys", "d_k"), "key", y_tokens, row_role="key"),
        Matrix(value, f"▲ V = {name} W^V", ("num_keys", "d_v"), "value"),
    ]
    yield stage("projections", projected, "query is")
    scores, inside = query @ key.T, "Q K^T"
    raw = Matrix(scores, f"scores = {inside}", _SIZES, "scores", **pairs)
    yield stage("scores", [raw], "scores are")
    if mask is not None:
        inside = "masked scores"
        yield stage(inside, [Matrix(scores, inside, _SIZES, "scores", mask=mask, **pairs)])
    formula = f"A = softmax({inside} / √d_k)"
    shares = Matrix(weights, formula, _SIZES, "weights", mask=mask, **pairs)
    yield stage("weights", [shares], "weights are")
    mixed = Matrix(output, "▲ output = A V", ("num_queries", "d_v"), "output", columns=(), **rows)
    yield stage("output", [mixed], "output is")


def _sentences(shown: Sequence[_Stage], tokens: Tokens, row: int | None) -> Iterator[str]:
    """Yield the alternative text."""
    yield f"The tokens {', '.join(tokens)}."
    for matrix in (matrix for stage in shown for _, some in stage.panels for matrix in some):
        yield f"{matrix.name.replace('^', '').lstrip('●■▲ ')}: {matrix.shape}."
        if matrix.mask is not None and matrix.role == "scores":
            yield f"{int((~matrix.mask).sum())} of its cells are hidden."
    if row is None:
        return
    yield f"The row of {tokens[row]} is framed."
    for stage in shown:
        if stage.followed:
            _, (matrix, *_) = stage.panels[0]
            yield f"Its {stage.followed} {vector_text(matrix.values[row])}."


def head_stages(highlight: str | None = None) -> Picture:
    """Draw the two heads of the running picture, and their outputs side by side.

    Parameters
    ----------
    highlight
        The token whose query is followed: its row is framed in every array.

    Raises
    ------
    ValueError
        If ``highlight`` is not a token.
    """
    row = _row_of(highlight, TOKENS)
    results = [
        attn.scaled_dot_product_attention(*(X @ w for w in head), return_weights=True)
        for head in HEADS
    ]
    return _side_by_side(_head_panels(results, row), " ".join(_head_sentences(results, row)))


def _head_panels(results: Sequence[tuple[Numbers, Numbers]], row: int | None) -> Iterator[str]:
    rows: dict[str, Any] = {"rows": TOKENS, "row_role": "query", "framed": row}
    over: list[str] = []  # the name of each head over the middle of its columns
    for head, (output, weights) in enumerate(results, 1):
        index, width = subscript(head), output.shape[1]
        name, axes = f"▲ H{index} = A{index} V{index}", (_SIZES[0], "head_dim")
        matrices = [
            Matrix(weights, f"A{index}", _SIZES, "weights", columns=TOKENS, **rows),
            Matrix(output, name, axes, "output", columns=(), framed=row),
        ]
        yield panel_svg(f"head {head}: weights and output", matrices)
        over += [f"H{index}" if column == width // 2 else "" for column in range(width)]
    joined = np.concatenate([output for output, _ in results], axis=-1)
    axes, name = (_SIZES[0], "num_heads · head_dim"), f"▲ Concat({', '.join(filter(None, over))})"
    labels: dict[str, Any] = {"columns": over, "column_role": "value", **rows}
    yield panel_svg("→ concatenation", [Matrix(joined, name, axes, "output", **labels)])


def _head_sentences(results: Sequence[tuple[Numbers, Numbers]], row: int | None) -> Iterator[str]:
    """Yield the alternative text."""
    yield f"{len(results)} heads attend within the tokens {', '.join(TOKENS)}."
    for head, (output, weights) in enumerate(results, 1):
        yield f"Head {head}: weights {weights.shape}, output {output.shape}."
        if row is not None:
            yield f"For {TOKENS[row]} its weights are {vector_text(weights[row])}"
            yield f"and its output is {vector_text(output[row])}."
    width = sum(output.shape[1] for output, _ in results)
    yield f"Side by side the outputs have shape {(len(TOKENS), width)}."

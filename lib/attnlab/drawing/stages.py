"""The running picture: X → Q, K, V → scores → weights → output, as many stages as are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import attn
from attnlab.data import four_tokens
from attnlab.drawing.matrix_svg import Matrix, panel_svg
from attnlab.drawing.picture import Picture
from attnlab.drawing.text import escape, vector_text

Numbers = NDArray[np.float64]
LAST_STAGE = 5
_HEADINGS = ("tokens", "projections", "scores", "weights", "output")
_MASKED = "masked scores"


def attention_stages(
    stages: int = LAST_STAGE,
    highlight: str | None = None,
    *,
    since: int = 1,
    mask: ArrayLike | None = None,
    x: ArrayLike = four_tokens.X,
    tokens: Sequence[str] = four_tokens.TOKENS,
    y: ArrayLike | None = None,
    y_tokens: Sequence[str] | None = None,
    positions: ArrayLike | None = None,
    projections: Sequence[ArrayLike] = four_tokens.PROJECTIONS,
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
    projections
        The matrices W^Q, W^K and W^V; by default those of the running example.

    Raises
    ------
    ValueError
        If ``stages`` or ``since`` is not a stage, ``highlight`` is not a token, or labels or
        ``positions`` do not fit.

    Examples
    --------
    >>> attention_stages(1).description
    'The tokens the, cat, drank, milk. X: (num_tokens, d_model) = (4, 5).'
    """
    last = LAST_STAGE if mask is None else LAST_STAGE + 1
    if stages not in range(1, last + 1):
        raise ValueError(f"stages is {stages!r}; expected a whole number from 1 to {last}")
    if since not in range(1, stages + 1):
        raise ValueError(f"since is {since!r}; expected a whole number from 1 to {stages}")
    if highlight is not None and highlight not in tokens:
        raise ValueError(f"highlight is {highlight!r}; expected one of {', '.join(tokens)}")
    row = None if highlight is None else list(tokens).index(highlight)
    added = None if positions is None else np.asarray(positions, float)
    embedded = np.asarray(x, float)
    if added is not None and added.shape != embedded.shape:
        raise ValueError(f"positions have shape {added.shape}; expected {embedded.shape}, as x")
    embedded = embedded if added is None else embedded + added
    source = (embedded, tokens) if y is None else (y, y_tokens or ())
    flow = _Flow((embedded, tokens), source, projections, mask, row, added, is_cross=y is not None)
    shown = slice(since - 1, stages)
    return side_by_side(flow.panels(shown), " ".join(flow.sentences(shown)))


def side_by_side(panels: Iterable[str], description: str) -> Picture:
    """Return a picture of several SVGs, one for each stage."""
    divs = "".join(f"<div>{panel}</div>" for panel in panels)
    label = f'role="img" aria-label="{escape(description)}"'
    return Picture(f'<div class="attn-stages" {label}>{divs}</div>', description)


class _Flow:
    """All arrays of one attention, and the panels and sentences that show them."""

    def __init__(
        self,
        asking: tuple[ArrayLike, Sequence[str]],
        source: tuple[ArrayLike, Sequence[str]],
        projections: Sequence[ArrayLike],
        mask: ArrayLike | None,
        row: int | None,
        positions: Numbers | None,
        *,
        is_cross: bool,
    ) -> None:
        (self.x, self.tokens), (self.y, self.y_tokens) = _labelled(*asking), _labelled(*source)
        w_query, w_key, w_value = (np.asarray(w, float) for w in projections)
        self.query, self.key, self.value = self.x @ w_query, self.y @ w_key, self.y @ w_value
        shape = (len(self.x), len(self.y))
        self.mask = None if mask is None else np.broadcast_to(np.asarray(mask, bool), shape)
        self.output, self.weights = attn.scaled_dot_product_attention(
            self.query, self.key, self.value, mask=self.mask, return_weights=True
        )
        self.row, self.positions, self.is_cross = row, positions, is_cross

    def panels(self, shown: slice) -> Iterator[str]:
        """Yield stages as SVG; the tokens of cross-attention are two panels."""
        for number, (heading, matrices) in list(enumerate(self._stages(), 1))[shown]:
            if number == 1:
                sums = [] if self.positions is None else ["+ positions", "= both"]
                names = ["stage 1: tokens", *sums, *(["stage 1: source"] * self.is_cross)]
                for name, matrix in zip(names, matrices, strict=True):
                    yield panel_svg(name, [matrix])
            else:
                yield panel_svg(f"→ stage {number}: {heading}", matrices)

    def _stages(self) -> list[tuple[str, list[Matrix]]]:
        rows: dict[str, Any] = {"rows": self.tokens, "row_role": "query", "framed": self.row}
        pairs: dict[str, Any] = {**rows, "columns": self.y_tokens}
        sizes = ("num_queries", "num_keys")
        scores = self.query @ self.key.T
        masked = Matrix(scores, "masked scores", sizes, "scores", mask=self.mask, **pairs)
        inside = "Q K^T" if self.mask is None else "masked scores"
        name = f"A = softmax({inside} / √d_k)"
        weights = Matrix(self.weights, name, sizes, "weights", mask=self.mask, **pairs)
        output = Matrix(
            self.output, "▲ output = A V", (sizes[0], "d_v"), "output", columns=(), **rows
        )
        return [
            (_HEADINGS[0], self._inputs(rows)),
            (_HEADINGS[1], self._projected(rows)),
            (_HEADINGS[2], [Matrix(scores, "scores = Q K^T", sizes, "scores", **pairs)]),
            *([] if self.mask is None else [(_MASKED, [masked])]),
            (_HEADINGS[3], [weights]),
            (_HEADINGS[4], [output]),
        ]

    def _inputs(self, rows: dict[str, Any]) -> list[Matrix]:
        axes = ("num_tokens", "d_model")
        rows = {**rows, "row_role": "ink"}
        inputs = [Matrix(self.x, "X", axes, "ink", **rows)]
        if self.positions is not None:
            inputs = [
                Matrix(self.x - self.positions, "X", axes, "ink", **rows),
                Matrix(self.positions, "P", axes, "ink", **rows),
                Matrix(self.x, "X + P", axes, "ink", **rows),
            ]
        if self.is_cross:
            inputs.append(Matrix(self.y, "Y", axes, "ink", self.y_tokens))
        return inputs

    def _projected(self, rows: dict[str, Any]) -> list[Matrix]:
        y = "Y" if self.is_cross else "X"
        keys: dict[str, Any] = {"rows": self.y_tokens, "row_role": "key"}
        return [
            Matrix(self.query, "● Q = X W^Q", ("num_queries", "d_k"), "query", **rows),
            Matrix(self.key, f"■ K = {y} W^K", ("num_keys", "d_k"), "key", **keys),
            Matrix(self.value, f"▲ V = {y} W^V", ("num_keys", "d_v"), "value"),
        ]

    def sentences(self, shown: slice) -> Iterator[str]:
        """Yield the alternative text."""
        yield f"The tokens {', '.join(self.tokens)}."
        for matrix in (matrix for _, matrices in self._stages()[shown] for matrix in matrices):
            yield f"{matrix.name.replace('^', '').lstrip('●■▲ ')}: {matrix.shape}."
            if matrix.mask is not None and matrix.role == "scores":
                yield f"{int((~matrix.mask).sum())} of its cells are hidden."
        if self.row is None:
            return
        yield f"The row of {self.tokens[self.row]} is framed."
        arrays = {
            "projections": ("query is", self.query),
            "scores": ("scores are", self.query @ self.key.T),
            "weights": ("weights are", self.weights),
            "output": ("output is", self.output),
        }
        for heading, _ in self._stages()[shown]:
            if heading in arrays:
                name, array = arrays[heading]
                yield f"Its {name} {vector_text(array[self.row])}."


def _labelled(values: ArrayLike, labels: Sequence[str]) -> tuple[Numbers, tuple[str, ...]]:
    array = np.asarray(values, float)
    if array.ndim != 2 or len(labels) != len(array):
        raise ValueError(
            f"embeddings of shape {array.shape} with {len(labels)} labels; expected "
            "(num_tokens, d_model), and one label for each token"
        )
    return array, tuple(labels)

"""Another attention in the model's place: a reader's own, or one with a known mistake.

An *attend* takes ``x`` of shape (batch, num_tokens, d_model), the ``weights`` of a layer by the
names of `attn.MultiHeadAttention`, the number of heads, and a mask of shape (batch, num_tokens,
num_tokens), and returns an array like ``x``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.minilm import at_hand

Array: TypeAlias = NDArray[Any]
Attend: TypeAlias = Callable[[Array, Mapping[str, Array], int, Array], Array]


def multi_head_attention(
    x: Array,
    y: Array,
    w_query: Array,
    w_key: Array,
    w_value: Array,
    w_output: Array,
    num_heads: int,
    mask: Array | None = None,
) -> Array:
    """Return attention from x to y, without biases: (batch, num_queries, d_model).

    In the page it stands in for a reader's own until that passes.
    """
    query, key, value = (
        attn.split_heads(tokens @ weight, num_heads)
        for tokens, weight in ((x, w_query), (y, w_key), (y, w_value))
    )
    heads_mask = None if mask is None else mask[:, None]
    heads = attn.scaled_dot_product_attention(query, key, value, mask=heads_mask)
    return np.asarray(attn.merge_heads(heads) @ w_output)


def own(x: Array, weights: Mapping[str, Array], num_heads: int, mask: Array) -> Array:
    """Return what the model's own attention returns."""
    return attn.MultiHeadAttention.from_parameters(weights, num_heads)(x, mask=mask)


#: What `with_mistake` can make wrong.
MISTAKES = {
    "keys-as-values",
    "merge-without-swap",
    "no-mask",
    "softmax-twice",
    "unscaled",
    "wrong-axis",
}


def with_mistake(id: str) -> Attend:
    """Return an attention that makes one of `MISTAKES`, such as ``"unscaled"``.

    Raises
    ------
    ValueError
        If there is no such mistake.
    """
    if id not in MISTAKES:
        raise ValueError(f"no mistake {id!r}; expected one of {', '.join(sorted(MISTAKES))}")

    def attend(x: Array, weights: Mapping[str, Array], num_heads: int, mask: Array) -> Array:
        x = x.astype(float)
        query, key, value = (
            attn.split_heads(x @ weights[f"w_{name}"] + weights[f"b_{name}"], num_heads)
            for name in ("query", "key", "value")
        )
        scale = 1.0 if id == "unscaled" else query.shape[-1] ** -0.5
        scores = query @ key.swapaxes(-1, -2) * scale  # (batch, num_heads, num_tokens, num_tokens)
        if id != "no-mask":
            scores = np.where(mask[:, None], scores, -np.inf)
        shares = _softmax(scores, axis=-2 if id == "wrong-axis" else -1)
        if id == "softmax-twice":
            shares = _softmax(shares)
        heads = shares @ (key if id == "keys-as-values" else value)
        merged = heads.reshape(x.shape) if id == "merge-without-swap" else attn.merge_heads(heads)
        return np.asarray(merged @ weights["w_output"] + weights["b_output"])

    return attend


def _softmax(scores: Array, axis: int = -1) -> Array:
    # Where all is hidden, the library's gives 0. A mistake there should be seen: this gives NaN.
    with np.errstate(invalid="ignore"):
        exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
        return np.asarray(exponentials / exponentials.sum(axis=axis, keepdims=True))


def vectors(attend: Attend) -> list[Array]:
    """Return the vectors after each layer of the model at hand: (2, num_tokens, d_model) each.

    Raises
    ------
    ValueError
        If ``attend`` returns another shape than that of its tokens.
    """
    given = at_hand.load()
    model, x, after = given.model, given.x, []
    for layer in range(model.num_layers):
        # Copies: an answer may change its arguments.
        weights = {
            name: array.copy() for name, array in model.attention(layer).parameters().items()
        }
        attended = np.asarray(attend(x.copy(), weights, model.num_heads, given.mask.copy()))
        if attended.shape != x.shape:
            raise ValueError(f"attend returned the shape {attended.shape}; expected {x.shape}")
        x = model.after(layer, x, attended.astype(x.dtype))
        after.append(x)
    return after


@cache
def own_vectors() -> tuple[Array, ...]:
    """Return the model's own `vectors`."""
    return tuple(vectors(own))


@dataclass(frozen=True, repr=False)
class ByLayer:
    """How far an attention takes the vectors from the model's own, layer by layer.

    Parameters
    ----------
    about : str
        Which model it is.
    lengths : tuple of int
        Tokens of each sentence.
    differences : array, shape (2, num_layers)
        The largest relative difference of a token's vector, in each sentence.
    cosines : array, shape (2, num_layers)
        Between the sentences' vectors, each the mean of its tokens.
    """

    about: str
    lengths: tuple[int, ...]
    differences: Array
    cosines: Array

    def __repr__(self) -> str:
        """Return a table of plain text, narrow enough for a phone."""
        heads = [f"{count} tokens" for count in self.lengths]
        lines = [
            f"In {self.about}:",
            "     " + "".join(f"{head:>16}" for head in heads),
            "layer" + "    diff.    cos" * len(heads),
        ]
        for layer, (differences, cosines) in enumerate(
            zip(self.differences.T, self.cosines.T, strict=True), 1
        ):
            pairs = zip(differences, cosines, strict=True)
            row = "".join(f"{different:9.3f}{cosine:7.3f}" for different, cosine in pairs)
            lines.append(f"{layer:<5}{row}")
        return "\n".join(lines)


def by_layer(attend: Attend) -> ByLayer:
    """Return where the vectors part from the model's own if ``attend`` takes its attention's place.

    A token's relative difference is the length of the difference of its two vectors, divided by the
    length of the model's own.
    """
    given = at_hand.load()
    differences = np.zeros((len(given.lengths), given.model.num_layers))
    cosines = np.zeros_like(differences)
    for layer, (seen, right) in enumerate(zip(vectors(attend), own_vectors(), strict=True)):
        for sentence, count in enumerate(given.lengths):
            a, b = (part[sentence, :count].astype(np.float64) for part in (seen, right))
            lengths = np.linalg.norm(b, axis=-1)
            differences[sentence, layer] = (np.linalg.norm(a - b, axis=-1) / lengths).max()
            cosines[sentence, layer] = _cosine(a.mean(axis=0), b.mean(axis=0))
    return ByLayer(given.about, given.lengths, differences, cosines)


def _cosine(a: Array, b: Array) -> float:
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))

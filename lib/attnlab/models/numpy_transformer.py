"""Run the book's small Transformer in NumPy, and keep what each part of it computes.

It computes what `attn.torch.Transformer` computes with these weights, norm first, without torch:
for the figure in which a reader opens the blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.models.stored_weights import FOLDER

Floats = NDArray[np.float64]
Weights = Mapping[str, Floats]
PATH = FOLDER / "encoder-decoder-0.npz"
NUM_LAYERS, NUM_HEADS = 2, 4
_EPSILON = 1e-5  # torch's, in layer normalisation
#: Sublayers of each stack in order, with torch's names of the part and of the norm before it.
_SUBLAYERS = {
    "encoder": {"self": ("attention", "norm_attention")},
    "decoder": {
        "self": ("self_attention", "norm_self"),
        "cross": ("cross_attention", "norm_cross"),
    },
}


def load(path: Path = PATH) -> Weights:
    """Return the stored weights by the names that torch gives them."""
    with np.load(path) as stored:
        return {name: stored[name].astype(np.float64) for name in stored.files}


def parts(
    model: Weights, source: Sequence[int], target: Sequence[int], length: int
) -> dict[str, Floats]:
    """Return what each part computes of one sentence.

    Parameters
    ----------
    model : mapping of str to array
    source, target : sequence of int
        Tokens read and tokens written; the latter begin with the mark for the beginning.
    length : int
        How many tokens of the source are real; nothing attends to those after them.

    Returns
    -------
    dict of str to array
        ``encoder.embedding`` and ``decoder.embedding``, shape (tokens, d_model); for each layer
        from 1 and each sublayer what it adds to the stream, ``decoder.2.cross``, of the same shape,
        and ``decoder.2.cross.weights``, shape (num_heads, num_queries, num_keys);
        ``encoder.output`` and ``decoder.output``, the normalised ends of both streams; and
        ``scores``, shape (target tokens, vocabulary).
    """
    found: dict[str, Floats] = {}
    real = attn.padding_mask([length], len(source))[0]  # (1, source tokens)
    _stack(model, found, "encoder", _embedded(model, "source", source), {"self": real})
    causal = attn.causal_mask(len(target), len(target))
    masks = {"self": causal, "cross": real}
    _stack(model, found, "decoder", _embedded(model, "target", target), masks)
    last = found["decoder.output"]
    found["scores"] = last @ model["to_scores.weight"].T + model["to_scores.bias"]
    return found


def _embedded(model: Weights, name: str, tokens: Sequence[int]) -> Floats:
    rows = model[f"embed_{name}.weight"][list(tokens)]  # (tokens, d_model)
    return np.asarray(rows * rows.shape[1] ** 0.5 + attn.sinusoidal_positions(*rows.shape))


def _stack(
    model: Weights, found: dict[str, Floats], stack: str, x: Floats, masks: Mapping[str, Floats]
) -> None:
    """Add to ``found``, which has the encoder's output for the decoder, what one stack computes."""
    found[f"{stack}.embedding"] = x
    for number in range(NUM_LAYERS):
        layer, name = f"{stack}.layers.{number}", f"{stack}.{number + 1}"
        for kind, (part, norm) in _SUBLAYERS[stack].items():
            read = _norm(model, f"{layer}.{norm}", x)
            memory = found["encoder.output"] if kind == "cross" else read
            added, weights = _attended(model, f"{layer}.{part}", read, memory, masks[kind])
            found |= {f"{name}.{kind}": added, f"{name}.{kind}.weights": weights}
            x = x + added
        read = _norm(model, f"{layer}.norm_feed_forward", x)
        inner = np.maximum(_linear(model, f"{layer}.feed_forward.0", read), 0)
        found[f"{name}.network"] = _linear(model, f"{layer}.feed_forward.3", inner)
        x = x + found[f"{name}.network"]
    found[f"{stack}.output"] = _norm(model, f"{stack}.norm", x)


def _attended(
    model: Weights, name: str, x: Floats, y: Floats, mask: Floats
) -> tuple[Floats, Floats]:
    query, key, value = (
        attn.split_heads(tokens @ model[f"{name}.w_{part}"] + model[f"{name}.b_{part}"], NUM_HEADS)
        for part, tokens in (("query", x), ("key", y), ("value", y))
    )
    contexts, weights = attn.scaled_dot_product_attention(
        query, key, value, mask=mask, return_weights=True
    )
    merged = attn.merge_heads(contexts)
    return merged @ model[f"{name}.w_output"] + model[f"{name}.b_output"], weights


def _linear(model: Weights, name: str, x: Floats) -> Floats:
    return np.asarray(x @ model[f"{name}.weight"].T + model[f"{name}.bias"])


def _norm(model: Weights, name: str, x: Floats) -> Floats:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPSILON)
    return np.asarray(centred / spread * model[f"{name}.weight"] + model[f"{name}.bias"])

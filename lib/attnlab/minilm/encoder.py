"""Run the encoder in NumPy: embeddings, then layers of attention and a feed-forward network."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn import MultiHeadAttention, scaled_dot_score, split_heads

Array = NDArray[np.float32]

NUM_LAYERS, NUM_HEADS, D_MODEL = 6, 12, 384
_erf = np.vectorize(math.erf, otypes=[np.float64])


class MiniLM:
    """The encoder: embeddings, then layers of attention and a feed-forward network.

    Parameters
    ----------
    state : mapping of str to array
        The parameters by the names of the published file, such as
        ``encoder.layer.0.attention.self.query.weight``, of shape (384, 384). There are as many
        layers as it has numbers.
    num_heads : int
    """

    def __init__(self, state: Mapping[str, Array], num_heads: int = NUM_HEADS) -> None:
        self._state, self.num_heads = state, num_heads
        self._attentions = [
            _attention(state, f"encoder.layer.{layer}.attention", num_heads)
            for layer in range(num_layers(state))
        ]

    def embed(self, ids: NDArray[np.int64]) -> Array:
        """Return word + position + segment, normalised: (num_tokens, d_model)."""
        words, places, segments = (
            self._state[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        return self._norm(words[ids] + places[: len(ids)] + segments[0], "embeddings")

    def __call__(
        self, ids: NDArray[np.int64], mask: NDArray[np.bool_] | None = None
    ) -> tuple[Array, Array]:
        """Return the encoded tokens, and the weights of all heads.

        Parameters
        ----------
        ids : array of int, shape (num_tokens,)
            Numbers of the tokens, [CLS] first and [SEP] last.
        mask : bool array, broadcastable to (num_tokens, num_tokens), optional
            True = may attend, in every layer.

        Returns
        -------
        x : array, shape (num_tokens, d_model)
        weights : array, shape (layers, heads, num_tokens, num_tokens)
        """
        x, all_weights = self.embed(ids), []
        for layer, attention in enumerate(self._attentions):
            attended, weights = attention(x, mask=mask, return_weights=True)
            x = self.after(layer, x, attended)
            all_weights.append(weights)
        return x, np.stack(all_weights)

    @property
    def num_layers(self) -> int:
        """How many layers the model has."""
        return len(self._attentions)

    def attention(self, layer: int) -> MultiHeadAttention:
        """Return the attention of one layer, counted from 0."""
        return self._attentions[layer]

    def after(self, layer: int, x: Array, attended: Array) -> Array:
        """Return what a layer makes of its tokens and of what attention returned for them.

        Both have shape (..., num_tokens, d_model); layers count from 0.
        """
        name = f"encoder.layer.{layer}"
        x = self._norm(x + attended, f"{name}.attention.output")
        hidden = self._linear(x, f"{name}.intermediate.dense")
        hidden = gelu(hidden)  # (..., num_tokens, 1536)
        changed = self._linear(hidden, f"{name}.output.dense")
        return self._norm(x + changed, f"{name}.output")

    def without(self, layer: int, head: int) -> MiniLM:
        """Return the model with one head switched off: it adds nothing. Both count from 1."""
        name = f"encoder.layer.{layer - 1}.attention.output.dense.weight"
        weight = self._state[name].copy()  # (d_model, num_heads * head_dim)
        head_dim = weight.shape[1] // self.num_heads
        weight[:, (head - 1) * head_dim : head * head_dim] = 0
        return MiniLM({**self._state, name: weight}, self.num_heads)

    def _linear(self, x: Array, name: str) -> Array:
        return x @ self._state[f"{name}.weight"].T + self._state[f"{name}.bias"]

    def _norm(self, x: Array, name: str) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(x.var(axis=-1, keepdims=True) + np.float32(1e-12))
        name = f"{name}.LayerNorm"
        return scaled * self._state[f"{name}.weight"] + self._state[f"{name}.bias"]


def gelu(x: Array) -> Array:
    r"""Return :math:`x \, \Phi(x)`, with the distribution function of the standard normal."""
    return (x * (1 + _erf(x / math.sqrt(2))) / 2).astype(x.dtype)


def num_layers(state: Mapping[str, Any]) -> int:
    """Return how many layers the parameters are of."""
    return len({name.split(".")[2] for name in state if name.startswith("encoder.layer.")})


def scores(model: MiniLM, state: Mapping[str, Array], ids: NDArray[np.int64]) -> Array:
    """Return the scores of all heads before the softmax: (layers, heads, num_tokens, num_tokens).

    ``state`` has the parameters of ``model``. Layer by layer, the layers before it run again.
    """
    all_scores = []
    for layer in range(num_layers(state)):
        below = {
            name: array
            for name, array in state.items()
            if not name.startswith("encoder.layer.") or int(name.split(".")[2]) < layer
        }
        x = MiniLM(below, model.num_heads)(ids)[0] if layer else model.embed(ids)
        name = f"encoder.layer.{layer}.attention.self"
        query, key = (
            split_heads(
                x @ state[f"{name}.{part}.weight"].T + state[f"{name}.{part}.bias"],
                model.num_heads,
            )
            for part in ("query", "key")
        )
        all_scores.append(scaled_dot_score(query, key))
    return np.stack(all_scores)


def _attention(state: Mapping[str, Array], name: str, num_heads: int) -> MultiHeadAttention:
    """Return one layer's attention; the file stores each matrix transposed."""
    d_model = len(state[f"{name}.self.query.bias"])
    layer = MultiHeadAttention(d_model, num_heads)
    sources = {part: f"self.{part}" for part in ("query", "key", "value")}
    for part, source in {**sources, "output": "output.dense"}.items():
        setattr(layer, f"w_{part}", state[f"{name}.{source}.weight"].T)
        setattr(layer, f"b_{part}", state[f"{name}.{source}.bias"])
    return layer

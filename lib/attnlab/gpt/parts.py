"""Compute the forward pass of a GPT and its loss, each part a function.

One text at a time: ``x`` has shape (tokens, d_model). ``weights`` are those of one block, and the
model is a dictionary; `attnlab.gpt.load` describes both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

#: What `layer_norm` adds to the variance, as torch's does.
EPS = 1e-5


def softmax(scores: Array) -> Array:
    """Return weights of the same shape, each row summing to 1; a score of -inf gets weight 0."""
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True))


def causal_mask(num_tokens: int) -> NDArray[np.bool_]:
    """Return True where a token may attend: to itself and earlier ones; (tokens, tokens)."""
    return np.tril(np.ones((num_tokens, num_tokens), bool))


def attend(x: Array, weights: Mapping[str, Array], num_heads: int) -> Array:
    """Return the causal self-attention of several heads, (tokens, d_model)."""
    tokens = len(x)
    query, key, value = (
        (x @ weights[f"w_{name}"] + weights[f"b_{name}"])
        .reshape(tokens, num_heads, -1)
        .swapaxes(0, 1)  # (num_heads, tokens, head_dim)
        for name in ("query", "key", "value")
    )
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    shares = softmax(np.where(causal_mask(tokens), scores, -np.inf))
    heads = (shares @ value).swapaxes(0, 1).reshape(tokens, -1)  # (tokens, num_heads * head_dim)
    return np.asarray(heads @ weights["w_output"] + weights["b_output"])


def layer_norm(x: Array, gain: Array, bias: Array, epsilon: float = EPS) -> Array:
    """Return each token with mean 0 and variance 1, times ``gain``, plus ``bias``.

    ``x`` may have leading axes; ``epsilon`` is added to the variance.
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return np.asarray(centred / np.sqrt(variance + epsilon) * gain + bias)


def feed_forward(x: Array, weights: Mapping[str, Array]) -> Array:
    """Return two linear layers with a ReLU between, for each token by itself."""
    hidden = np.maximum(x @ weights["w_in"] + weights["b_in"], 0)  # (tokens, d_hidden)
    return np.asarray(hidden @ weights["w_out"] + weights["b_out"])


def block(x: Array, weights: Mapping[str, Array], num_heads: int) -> Array:
    """Return x plus what attention adds, plus what the feed-forward network adds to that."""
    read = layer_norm(x, weights["norm1_gain"], weights["norm1_bias"])
    x = x + attend(read, weights, num_heads)
    read = layer_norm(x, weights["norm2_gain"], weights["norm2_bias"])
    return x + feed_forward(read, weights)


def gpt(tokens: Array, model: Mapping[str, Any]) -> Array:
    """Return the logits of each next token, (tokens, num_words)."""
    x = model["embeddings"][tokens] + model["positions"][: len(tokens)]
    for weights in model["blocks"]:
        x = block(x, weights, model["num_heads"])
    x = layer_norm(x, model["norm_gain"], model["norm_bias"])
    return np.asarray(x @ model["embeddings"].T)


def next_token_loss(logits: Array, tokens: Array, pad: int = 0) -> float:
    """Return the mean cross-entropy in nats of each next token that is not ``pad``.

    Parameters
    ----------
    logits : array, shape (batch, tokens, num_words)
    tokens : array of int, shape (batch, tokens)
        The texts that the logits were computed from.
    pad : int
        Fills rows behind the end of a text.
    """
    logits, targets = logits[:, :-1], tokens[:, 1:]
    largest = logits.max(axis=-1, keepdims=True)
    log_total = np.log(np.exp(logits - largest).sum(axis=-1)) + largest[..., 0]
    of_target = np.take_along_axis(logits, targets[..., None], axis=-1)[..., 0]
    return float((log_total - of_target)[targets != pad].mean())

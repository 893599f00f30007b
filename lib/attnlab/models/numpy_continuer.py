"""Run the two-layer model that continues repeated texts in NumPy, and measure it.

It computes what `attnlab.models.attention_only` computes, without torch: for the figure in which
the model's heads form, whose TypeScript is compared with this file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

import attn
from attnlab.data.repeats import NUM_TOKENS, NUM_WORDS, induction_scores

Floats = NDArray[np.float64]
Weights = Mapping[str, Floats]
#: A layer and a head, both counted from 1, as in the book.
Head = tuple[int, int]
NUM_LAYERS, NUM_HEADS = 2, 2
#: The heads in the order of the layers.
HEADS: tuple[Head, ...] = ((1, 1), (1, 2), (2, 1), (2, 2))
_EPSILON = 1e-5  # torch's, in layer normalisation


class Reading(NamedTuple):
    """What the model makes of texts.

    ``logits`` have shape (batch, num_tokens, NUM_WORDS), ``weights`` have shape
    (batch, NUM_LAYERS, NUM_HEADS, num_tokens, num_tokens).
    """

    logits: Floats
    weights: Floats


def read(model: Weights, tokens: NDArray[np.int64], without: Collection[Head] = ()) -> Reading:
    """Return what a model makes of texts.

    Parameters
    ----------
    model : mapping of str to array
        Weights by the names that torch gives them.
    tokens : array of int, shape (batch, num_tokens)
    without : collection of (int, int)
        Heads to take out: each gives the mean of its outputs over the batch, at each position.
    """
    x, all_weights = model["embedding.weight"][tokens], []  # (batch, num_tokens, WIDTH)
    for layer in range(NUM_LAYERS):
        normed = layer_norm(x, model, layer)
        query, key, value = (
            attn.split_heads(normed @ model[f"layers.{layer}.to_{part}.weight"].T, NUM_HEADS)
            for part in ("query", "key", "value")
        )
        contexts, weights = attn.scaled_dot_product_attention(
            attn.rotary(query), attn.rotary(key), value, causal=True, return_weights=True
        )  # (batch, NUM_HEADS, num_tokens, head_dim)
        for head in range(NUM_HEADS):
            if (layer + 1, head + 1) in without:
                contexts[:, head] = contexts[:, head].mean(axis=0)
        x = x + attn.merge_heads(contexts) @ model[f"layers.{layer}.to_output.weight"].T
        all_weights.append(weights)
    last = layer_norm(x, model, NUM_LAYERS)
    logits = last @ model["to_logits.weight"].T + model["to_logits.bias"]
    return Reading(logits, np.stack(all_weights, axis=1))


def layer_norm(x: Floats, model: Weights, number: int) -> Floats:
    """Return vectors of mean 0 and variance 1, times a gain plus a bias."""
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPSILON)
    gain, bias = model[f"norms.{number}.weight"], model[f"norms.{number}.bias"]
    return np.asarray(centred / spread * gain + bias)


def losses(logits: Floats, tokens: NDArray[np.int64]) -> Floats:
    """Return the cross-entropy of each next token in nats, shape (batch, num_tokens - 1)."""
    logits, targets = logits[:, :-1], tokens[:, 1:]
    top = logits.max(axis=-1, keepdims=True)
    total = np.log(np.exp(logits - top).sum(axis=-1)) + top[..., 0]
    return np.asarray(total - np.take_along_axis(logits, targets[..., None], axis=-1)[..., 0])


def loss_in_repeats(logits: Floats, tokens: NDArray[np.int64], periods: ArrayLike) -> float:
    """Return the mean loss where the next token can be known: from the second time on."""
    of_each = losses(logits, tokens)
    is_known = np.arange(of_each.shape[1]) >= np.asarray(periods)[:, None]
    return float(of_each[is_known].mean())


def previous_token_scores(weights: Floats) -> Floats:
    """Return the mean weight on the token before, shape (NUM_LAYERS, NUM_HEADS).

    The first token has none before it and does not count.
    """
    before = np.diagonal(weights, offset=-1, axis1=-2, axis2=-1)
    return np.asarray(before.mean(axis=-1).mean(axis=0))


def mean_induction_scores(weights: Floats, tokens: NDArray[np.int64]) -> Floats:
    """Return `induction_scores` as a mean over texts, shape (NUM_LAYERS, NUM_HEADS)."""
    pairs = zip(weights, tokens, strict=True)
    return np.asarray(np.mean([induction_scores(one, text) for one, text in pairs], axis=0))


def random_numbers(seed: int) -> Iterator[float]:
    """Yield numbers from 0 to 1, the same as in TypeScript (Mulberry32, by T. Ettinger)."""
    state, most = seed, 0xFFFFFFFF
    while True:
        state = (state + 0x6D2B79F5) & most
        mixed = ((state ^ (state >> 15)) * (1 | state)) & most
        mixed = ((mixed + (((mixed ^ (mixed >> 7)) * (61 | mixed)) & most)) & most) ^ mixed
        yield ((mixed ^ (mixed >> 14)) & most) / 2**32


def draw(
    seed: int, size: int, periods: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return texts of `NUM_TOKENS` and their periods, the same as in TypeScript."""
    numbers, texts, drawn = random_numbers(seed), [], []
    for _ in range(size):
        period = periods[int(next(numbers) * len(periods))]
        words = list(range(NUM_WORDS))
        for i in range(NUM_WORDS - 1, 0, -1):  # Fisher and Yates
            j = int(next(numbers) * (i + 1))
            words[i], words[j] = words[j], words[i]
        texts.append([words[i % period] for i in range(NUM_TOKENS)])
        drawn.append(period)
    return np.array(texts), np.array(drawn)

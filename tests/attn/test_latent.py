"""Multi-head latent attention: expanded and absorbed, at once and step by step."""

from __future__ import annotations

import math

import numpy as np
import pytest

import attn
from attn import MultiHeadLatentAttention

HEADS, HEAD_DIM, LATENT, TURNED, WIDTH, TOKENS = 3, 5, 7, 4, 11, 6


@pytest.fixture
def attend() -> MultiHeadLatentAttention:
    layer = MultiHeadLatentAttention(
        WIDTH, HEADS, LATENT, HEAD_DIM, TURNED, rng=0, base=50.0, dtype=np.float64
    )
    layer.g_latent = np.random.default_rng(1).normal(size=LATENT)
    return layer


def turned(vector: np.ndarray, position: int, base: float) -> np.ndarray:
    """Return a vector, its neighbours turned as pairs."""
    result = []
    for i in range(0, len(vector), 2):
        angle = position * base ** (-i / len(vector))
        a, b = vector[i : i + 2]
        result += [a * math.cos(angle) - b * math.sin(angle)]
        result += [a * math.sin(angle) + b * math.cos(angle)]
    return np.array(result)


def by_hand(layer: MultiHeadLatentAttention, x: np.ndarray) -> np.ndarray:
    """Return causal attention of tokens (tokens, d_model), one score at a time."""
    latents, shared = [], []
    for j, token in enumerate(x):
        down = token @ layer.w_latent
        latents.append(layer.g_latent * down / np.sqrt((down**2).mean() + 1e-6))
        shared.append(turned(token @ layer.w_rotary_key, j, layer.base))
    outputs = np.zeros((len(x), HEADS * HEAD_DIM))
    for h in range(HEADS):
        mine = slice(h * HEAD_DIM, (h + 1) * HEAD_DIM)
        for i, token in enumerate(x):
            query = (token @ layer.w_query)[h * (HEAD_DIM + TURNED) : (h + 1) * (HEAD_DIM + TURNED)]
            place = turned(query[HEAD_DIM:], i, layer.base)
            scores = [
                (query[:HEAD_DIM] @ (latents[j] @ layer.w_key[:, mine]) + place @ shared[j])
                / math.sqrt(HEAD_DIM + TURNED)
                for j in range(i + 1)
            ]
            weights = np.exp(scores) / np.exp(scores).sum()
            for weight, latent in zip(weights, latents, strict=False):
                outputs[i, mine] += weight * (latent @ layer.w_value[:, mine])
    return outputs @ layer.w_output


@pytest.mark.parametrize("absorbed", [False, True])
def test_equals_the_definition(
    attend: MultiHeadLatentAttention, rng: np.random.Generator, absorbed: bool
) -> None:
    x = rng.normal(size=(2, TOKENS, WIDTH))
    expected = [by_hand(attend, tokens) for tokens in x]
    np.testing.assert_allclose(attend(x, is_causal=True, absorbed=absorbed), expected, atol=1e-12)
    alone = attend(x[0], is_causal=True, absorbed=absorbed)
    np.testing.assert_allclose(alone, expected[0], atol=1e-12)


@pytest.mark.parametrize("absorbed", [False, True])
def test_steps_with_a_cache_equal_the_whole(
    attend: MultiHeadLatentAttention, rng: np.random.Generator, absorbed: bool
) -> None:
    x = rng.normal(size=(2, TOKENS, WIDTH))
    cache, outputs = attn.KeyValueCache(), []
    for first, end in ((0, 2), (2, 3), (3, TOKENS)):
        new = x[:, first:end]
        stored = cache.append(*attend.compress(new, positions=np.arange(first, end)))
        outputs.append(attend.attend(new, *stored, is_causal=True, absorbed=absorbed))
    assert sum(part.shape[-1] for part in stored) == LATENT + TURNED
    expected = attend(x, is_causal=True)
    np.testing.assert_allclose(np.concatenate(outputs, axis=1), expected, atol=1e-12)


def test_positions_of_each_sentence(
    attend: MultiHeadLatentAttention, rng: np.random.Generator
) -> None:
    # Sentences that start later: only distances count.
    x = rng.normal(size=(2, TOKENS, WIDTH))
    positions = np.arange(TOKENS) + np.array([[0], [9]])
    stored = attend.compress(x, positions)
    seen = attend.attend(x, *stored, positions=positions, is_causal=True)
    np.testing.assert_allclose(seen, attend(x, is_causal=True), atol=1e-12)


def test_without_rotary_features_order_is_invisible(rng: np.random.Generator) -> None:
    layer = MultiHeadLatentAttention(12, 3, 7, rng=0, dtype=np.float64)
    x = rng.normal(size=(TOKENS, 12))
    np.testing.assert_allclose(layer(x[::-1]), layer(x)[::-1], atol=1e-12)
    assert layer.compress(x)[1].shape == (TOKENS, 0)


def test_parameters_come_back(attend: MultiHeadLatentAttention, rng: np.random.Generator) -> None:
    same = MultiHeadLatentAttention.from_parameters(attend.parameters(), HEADS, base=50.0)
    assert repr(same) == repr(attend)
    x = rng.normal(size=(2, TOKENS, WIDTH))
    np.testing.assert_array_equal(same(x), attend(x))
    same.w_key += 1
    assert not np.array_equal(same.w_key, attend.w_key)


def test_errors_say_what_was_seen(attend: MultiHeadLatentAttention) -> None:
    x = np.zeros((2, TOKENS, WIDTH))
    latent, key = attend.compress(x)
    with pytest.raises(ValueError, match="rotary_dim is 3; expected an even number"):
        MultiHeadLatentAttention(12, 3, 7, rotary_dim=3)
    with pytest.raises(ValueError, match=r"x has shape \(2, 6, 10\); expected \(..., tokens, 11\)"):
        attend(x[..., 1:])
    with pytest.raises(ValueError, match=r"latent has shape \(2, 6, 4\); expected .*tokens, 7"):
        attend.attend(x, key, latent)
    with pytest.raises(ValueError, match=r"rotary_key has shape \(2, 5, 4\); expected \(2, 6, 4\)"):
        attend.attend(x, latent, key[:, 1:])
    with pytest.raises(ValueError, match=r"mask has shape \(3, 6, 6\).*\(2, num_queries"):
        attend(x, mask=np.ones((3, 6, 6), bool))
    with pytest.raises(ValueError, match="parameters of 2 heads do not fit together: g_latent"):
        MultiHeadLatentAttention.from_parameters(attend.parameters(), 2)
    with pytest.raises(ValueError, match=r"do not fit together: w_query \(3,\); expected g_latent"):
        MultiHeadLatentAttention.from_parameters({"w_query": np.zeros(3)}, 2)
    with pytest.raises(TypeError, match="use mask= "):
        attend(x, attn_mask=np.ones((6, 6), bool))  # type: ignore[call-arg]

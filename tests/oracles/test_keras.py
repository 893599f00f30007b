"""Against keras: multi-head attention of any widths, and additive attention."""

from __future__ import annotations

import keras
import numpy as np
import pytest

from attn import AdditiveScore, MultiHeadAttention, attention_weights


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def randomised(layer: keras.layers.Layer, rng: np.random.Generator) -> None:
    """Give every weight a random value: biases start at zero, which would hide them.

    Small ones, for scores of about 1: larger ones say more about rounding than about attention.
    """
    layer.set_weights([rng.normal(scale=0.2, size=w.shape) for w in layer.get_weights()])


@pytest.mark.parametrize("use_bias", [True, False])
def test_multi_head_attention_of_decoupled_widths(use_bias: bool, rng: np.random.Generator) -> None:
    # 50 wide, 3 heads of 16, keys and values of widths of their own.
    layer = keras.layers.MultiHeadAttention(3, 16, use_bias=use_bias, dtype="float32")
    query, key, value = (
        rng.normal(size=shape).astype(np.float32) for shape in ((2, 5, 50), (2, 7, 11), (2, 7, 13))
    )
    mask = rng.random((2, 5, 7)) < 0.7
    mask[..., 0] = True
    layer(query, value, key)
    randomised(layer, rng)
    expected, scores = layer(query, value, key, attention_mask=mask, return_attention_scores=True)
    ours = MultiHeadAttention.from_keras(layer.get_weights())
    output, weights = ours(query, key, value, mask=mask, return_weights=True)
    np.testing.assert_allclose(weights, keras.ops.convert_to_numpy(scores), atol=1e-6)
    np.testing.assert_allclose(output, keras.ops.convert_to_numpy(expected), atol=1e-5)


def test_weights_travel_to_keras(rng: np.random.Generator) -> None:
    ours = MultiHeadAttention(50, 3, 16, d_key=11, rng=0)
    layer = keras.layers.MultiHeadAttention(3, 16)
    query, key = (rng.normal(size=s).astype(np.float32) for s in ((2, 5, 50), (2, 7, 11)))
    layer(query, key)
    layer.set_weights(ours.to_keras())
    expected = keras.ops.convert_to_numpy(layer(query, key))
    np.testing.assert_allclose(ours(query, key), expected, atol=1e-5)


def test_additive_attention(rng: np.random.Generator) -> None:
    # Keras leaves the two projections to the caller: here they do nothing.
    layer = keras.layers.AdditiveAttention()
    query, key = (rng.normal(size=(2, n, 13)).astype(np.float32) for n in (5, 7))
    layer([query, key])
    randomised(layer, rng)
    _, expected = layer([query, key], return_attention_scores=True)
    score = AdditiveScore(13, 13, 13, rng=0)
    score.w_query = score.w_key = np.eye(13, dtype=np.float32)
    score.w_score = np.asarray(layer.get_weights()[0])
    weights = attention_weights(query, key, score=score)
    np.testing.assert_allclose(weights, keras.ops.convert_to_numpy(expected), atol=1e-6)

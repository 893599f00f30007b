"""Against keras; and what it, jax and torch make of a query that sees nothing."""

from __future__ import annotations

import jax
import keras
import numpy as np
import pytest
import torch
from torch.nn import functional

import attn
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


to_numpy = keras.ops.convert_to_numpy


@pytest.fixture
def parts() -> tuple[np.ndarray, np.ndarray]:
    """Return query (2, 3, 8) and key (2, 5, 8)."""
    rng = np.random.default_rng(0)
    query, key = (rng.normal(size=(2, n, 8)).astype(np.float32) for n in (3, 5))
    return query, key


@pytest.fixture
def mask() -> np.ndarray:
    """Return a mask (2, 3, 5) in which query 1 of the first sentence sees nothing."""
    shown = np.ones((2, 3, 5), dtype=bool)
    shown[0, 1] = False
    return shown


@pytest.mark.parametrize("layer", [keras.layers.Attention, keras.layers.AdditiveAttention])
def test_keras_attention_gives_the_mean_of_what_is_hidden(
    layer: type, parts: tuple[np.ndarray, ...]
) -> None:
    query, key = parts
    real = np.array([[True] * 5, [False] * 5])
    output, weights = layer()([query, key], mask=[None, real], return_attention_scores=True)
    np.testing.assert_allclose(to_numpy(weights)[1], 0.2, atol=1e-6)
    expected = np.broadcast_to(key[1].mean(axis=0), (3, 8))
    np.testing.assert_allclose(to_numpy(output)[1], expected, atol=1e-6)


def test_keras_attention_in_float16_is_nan_with_torch(parts: tuple[np.ndarray, ...]) -> None:
    # It subtracts a number that float16 has, but does not know torch's float16 by its name.
    layer = keras.layers.Attention(dtype="float16")
    real = np.array([[True] * 5, [False] * 5])
    _, weights = layer(list(parts), mask=[None, real], return_attention_scores=True)
    assert np.isfinite(to_numpy(weights)[0]).all()
    assert np.isnan(to_numpy(weights)[1]).all()


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_keras_multi_head_attention_is_zero_only_if_asked_for_scores(
    dtype: str, parts: tuple[np.ndarray, ...], mask: np.ndarray
) -> None:
    layer = keras.layers.MultiHeadAttention(2, 4, use_bias=False, dtype=dtype)
    asked, scores = layer(*parts, attention_mask=mask, return_attention_scores=True)
    not_asked = layer(*parts, attention_mask=mask)
    assert not to_numpy(asked)[0, 1].any()
    assert not to_numpy(scores)[0, :, 1].any()
    # With torch, a large number is added to the scores: they vanish beside it in float32, which
    # leaves equal weights, as queries of zero have them. In float16 it is too small for that.
    as_if = layer(parts[0] * (dtype == "float16"), parts[1])
    atol = 2e-3 if dtype == "float16" else 1e-6
    np.testing.assert_allclose(to_numpy(not_asked)[0, 1], to_numpy(as_if)[0, 1], atol=atol)
    assert np.abs(to_numpy(as_if)[0, 1]).max() > 0.01
    others = ~np.eye(3, dtype=bool)[1]
    np.testing.assert_allclose(
        to_numpy(asked)[0, others], to_numpy(not_asked)[0, others], atol=10 * atol
    )


def in_jax(
    parts: tuple[np.ndarray, ...], dtype: str = "float32", **options: np.ndarray
) -> np.ndarray:
    """Return the output of jax's function, (2, 3, 8); options without their axis of heads."""
    query, key = (jax.numpy.asarray(part, dtype)[:, :, None] for part in parts)
    given = {name: jax.numpy.asarray(option)[:, None] for name, option in options.items()}
    return np.asarray(jax.nn.dot_product_attention(query, key, key, **given))[:, :, 0]


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_jax_gives_the_mean_of_what_is_hidden(
    dtype: str, parts: tuple[np.ndarray, ...], mask: np.ndarray
) -> None:
    output = in_jax(parts, dtype, mask=mask)
    np.testing.assert_allclose(output[0, 1], parts[1][0].mean(axis=0), atol=2e-3)
    ours = attn.scaled_dot_product_attention(*parts, parts[1], mask=mask)
    others = ~np.eye(3, dtype=bool)[1]
    np.testing.assert_allclose(output[0, others], ours[0, others], atol=2e-3)


def test_jax_s_bias_of_minus_infinity_is_nan(
    parts: tuple[np.ndarray, ...], mask: np.ndarray
) -> None:
    output = in_jax(parts, bias=np.where(mask, 0, -np.inf).astype(np.float32))
    assert np.isnan(output[0, 1]).all()
    assert np.isfinite(output[1]).all()


def test_torch_layer_is_nan_and_its_function_is_zero(
    parts: tuple[np.ndarray, ...], mask: np.ndarray
) -> None:
    query, key = (torch.from_numpy(part) for part in parts)
    shown = torch.from_numpy(mask)
    function = functional.scaled_dot_product_attention(query, key, key, attn_mask=shown)
    assert not function[0, 1].any()
    layer = torch.nn.MultiheadAttention(8, 1, batch_first=True, bias=False)
    asked, _ = layer(query, key, key, attn_mask=~shown)
    not_asked, _ = layer(query, key, key, attn_mask=~shown, need_weights=False)
    assert asked[0, 1].isnan().all()
    assert not not_asked[0, 1].any()

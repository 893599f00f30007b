"""What other libraries make of a query that sees nothing, and what they mean by True.

The chapter on masks says that they differ, and some from themselves: here is how.
"""

from __future__ import annotations

import keras
import numpy as np
import pytest
import torch
from torch.nn import functional

import attn

to_numpy = keras.ops.convert_to_numpy


@pytest.fixture
def parts() -> tuple[np.ndarray, np.ndarray]:
    """Return query (2, 3, 8) and key (2, 5, 8)."""
    rng = np.random.default_rng(0)
    return tuple(rng.normal(size=(2, n, 8)).astype(np.float32) for n in (3, 5))  # type: ignore


@pytest.fixture
def mask() -> np.ndarray:
    """Return a mask (2, 3, 5) in which query 1 of the first sentence sees nothing."""
    shown = np.ones((2, 3, 5), dtype=bool)
    shown[0, 1] = False
    return shown


def test_ours_is_zero(parts: tuple[np.ndarray, ...], mask: np.ndarray) -> None:
    query, key = parts
    output, weights = attn.scaled_dot_product_attention(
        query, key, key, mask=mask, return_weights=True
    )
    assert not output[0, 1].any()
    assert not weights[0, 1].any()


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


def test_keras_multi_head_attention_is_zero_only_if_asked_for_scores(
    parts: tuple[np.ndarray, ...], mask: np.ndarray
) -> None:
    layer = keras.layers.MultiHeadAttention(2, 4, use_bias=False)
    asked, scores = layer(*parts, attention_mask=mask, return_attention_scores=True)
    not_asked = layer(*parts, attention_mask=mask)
    assert not to_numpy(asked)[0, 1].any()
    assert not to_numpy(scores)[0, :, 1].any()
    assert np.abs(to_numpy(not_asked)[0, 1]).max() > 0.01
    others = ~np.eye(3, dtype=bool)[1]
    np.testing.assert_allclose(
        to_numpy(asked)[0, others], to_numpy(not_asked)[0, others], atol=1e-5
    )


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


def test_true_means_may_attend_in_keras(parts: tuple[np.ndarray, ...]) -> None:
    first = np.zeros((2, 3, 5), dtype=bool)
    first[:, :, 0] = True
    layer = keras.layers.MultiHeadAttention(2, 4)
    _, scores = layer(*parts, attention_mask=first, return_attention_scores=True)
    np.testing.assert_array_equal(to_numpy(scores)[..., 0], 1.0)

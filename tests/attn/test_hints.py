"""Arguments as torch names them get one line that names ours, in either module."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import attn
import attn.torch as attn_torch

X, TENSOR = np.ones((2, 6, 8)), torch.ones(2, 6, 8)
MASK = attn.causal_mask(6, 6)
ATTENTIONS: dict[str, dict[str, Any]] = {
    "scaled_dot_product_attention": {},
    "grouped_query_attention": {},
    "blockwise_attention": {},
    "centered_attention": {"centers": [1.0], "window": 1},
    "hard_attention": {"rng": 0},
}


@pytest.mark.parametrize("name", ATTENTIONS)
@pytest.mark.parametrize("theirs", ["attn_mask", "key_padding_mask"])
def test_a_mask_by_torchs_name(name: str, theirs: str) -> None:
    with pytest.raises(TypeError, match=rf"{name} takes no {theirs}: use mask=.*True = may attend"):
        getattr(attn, name)(X, X, X, **ATTENTIONS[name], **{theirs: MASK})


@pytest.mark.parametrize("name", ATTENTIONS)
def test_a_mask_without_a_name(name: str) -> None:
    with pytest.raises(TypeError) as caught:
        getattr(attn, name)(X, X, X, MASK, **ATTENTIONS[name])
    assert str(caught.value) == (
        f"{name} takes 3 positional arguments (query, key, value), but 4 were given: name the "
        "others; a mask is passed as mask= (boolean, True = may attend)"
    )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: attn.scaled_dot_product_attention(X, X, X, dropout_p=0.1),
            "scaled_dot_product_attention takes no dropout_p: there is no dropout on weights",
        ),
        (
            lambda: attn.scaled_dot_product_attention(X, X, X, enable_gqa=True),
            "takes no enable_gqa: call grouped_query_attention",
        ),
        (
            lambda: attn.MultiHeadAttention(8, 2)(X, need_weights=True),
            "MultiHeadAttention takes no need_weights: use return_weights=",
        ),
        (
            lambda: attn.MultiHeadAttention(8, 2)(X, X, X, MASK),
            r"MultiHeadAttention takes 3 positional arguments \(query, key, value\), but 4 were",
        ),
        (
            lambda: attn.local_attention(X, X, X, window=1, key_padding_mask=MASK[0]),
            r"local_attention takes no key_padding_mask: use padding= .*True = may attend",
        ),
        (lambda: attn.attention_weights(X, X, attn_mask=MASK), "use mask="),
        (lambda: attn.attention_weights(X, X, need_weights=True), "leave it out"),
        (lambda: attn.softmax(X, dim=1), "softmax takes no dim: use axis="),
        (
            lambda: attn_torch.scaled_dot_product_attention(TENSOR, TENSOR, TENSOR, attn_mask=MASK),
            r"scaled_dot_product_attention takes no attn_mask: use mask= .*True = may attend",
        ),
        (
            lambda: attn_torch.scaled_dot_product_attention(TENSOR, TENSOR, TENSOR, MASK),
            "passed as mask=",
        ),
        (
            lambda: attn_torch.Encoder(1, 8, 2)(TENSOR, src_key_padding_mask=MASK),
            "Encoder takes no src_key_padding_mask: use mask=",
        ),
        (
            lambda: attn_torch.Decoder(1, 8, 2)(TENSOR, TENSOR, memory_key_padding_mask=MASK),
            "Decoder takes no memory_key_padding_mask: use memory_mask=",
        ),
        (
            lambda: attn_torch.Transformer(8, 2, src_vocab_size=3, tgt_vocab_size=3)(
                TENSOR, TENSOR, tgt_key_padding_mask=MASK
            ),
            "Transformer takes no tgt_key_padding_mask: use target_mask=",
        ),
        (lambda: attn_torch.softmax(TENSOR, dim=-1), "softmax takes no dim: use axis="),
        (
            lambda: attn_torch.MultiHeadAttention(8, 2)(TENSOR, key_padding_mask=MASK),
            "MultiHeadAttention takes no key_padding_mask: use mask=",
        ),
        # What torch does not have either is Python's to refuse.
        (lambda: attn.softmax(X, axes=1), "unexpected keyword argument 'axes'"),
    ],
)
def test_other_arguments(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)

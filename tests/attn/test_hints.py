"""Arguments as torch names them get one line that names ours."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import attn

X = np.ones((2, 6, 8))
MASK = attn.causal_mask(6, 6)
ATTENTIONS: dict[str, dict[str, Any]] = {
    "scaled_dot_product_attention": {},
    "grouped_query_attention": {},
    "blockwise_attention": {},
    "predictive_local_attention": {"centers": [1.0], "window": 1},
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
            lambda: attn.sliding_window_attention(X, X, X, window=1, key_padding_mask=MASK[0]),
            r"sliding_window_attention takes no key_padding_mask: use padding= .*True = may attend",
        ),
        (lambda: attn.attention_weights(X, X, attn_mask=MASK), "use mask="),
        (lambda: attn.attention_weights(X, X, need_weights=True), "leave it out"),
        (lambda: attn.softmax(X, dim=1), "softmax takes no dim: use axis="),
        # What torch does not have either is Python's to refuse.
        (lambda: attn.softmax(X, axes=1), "unexpected keyword argument 'axes'"),
    ],
)
def test_other_arguments(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)

"""torch's argument names of modules, where they are the likely mistake."""

from __future__ import annotations

from typing import Any

import pytest
import torch

import attn
import attn.torch as attn_torch

X = torch.ones(2, 6, 8)
MASK = attn.causal_mask(6, 6)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: attn_torch.MultiHeadAttention(8, 2)(X, key_padding_mask=MASK),
            "MultiHeadAttention takes no key_padding_mask: use mask=",
        ),
        (
            lambda: attn_torch.Encoder(1, 8, 2)(X, src_key_padding_mask=MASK),
            "Encoder takes no src_key_padding_mask: use mask=",
        ),
        (
            lambda: attn_torch.Decoder(1, 8, 2)(X, X, memory_key_padding_mask=MASK),
            "Decoder takes no memory_key_padding_mask: use memory_mask=",
        ),
        (
            lambda: attn_torch.Transformer(8, 2, src_vocab_size=3, tgt_vocab_size=3)(
                X, X, tgt_key_padding_mask=MASK
            ),
            "Transformer takes no tgt_key_padding_mask: use target_mask=",
        ),
    ],
)
def test_hint(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)

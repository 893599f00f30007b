"""A layer prints the sizes it was made with."""

from __future__ import annotations

import numpy as np
import pytest

import attn
import attn.torch

REPRS = {
    "attn.AdditiveScore(5, 7, 3)": "AdditiveScore(d_query=5, d_key=7, d_hidden=3)",
    "attn.AxialPositions((2, 3), (4, 5))": (
        "AxialPositions(shape=(2, 3), dims=(4, 5), order='row_major')"
    ),
    "attn.MultiHeadAttention(50, 3, 16, d_key=11, bias=False)": (
        "MultiHeadAttention(d_model=50, num_heads=3, head_dim=16, d_key=11, d_value=11, "
        "num_kv_heads=3, bias=False)"
    ),
    "attn.MultiHeadAttention(6, 2, sink=True, qk_norm=True, gate='head', soft_cap=5)": (
        "MultiHeadAttention(d_model=6, num_heads=2, head_dim=3, d_key=6, d_value=6, "
        "num_kv_heads=2, bias=True, sink=True, qk_norm=True, gate='head', soft_cap=5.0)"
    ),
    "attn.MultiHeadLatentAttention(6, 2, 5, rotary_dim=4)": (
        "MultiHeadLatentAttention(d_model=6, num_heads=2, d_latent=5, head_dim=3, rotary_dim=4)"
    ),
    "attn.LinearAttentionState()": "LinearAttentionState(num_tokens=0)",
    "attn.KeyValueCache()": "KeyValueCache(num_tokens=0)",
}


@pytest.mark.parametrize("call", REPRS)
def test_a_layer_says_how_it_was_made(call: str) -> None:
    assert repr(eval(call)) == REPRS[call]
    of_torch = repr(eval(call.replace("attn", "attn.torch", 1)))
    if "Axial" not in call:  # its tables follow, one a line
        assert of_torch == REPRS[call]


def test_a_repr_can_be_evaluated() -> None:
    names = vars(attn)
    for call in REPRS:
        layer = eval(call)
        if not isinstance(layer, attn.KeyValueCache | attn.LinearAttentionState):
            assert repr(eval(repr(layer), names)) == repr(layer)


def test_cache_counts_its_tokens() -> None:
    cache = attn.KeyValueCache()
    cache.append(np.ones((2, 3, 8)), np.ones((2, 3, 8)))
    assert repr(cache) == "KeyValueCache(num_tokens=3)"

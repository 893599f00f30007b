"""A module prints the sizes it was made with."""

from __future__ import annotations

import attn.torch


def test_modules() -> None:
    layer = attn.torch.MultiHeadAttention(50, 3, 16, d_key=11, bias=False)
    sizes = "d_model=50, num_heads=3, head_dim=16, d_key=11, d_value=11, num_kv_heads=3, bias=False"
    assert repr(layer) == f"MultiHeadAttention({sizes})"
    score = attn.torch.AdditiveScore(5, 7, 3)
    assert repr(score) == "AdditiveScore(d_query=5, d_key=7, d_hidden=3)"
    axial = repr(attn.torch.AxialPositions((2, 3), (4, 5)))  # its tables follow, one a line
    assert axial.split("\n")[1].strip() == "shape=(2, 3), dims=(4, 5), order='row_major'"
    assert repr(attn.torch.KeyValueCache()) == "KeyValueCache(num_tokens=0)"

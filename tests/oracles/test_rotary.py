"""Rotary positions against GPT-NeoX's and Llama's in transformers."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from transformers import LlamaConfig
from transformers.models.gpt_neox.modeling_gpt_neox import rotate_half as rotate_half_of_neox
from transformers.models.llama.modeling_llama import (
    LlamaRotaryEmbedding,
    apply_rotary_pos_emb,
    rotate_half,
)

import attn
import attn.torch as attn_torch

POSITIONS = [[0, 1, 2, 3, 4], [7, 8, 9, 400, 2047]]


@pytest.fixture
def queries() -> torch.Tensor:
    """Return queries of two sentences, three heads, five tokens, width eight."""
    torch.manual_seed(0)
    return torch.randn(2, 3, 5, 8)


def test_half_split_layout_is_llamas(queries: torch.Tensor) -> None:
    config = LlamaConfig(hidden_size=24, num_attention_heads=3, head_dim=8)
    cos, sin = LlamaRotaryEmbedding(config)(queries, torch.tensor(POSITIONS))
    expected, _ = apply_rotary_pos_emb(queries, queries, cos, sin)
    places = np.array(POSITIONS)[:, None]  # the heads share them
    ours = attn.rotary(queries.numpy(), places, layout="half_split")
    np.testing.assert_allclose(ours, expected, atol=2e-4)  # theirs takes angles in float32
    tensor = attn_torch.rotary(queries, places, layout="half_split")
    torch.testing.assert_close(tensor, expected, atol=2e-4, rtol=0)


def test_half_split_layout_is_gpt_neoxs(queries: torch.Tensor) -> None:
    torch.testing.assert_close(rotate_half_of_neox(queries), rotate_half(queries))
    quarter = attn.rotary(queries.numpy(), [np.pi / 2], base=1.0, layout="half_split")
    np.testing.assert_allclose(quarter, rotate_half_of_neox(queries), atol=1e-6)

"""Rotary positions against Llama's in transformers."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama.modeling_llama import (
    LlamaRotaryEmbedding,
    apply_rotary_pos_emb,
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


SCALINGS = {
    "linear": ({"factor": 3.0}, attn.RotaryScaling("linear", 3.0)),
    "yarn": (
        {"factor": 8.0, "original_max_position_embeddings": 256},
        attn.RotaryScaling("yarn", 8.0, trained_length=256),
    ),
    "yarn, other bounds": (
        {
            "factor": 40.0,
            "original_max_position_embeddings": 4096,
            "beta_fast": 20.0,
            "beta_slow": 2.0,
        },
        attn.RotaryScaling("yarn", 40.0, trained_length=4096, fast=20.0, slow=2.0),
    ),
    "yarn, most divided": (
        {"factor": 2.0, "original_max_position_embeddings": 8},
        attn.RotaryScaling("yarn", 2.0, trained_length=8),
    ),
    # After 700 tokens, "dynamic" scaling by 2 of a model for 100 is "ntk" by 2 * 7 - 1.
    "dynamic": ({"factor": 2.0}, attn.RotaryScaling("ntk", 13.0)),
}


@pytest.mark.parametrize("name", SCALINGS)
@pytest.mark.parametrize("base", [10000.0, 500.0])
def test_scaled_frequencies_are_those_of_transformers(name: str, base: float) -> None:
    theirs, ours = SCALINGS[name]
    parameters = theirs | {"rope_type": name.split(",")[0], "rope_theta": base}
    config = LlamaConfig(
        hidden_size=96,
        num_attention_heads=3,
        head_dim=32,
        max_position_embeddings=100,
        rope_parameters=parameters,
    )
    compute = ROPE_INIT_FUNCTIONS[parameters["rope_type"]]
    expected, factor = compute(config, torch.device("cpu"), seq_len=700)
    np.testing.assert_allclose(ours.frequencies(32, base), expected, rtol=1e-6)
    assert ours.attention_factor == pytest.approx(factor)

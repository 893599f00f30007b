"""What models of today store of the past, in Hugging Face transformers: a state, or a cache."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from transformers import (
    DeepseekV3Config,
    DeepseekV3Model,
    DynamicCache,
    Gemma3TextConfig,
    Gemma3TextModel,
    MiniMaxConfig,
)
from transformers.models.minimax.modeling_minimax import MiniMaxLightningAttention

import attn
import attn.torch as attn_torch

HEADS, HEAD_DIM, TOKENS = 3, 10, 11
COMMON = {
    "hidden_size": 24,
    "intermediate_size": 24,
    "vocab_size": 7,
    "num_attention_heads": 4,
    "head_dim": 6,
    "pad_token_id": 0,
}


def lightning(block_size: int) -> tuple[MiniMaxLightningAttention, torch.Tensor]:
    """Return a layer of MiniMax-01, and tokens."""
    torch.manual_seed(0)
    config = MiniMaxConfig(
        hidden_size=HEADS * HEAD_DIM,
        num_attention_heads=HEADS,
        head_dim=HEAD_DIM,
        num_hidden_layers=4,
        block_size=block_size,
        layer_types=["linear_attention"] * 4,
    )
    layer = MiniMaxLightningAttention(config, 1).double().eval()
    return layer, torch.randn(2, TOKENS, HEADS * HEAD_DIM, dtype=torch.float64)


@pytest.mark.parametrize("block_size", [4, 16])
def test_decayed_linear_attention_is_minimax_s(block_size: int) -> None:
    layer, x = lightning(block_size)
    before_norm: list[torch.Tensor] = []
    layer.norm.register_forward_pre_hook(lambda module, given: before_norm.append(given[0]))
    with torch.no_grad():
        _, state = layer(x, position_embeddings=(), attention_mask=None)
        joined = torch.nn.functional.silu(layer.qkv_proj(x)).view(2, TOKENS, HEADS, 3 * HEAD_DIM)
    query, key, value = (part.transpose(1, 2) for part in joined.split(HEAD_DIM, dim=3))
    decay = torch.exp(-layer.slope_rate)[:, :, 0]  # (heads, 1)
    options: Any = {"feature_map": None, "normalise": False}
    for module, convert in ((attn, np.asarray), (attn_torch, torch.as_tensor)):
        given = [convert(part) for part in (query, key, value)]
        left = convert(decay)
        at_once = module.linear_attention(*given, is_causal=True, decay=left, **options)
        np.testing.assert_allclose(module.merge_heads(at_once), before_norm[0], atol=1e-6)
        memory = module.LinearAttentionState(**options)
        stepwise = memory.append(*given, left)
        np.testing.assert_allclose(stepwise, at_once, atol=1e-12)
        np.testing.assert_allclose(memory.state, state, atol=1e-6)  # their decay is float32


def stored(model: torch.nn.Module) -> int:
    """Return how many numbers a cache of theirs holds after a sentence."""
    cache = DynamicCache(config=model.config)
    with torch.no_grad():
        model.eval()(torch.ones(1, TOKENS, dtype=torch.long), past_key_values=cache)
    return sum(part.numel() for layer in cache.layers for part in (layer.keys, layer.values))


def test_latents_store_what_deepseek_v_3_stores() -> None:
    config = DeepseekV3Config(
        **COMMON | {"head_dim": 4},
        num_key_value_heads=4,
        num_hidden_layers=3,
        first_k_dense_replace=3,
        q_lora_rank=None,
        kv_lora_rank=9,
        qk_rope_head_dim=4,
        qk_nope_head_dim=6,
        v_head_dim=6,
    )
    counted = attn.cache_size(TOKENS, num_layers=3, d_latent=9, rotary_dim=4)
    assert stored(DeepseekV3Model(config)) == counted


@pytest.mark.parametrize("layers", [1, 6, 8, 12])
@pytest.mark.parametrize("window", [5, 40])
def test_five_local_layers_for_a_global_one_store_what_gemma_3_stores(
    layers: int, window: int
) -> None:
    config = Gemma3TextConfig(
        **COMMON, num_key_value_heads=2, num_hidden_layers=layers, sliding_window=window
    )
    assert config.layer_types.count("full_attention") == layers // 6
    # Between two steps, theirs keeps what the next token will see beside itself.
    counted = attn.cache_size(
        TOKENS,
        num_layers=layers,
        num_kv_heads=2,
        head_dim=6,
        local_per_global=5,
        local_tokens=window - 1,
    )
    assert stored(Gemma3TextModel(config)) == counted

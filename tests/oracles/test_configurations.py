"""Which model uses and stores what: the chapters' table against transformers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import (
    DeepseekV2Config,
    DeepseekV3Config,
    DeepseekV3Model,
    DynamicCache,
    Gemma2Config,
    Gemma3TextConfig,
    Gemma3TextModel,
    Gemma4TextConfig,
    GptOssConfig,
    KimiLinearConfig,
    MiniMaxConfig,
    MistralConfig,
    Olmo3Config,
    Qwen3Config,
    Qwen3NextConfig,
)
from transformers.models.gemma3.modeling_gemma3 import Gemma3Attention
from transformers.models.gemma4.modeling_gemma4 import Gemma4TextAttention
from transformers.models.gpt_oss.modeling_gpt_oss import GptOssAttention
from transformers.models.minimax.modeling_minimax import MiniMaxLightningAttention
from transformers.models.olmo3.modeling_olmo3 import Olmo3Attention
from transformers.models.qwen3.modeling_qwen3 import Qwen3Attention
from transformers.models.qwen3_next.modeling_qwen3_next import Qwen3NextAttention

import attn
import attn.torch as attn_torch

BOOK = Path(__file__).resolve().parents[2] / "book"


def row(model: str) -> str:
    """Return the line of the table on a model."""
    lines = (BOOK / "attention-today.md").read_text(encoding="utf-8").splitlines()
    (found,) = [line for line in lines if re.match(rf"\| {re.escape(model)}[ †]", line)]
    return found


def per_global(layer_types: Sequence[str]) -> int:
    """Return how many other layers come before the second global one."""
    ends = [number for number, kind in enumerate(layer_types) if kind == "full_attention"]
    (distance,) = {later - sooner for sooner, later in pairwise(ends)}
    return distance - 1


@pytest.mark.parametrize(
    ("model", "config", "others", "window"),
    [
        ("Gemma 2", Gemma2Config(), 1, 4096),
        ("Gemma 3", Gemma3TextConfig(), 5, None),  # the default is not what was published
        ("Gemma 4", Gemma4TextConfig(), 5, 512),
        ("gpt-oss", GptOssConfig(), 1, 128),
        ("OLMo 3", Olmo3Config(), 3, 4096),
    ],
)
def test_local_layers_for_each_global_one(
    model: str, config: Any, others: int, window: int | None
) -> None:
    assert per_global(config.layer_types) == others
    assert set(config.layer_types) == {"full_attention", "sliding_attention"}
    assert f"{others} local (" in row(model)
    if window is not None:
        assert config.sliding_window == window
        assert str(window) in row(model)


@pytest.mark.parametrize(
    ("model", "config"), [("Qwen3-Next", Qwen3NextConfig()), ("Kimi Linear", KimiLinearConfig())]
)
def test_layers_with_a_state_for_each_global_one(model: str, config: Any) -> None:
    assert per_global(config.layer_types) == 3
    assert set(config.layer_types) == {"full_attention", "linear_attention"}
    assert "3 with a state : 1 global" in row(model)


def test_keys_and_values() -> None:
    mistral, oss = MistralConfig(), GptOssConfig()
    assert (mistral.num_key_value_heads, mistral.num_attention_heads) == (8, 32)
    assert mistral.sliding_window == 4096
    assert (oss.num_key_value_heads, oss.num_attention_heads) == (8, 64)
    following = Qwen3NextConfig()
    assert (following.num_key_value_heads, following.num_attention_heads) == (2, 16)
    assert "8 heads for 32" in row("Mistral 7B")
    assert "8 heads for 64" in row("gpt-oss")
    assert "2 heads for 16" in row("Qwen3-Next")
    for config in (DeepseekV2Config(), DeepseekV3Config()):
        assert (config.kv_lora_rank, config.qk_rope_head_dim) == (512, 64)
        assert (config.qk_nope_head_dim, config.v_head_dim) == (128, 128)
    assert DeepseekV3Config().num_attention_heads == 128
    assert "latent of 512, rotary key of 64" in row("DeepSeek-V2")
    assert KimiLinearConfig().kv_lora_rank == 512
    assert "latent of 512" in row("Kimi Linear")


def test_what_limits_scores() -> None:
    assert Gemma2Config().attn_logit_softcapping == 50
    assert "cap of 50" in row("Gemma 2")
    small = {"hidden_size": 24, "num_attention_heads": 2, "num_key_value_heads": 2, "head_dim": 8}
    layers = {
        "Gemma 3": Gemma3Attention(Gemma3TextConfig(**small), 0),
        "Gemma 4": Gemma4TextAttention(Gemma4TextConfig(**small), 0),
        "OLMo 3": Olmo3Attention(Olmo3Config(**small), 0),
        "Qwen3": Qwen3Attention(Qwen3Config(**small), 0),
        "Qwen3-Next": Qwen3NextAttention(Qwen3NextConfig(**small), 0),
    }
    for model, layer in layers.items():
        assert {"q_norm", "k_norm"} <= dict(layer.named_children()).keys(), model
        assert "QK-norm" in row(model), model
    assert layers["OLMo 3"].q_norm.weight.shape == torch.Size([16])  # both heads in one
    assert "all heads together" in row("OLMo 3")
    assert Gemma3TextConfig().attn_logit_softcapping is None
    sinks = GptOssAttention(GptOssConfig(**small), 0).sinks
    assert sinks.shape == torch.Size([2])  # one for each head
    assert "a learned sink a head" in row("gpt-oss")


def test_positions() -> None:
    of_gemma = Gemma3TextConfig().rope_parameters
    assert of_gemma["full_attention"]["rope_theta"] == 1e6
    assert "base 1M in global layers" in row("Gemma 3")
    assert GptOssConfig().rope_parameters["rope_type"] == "yarn"
    assert "YaRN" in row("gpt-oss")
    assert Gemma4TextConfig().rope_parameters["full_attention"]["partial_rotary_factor"] == 0.25
    assert "a quarter" in row("Gemma 4")
    assert Qwen3NextConfig().rope_parameters["partial_rotary_factor"] == 0.25
    assert "a quarter" in row("Qwen3-Next")


def test_the_marked_models_are_those_that_are_checked_here() -> None:
    text = (BOOK / "attention-today.md").read_text(encoding="utf-8")
    marked = set(re.findall(r"^\| ([^|†]+) †", text, flags=re.MULTILINE))
    assert marked == {
        *("Mistral 7B", "DeepSeek-V2", "Gemma 2", "Gemma 3", "Gemma 4", "gpt-oss", "Kimi Linear"),
        *("OLMo 3", "Qwen3", "Qwen3-Next"),
    }


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

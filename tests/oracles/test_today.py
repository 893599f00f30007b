"""Against models of today in Hugging Face transformers, with random weights: whole layers."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from transformers import (
    DeepseekV3Config,
    DiffLlamaConfig,
    Gemma2Config,
    GptOssConfig,
    Qwen3Config,
    Qwen3NextConfig,
)
from transformers.models.deepseek_v3.modeling_deepseek_v3 import DeepseekV3Attention
from transformers.models.diffllama.modeling_diffllama import DiffLlamaAttention
from transformers.models.gemma2.modeling_gemma2 import Gemma2Attention
from transformers.models.gpt_oss.modeling_gpt_oss import GptOssAttention
from transformers.models.qwen3.modeling_qwen3 import Qwen3Attention
from transformers.models.qwen3_next.modeling_qwen3_next import Qwen3NextAttention

import attn
import attn.torch as attn_torch

WIDTH, HEADS, HEAD_DIM, TOKENS = 24, 6, 8, 7
ROUNDED = 2e-6  # theirs pass float32 in norms and in the softmax, whatever the input
SIZES = {
    "hidden_size": WIDTH,
    "num_attention_heads": HEADS,
    "num_key_value_heads": 2,
    "head_dim": HEAD_DIM,
    "num_hidden_layers": 2,
    "attn_implementation": "eager",
}
FUTURE = torch.full((TOKENS, TOKENS), -torch.inf, dtype=torch.float64).triu(1)
#: Cosine and sine of no rotation: positions are held to transformers in another file.
UNTURNED = torch.ones(1, TOKENS, HEAD_DIM).double(), torch.zeros(1, TOKENS, HEAD_DIM).double()
X = torch.randn(2, TOKENS, WIDTH, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


def randomised(layer: nn.Module) -> nn.Module:
    """Return the layer in float64 with random parameters, those that begin at 0 or 1 as well."""
    generator = torch.Generator().manual_seed(1)
    layer = layer.double().eval()
    for parameter in layer.parameters():
        nn.init.normal_(parameter, std=0.4, generator=generator)
    return layer


def called(layer: nn.Module, turn: tuple[Tensor, Tensor] = UNTURNED) -> tuple[Tensor, Tensor]:
    """Return what their layer makes of X, causally."""
    with torch.no_grad():
        output, weights, *_ = layer(X, position_embeddings=turn, attention_mask=FUTURE)
    return output, weights


def projections(layer: nn.Module) -> dict[str, np.ndarray]:
    """Return their projections as parameters of ours."""
    state = {name: array.numpy() for name, array in layer.state_dict().items()}
    ours = {}
    for name in ("query", "key", "value", "output"):
        ours[f"w_{name}"] = state[f"{name[0]}_proj.weight"].T
        if f"{name[0]}_proj.bias" in state:
            ours[f"b_{name}"] = state[f"{name[0]}_proj.bias"]
    return ours


def check(
    parameters: dict[str, np.ndarray],
    layer: nn.Module,
    turn: tuple[Tensor, Tensor] = UNTURNED,
    soft_cap: float | None = None,
) -> None:
    """Hold our layers, NumPy's and torch's, against theirs: outputs and weights."""
    expected, expected_weights = called(layer, turn)
    options = {"is_causal": True, "return_weights": True}
    ours = attn.MultiHeadAttention.from_parameters(parameters, HEADS, soft_cap=soft_cap)
    trained = attn_torch.MultiHeadAttention.from_parameters(parameters, HEADS, soft_cap=soft_cap)
    output, weights = ours(X.numpy(), **options)
    np.testing.assert_allclose(output, expected, atol=ROUNDED)
    np.testing.assert_allclose(weights, expected_weights, atol=ROUNDED)
    tensor, of_torch = trained(X, **options)
    np.testing.assert_allclose(tensor.detach(), expected, atol=ROUNDED)
    np.testing.assert_allclose(of_torch.detach(), weights, atol=1e-12)
    for name, array in trained.to_numpy().items():
        np.testing.assert_array_equal(array, ours.parameters()[name])


def test_learned_sinks_are_gpt_oss_s() -> None:
    layer = randomised(
        GptOssAttention(GptOssConfig(**SIZES, layer_types=["full_attention"] * 2), 0)
    )
    parameters = projections(layer) | {"sinks": layer.sinks.detach().numpy()}
    assert "b_output" in parameters
    cos, sin = (part[..., : HEAD_DIM // 2] for part in UNTURNED)  # theirs has one for each pair
    check(parameters, layer, (cos, sin))


def test_soft_capping_is_gemma_2_s() -> None:
    config = Gemma2Config(**SIZES, attn_logit_softcapping=0.7, query_pre_attn_scalar=HEAD_DIM)
    layer = randomised(Gemma2Attention(config, 1))
    check(projections(layer), layer, soft_cap=0.7)


def test_qk_norm_is_qwen_3_s() -> None:
    layer = randomised(Qwen3Attention(Qwen3Config(**SIZES), 0))
    gains = {"g_query": layer.q_norm.weight, "g_key": layer.k_norm.weight}
    check(projections(layer) | {n: g.detach().numpy() for n, g in gains.items()}, layer)


def test_a_gate_for_each_feature_is_qwen_3_next_s() -> None:
    layer = randomised(Qwen3NextAttention(Qwen3NextConfig(**SIZES), 0))
    parameters = projections(layer)
    # Theirs projects each head's query and gate at once, side by side; its norms add 1 to a gain.
    both = parameters["w_query"].reshape(WIDTH, HEADS, 2, HEAD_DIM)
    parameters["w_query"] = both[:, :, 0].reshape(WIDTH, -1)
    parameters["w_gate"] = both[:, :, 1].reshape(WIDTH, -1)
    for name, norm in (("g_query", layer.q_norm), ("g_key", layer.k_norm)):
        parameters[name] = 1 + norm.weight.detach().numpy()
    check(parameters, layer)


@pytest.mark.parametrize("number", [0, 3])
def test_differential_attention_is_diffllama_s(number: int) -> None:
    config = DiffLlamaConfig(**SIZES | {"num_key_value_heads": HEADS}, rms_norm_eps=1e-6)
    layer = randomised(DiffLlamaAttention(config, number))
    expected, _ = called(layer)
    pairs = HEADS // 2
    ours = attn_torch.DifferentialAttention(WIDTH, pairs, HEAD_DIM, layer.lambda_init).double()
    order = np.arange(HEADS).reshape(2, pairs).T.ravel()  # theirs: all first heads, then all second
    state = {}
    for name, weight in projections(layer).items():
        if name in ("w_query", "w_key", "w_value"):
            weight = weight.reshape(WIDTH, HEADS, HEAD_DIM)[:, order].reshape(WIDTH, -1)
        state[name] = torch.tensor(weight)
    state["lambda_query"] = torch.stack([layer.lambda_q1, layer.lambda_q2])
    state["lambda_key"] = torch.stack([layer.lambda_k1, layer.lambda_k2])
    ours.load_state_dict(state)
    with torch.no_grad():
        torch.testing.assert_close(ours(X, is_causal=True), expected, atol=ROUNDED, rtol=0)


@pytest.mark.parametrize("absorbed", [False, True])
def test_latent_attention_is_deepseek_v_3_s(absorbed: bool) -> None:
    latent, turned = 5, 4
    config = DeepseekV3Config(
        **SIZES | {"num_key_value_heads": HEADS, "head_dim": turned},
        q_lora_rank=None,
        kv_lora_rank=latent,
        qk_rope_head_dim=turned,
        qk_nope_head_dim=HEAD_DIM,
        v_head_dim=HEAD_DIM,
    )
    layer = randomised(DeepseekV3Attention(config, 0))
    angles = torch.arange(TOKENS)[:, None] * 10000.0 ** -torch.tensor([0, 0.5]).double()
    turn = torch.cat([angles, angles], -1)[None]
    expected, _ = called(layer, (turn.cos(), turn.sin()))
    state = {name: array.numpy() for name, array in layer.state_dict().items()}
    down = state["kv_a_proj_with_mqa.weight"].T
    up = state["kv_b_proj.weight"].T.reshape(latent, HEADS, 2, HEAD_DIM)
    parameters = {
        "w_query": state["q_proj.weight"].T,
        "w_latent": down[:, :latent],
        "g_latent": state["kv_a_layernorm.weight"],
        "w_rotary_key": down[:, latent:],
        "w_key": up[:, :, 0].reshape(latent, -1),
        "w_value": up[:, :, 1].reshape(latent, -1),
        "w_output": state["o_proj.weight"].T,
    }
    ours = attn.MultiHeadLatentAttention.from_parameters(parameters, HEADS)
    trained = attn_torch.MultiHeadLatentAttention.from_parameters(parameters, HEADS)
    options = {"is_causal": True, "absorbed": absorbed}
    np.testing.assert_allclose(ours(X.numpy(), **options), expected, atol=ROUNDED)
    np.testing.assert_allclose(trained(X, **options).detach(), expected, atol=ROUNDED)

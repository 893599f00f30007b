"""Against Longformer, Reformer and Llama in Hugging Face transformers, with random weights."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from transformers import LlamaConfig, LongformerConfig, ReformerConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding, apply_rotary_pos_emb
from transformers.models.longformer.modeling_longformer import LongformerSelfAttention
from transformers.models.reformer.modeling_reformer import AxialPositionEmbeddings, LSHSelfAttention

import attn
import attn.torch as attn_torch

HEADS, HEAD_DIM, TOKENS, WINDOW = 3, 8, 160, 16


def longformer() -> LongformerSelfAttention:
    """Return a layer whose global tokens use the same projections as the others.

    Ours has one set; theirs has two, and that is not what is compared here.
    """
    torch.manual_seed(0)
    config = LongformerConfig(
        attention_window=[2 * WINDOW],  # both sides
        hidden_size=HEADS * HEAD_DIM,
        num_attention_heads=HEADS,
        attention_probs_dropout_prob=0.0,
    )
    layer = LongformerSelfAttention(config, 0).eval()
    for name in ("query", "key", "value"):
        projection = getattr(layer, name)
        torch.nn.init.normal_(projection.weight, std=0.2)
        getattr(layer, f"{name}_global").load_state_dict(projection.state_dict())
    return layer


def heads(layer: LongformerSelfAttention, x: torch.Tensor) -> list[np.ndarray]:
    with torch.no_grad():
        projected = [getattr(layer, name)(x).numpy() for name in ("query", "key", "value")]
    return [attn.split_heads(part, HEADS) for part in projected]


@pytest.mark.parametrize("global_tokens", [[], [0], [0, 77, 159]])
@pytest.mark.parametrize("lengths", [[TOKENS, TOKENS], [TOKENS, 131]])
def test_equals_longformer(global_tokens: list[int], lengths: list[int]) -> None:
    layer, x = longformer(), torch.randn(2, TOKENS, HEADS * HEAD_DIM)
    real = attn.padding_mask(lengths, TOKENS)
    # Theirs is -10000 for padding, 10000 for global tokens, 0 otherwise.
    code = torch.where(torch.tensor(real[:, 0]), 0.0, -10000.0)
    code[:, global_tokens] = torch.where(code[:, global_tokens] < 0, -10000.0, 10000.0)
    with torch.no_grad():
        expected = layer(
            x,
            attention_mask=code,
            is_index_masked=code < 0,
            is_index_global_attn=code > 0,
            is_global_attn=bool((code > 0).any()),
        )[0].numpy()
    options = {"window": WINDOW, "global_tokens": (code > 0).numpy(), "padding": real}
    query, key, value = heads(layer, x)
    array = attn.merge_heads(attn.local_attention(query, key, value, **options))
    tensor = attn_torch.local_attention(*map(torch.tensor, (query, key, value)), **options)
    shown = real[:, 0]  # theirs clears the rows of padding; ours says they mean nothing
    for seen in (array, attn_torch.merge_heads(tensor).numpy()):
        np.testing.assert_allclose(seen[shown], expected[shown], atol=1e-6)


SEED = 7


def reformer(num_buckets: int | list[int], num_hashes: int, is_causal: bool) -> LSHSelfAttention:
    """Return a layer with random weights."""
    torch.manual_seed(0)
    config = ReformerConfig(
        num_attention_heads=HEADS,
        attention_head_size=HEAD_DIM,
        hidden_size=HEADS * HEAD_DIM,
        attn_layers=["lsh"],
        num_hashes=num_hashes,
        num_buckets=num_buckets,
        lsh_attn_chunk_length=16,
        hash_seed=SEED,
        is_decoder=is_causal,
        lsh_attention_probs_dropout_prob=0.0,
        axial_pos_embds=False,
    )
    layer = LSHSelfAttention(config, layer_idx=0).eval()
    for projection in (layer.query_key, layer.value):
        torch.nn.init.normal_(projection.weight, std=0.5)
    return layer


@pytest.mark.parametrize("num_buckets", [8, [4, 6]])
@pytest.mark.parametrize("num_hashes", [1, 4])
@pytest.mark.parametrize("masked", [False, True])
# Causal in float64 only: a token that sees nothing but itself has the score -1e5 in theirs, where
# float32 has two decimals left, so that its weights sum to 1.003.
@pytest.mark.parametrize(
    ("is_causal", "dtype"), [(False, torch.float32), (False, torch.float64), (True, torch.float64)]
)
def test_equals_reformer(
    num_buckets: int | list[int], num_hashes: int, is_causal: bool, masked: bool, dtype: torch.dtype
) -> None:
    layer = reformer(num_buckets, num_hashes, is_causal).to(dtype)
    x = torch.randn(2, 128, HEADS * HEAD_DIM, dtype=dtype)
    real = attn.padding_mask([128, 101 if masked else 128], 128)[:, 0]
    with torch.no_grad():
        expected = layer(x, attention_mask=torch.tensor(real)).hidden_states.numpy()
        query_key, value = layer.query_key(x).numpy(), layer.value(x).numpy()
    # Theirs draws its rotations after seeding, in this shape.
    torch.manual_seed(SEED)
    factors = num_buckets if isinstance(num_buckets, list) else [num_buckets]
    rotations = torch.randn(HEADS, HEAD_DIM, num_hashes, sum(factors) // 2, dtype=dtype).numpy()
    options = {
        "num_buckets": num_buckets,
        "num_hashes": num_hashes,
        "chunk_length": 16,
        "rotations": rotations,
        "is_causal": is_causal,
        "mask": real,
    }
    parts = [attn.split_heads(part, HEADS) for part in (query_key, value)]
    array = attn.lsh_attention(*parts, **options)
    tensor = attn_torch.lsh_attention(*map(torch.tensor, parts), **options).numpy()
    tolerance = 1e-5 if dtype == torch.float32 else 1e-9
    for seen in (array, tensor):
        np.testing.assert_allclose(attn.merge_heads(seen)[real], expected[real], atol=tolerance)


def test_axial_positions_are_theirs_bit_for_bit() -> None:
    config = ReformerConfig(
        axial_pos_shape=[8, 16], axial_pos_embds_dim=[24, 40], hidden_size=64, attn_layers=["lsh"]
    )
    theirs = AxialPositionEmbeddings(config).eval()
    for weight in theirs.weights:
        torch.nn.init.normal_(weight)
    ours = attn.AxialPositions((8, 16), (24, 40), order="row_major")
    ours.tables = [
        weight.detach().numpy().reshape(-1, weight.shape[-1]) for weight in theirs.weights
    ]
    for tokens in (128, 100):
        expected = theirs(torch.arange(tokens)[None]).detach().numpy()[0]
        np.testing.assert_array_equal(ours(tokens), expected)


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

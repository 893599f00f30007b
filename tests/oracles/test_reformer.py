"""Against Reformer in Hugging Face transformers: LSH attention, and axial positions exactly."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from transformers import ReformerConfig
from transformers.models.reformer.modeling_reformer import (
    AxialPositionEmbeddings,
    LSHSelfAttention,
)

import attn

HEADS, HEAD_DIM, SEED = 3, 8, 7


def reformer(num_buckets: int | list[int], num_hashes: int, causal: bool) -> LSHSelfAttention:
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
        is_decoder=causal,
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
    ("causal", "dtype"),
    [(False, torch.float32), (False, torch.float64), (True, torch.float64)],
)
def test_equals_reformer(
    num_buckets: int | list[int],
    num_hashes: int,
    causal: bool,
    masked: bool,
    dtype: torch.dtype,
) -> None:
    layer = reformer(num_buckets, num_hashes, causal).to(dtype)
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
        "causal": causal,
        "mask": real,
    }
    parts = [attn.split_heads(part, HEADS) for part in (query_key, value)]
    array = attn.lsh_attention(*parts, **options)
    tensor = attn.lsh_attention(*map(torch.tensor, parts), **options).numpy()
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

"""Against Longformer's self-attention in Hugging Face transformers, with random weights."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from transformers import LongformerConfig
from transformers.models.longformer.modeling_longformer import LongformerSelfAttention

import attn

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
    array = attn.merge_heads(attn.sliding_window_attention(query, key, value, **options))
    tensor = attn.sliding_window_attention(*map(torch.tensor, (query, key, value)), **options)
    shown = real[:, 0]  # theirs clears the rows of padding; ours says they mean nothing
    for seen in (array, attn.merge_heads(tensor).numpy()):
        np.testing.assert_allclose(seen[shown], expected[shown], atol=1e-6)

"""Against torch's own layers, with copied weights."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

import attn
import attn.torch as attn_torch


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(0)


def double(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64)


@pytest.mark.parametrize("num_keys", [5, 7, 11])
def test_causal_is_torchs_only_for_as_many_keys_as_queries(num_keys: int) -> None:
    query, key, value = double(2, 7, 3), double(2, num_keys, 3), double(2, num_keys, 3)
    theirs = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    ours = attn_torch.scaled_dot_product_attention(query, key, value, is_causal=True)
    assert torch.allclose(ours, theirs) == (num_keys == 7)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("decoupled", [True, False])
def test_multi_head_attention(bias: bool, decoupled: bool) -> None:
    widths = {"kdim": 5, "vdim": 7} if decoupled else {}
    theirs = nn.MultiheadAttention(6, 2, bias=bias, batch_first=True, **widths).double()
    for parameter in theirs.parameters():  # biases start at zero, which would hide them
        nn.init.normal_(parameter)
    query = double(3, 4, 6)
    key, value = (double(3, 11, 5), double(3, 11, 7)) if decoupled else (double(3, 11, 6),) * 2
    padding = attn_torch.padding_mask([11, 2, 7], 11)
    expected, expected_weights = theirs(
        query, key, value, key_padding_mask=~padding[:, 0], average_attn_weights=False
    )
    array = attn.MultiHeadAttention.from_torch(theirs.state_dict(), num_heads=2)
    module = attn_torch.MultiHeadAttention.from_torch(theirs.state_dict(), num_heads=2)
    hosts = [part.numpy() for part in (query, key, value)]
    with torch.no_grad():
        seen = module(query, key, value, mask=padding, return_weights=True)
    for output, weights in (seen, array(*hosts, mask=padding.numpy(), return_weights=True)):
        np.testing.assert_allclose(output, expected.detach(), atol=1e-12)
        np.testing.assert_allclose(weights, expected_weights.detach(), atol=1e-12)
    back = nn.MultiheadAttention(6, 2, bias=bias, batch_first=True, **widths).double()
    back.load_state_dict(module.to_torch())
    torch.testing.assert_close(back(query, key, value)[0], theirs(query, key, value)[0])


def copy_attention(theirs: nn.MultiheadAttention, ours: attn_torch.MultiHeadAttention) -> None:
    same = attn_torch.MultiHeadAttention.from_torch(theirs.state_dict(), theirs.num_heads)
    ours.load_state_dict(same.state_dict())


def copy_feed_forward(theirs: nn.Module, ours: nn.Sequential) -> None:
    ours[0].load_state_dict(theirs.linear1.state_dict())
    ours[3].load_state_dict(theirs.linear2.state_dict())


def copy_encoder_layer(theirs: nn.Module, ours: attn_torch.EncoderLayer) -> None:
    copy_attention(theirs.self_attn, ours.attention)
    copy_feed_forward(theirs, ours.feed_forward)
    ours.norm_attention.load_state_dict(theirs.norm1.state_dict())
    ours.norm_feed_forward.load_state_dict(theirs.norm2.state_dict())


def copy_decoder_layer(theirs: nn.Module, ours: attn_torch.DecoderLayer) -> None:
    copy_attention(theirs.self_attn, ours.self_attention)
    copy_attention(theirs.multihead_attn, ours.cross_attention)
    copy_feed_forward(theirs, ours.feed_forward)
    for norm, name in (("self", "norm1"), ("cross", "norm2"), ("feed_forward", "norm3")):
        getattr(ours, f"norm_{norm}").load_state_dict(getattr(theirs, name).state_dict())


def test_a_layer_of_today_is_made_of_rms_norm_and_swiglu() -> None:
    layer = attn_torch.EncoderLayer(
        6, 2, 5, dropout=0.0, norm_first=True, norm="rms", activation="swiglu"
    ).double()
    for parameter in layer.parameters():
        nn.init.normal_(parameter, std=0.5)
    x, network = double(2, 7, 6), layer.feed_forward
    after = x + layer.attention(attn_torch.rms_norm(x, layer.norm_attention.weight))
    read = attn_torch.rms_norm(after, layer.norm_feed_forward.weight)
    weights = (part.weight.mT for part in (network.gate, network.inner, network.outer))
    torch.testing.assert_close(layer(x), after + attn_torch.swiglu(read, *weights))


@pytest.mark.filterwarnings("ignore:enable_nested_tensor is True:UserWarning")  # theirs, norm first
@pytest.mark.parametrize("norm_first", [False, True])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
def test_transformer(norm_first: bool, activation: str) -> None:
    options = {"norm_first": norm_first, "activation": activation}
    theirs = nn.Transformer(6, 2, 3, 2, 13, 0.0, batch_first=True, **options).double()
    sizes = {"src_vocab_size": 17, "tgt_vocab_size": 11, "d_hidden": 13, "dropout": 0.0}
    ours = attn_torch.Transformer(6, 2, 3, 2, **sizes, **options).double()
    for parameter in theirs.parameters():
        nn.init.normal_(parameter, std=0.5)
    copies = {"encoder": copy_encoder_layer, "decoder": copy_decoder_layer}
    for name, copy in copies.items():
        stack, mine = getattr(theirs, name), getattr(ours, name)
        for layer, same in zip(stack.layers, mine.layers, strict=True):
            copy(layer, same)
        if norm_first:
            mine.norm.load_state_dict(stack.norm.state_dict())
        else:
            stack.norm = None  # theirs normalises once more after the last layer, unlike the paper
    source, target = torch.randint(17, (3, 7)), torch.randint(11, (3, 5))
    mask = attn_torch.padding_mask([7, 4, 5], 7)
    hidden = ~mask[:, 0]
    vectors = theirs(
        ours.embed(source, ours.embed_source, "source"),
        ours.embed(target, ours.embed_target, "target"),
        tgt_mask=~attn_torch.causal_mask(5, 5),
        src_key_padding_mask=hidden,
        memory_key_padding_mask=hidden,
    )
    torch.testing.assert_close(ours(source, target, source_mask=mask), ours.to_scores(vectors))

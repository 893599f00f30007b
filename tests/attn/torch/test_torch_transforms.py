"""Masks under vmap and the compiler; parameters on the device and in the type that is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attn
import attn.torch as attn_torch

MASKED: dict[str, Callable[[Tensor, Tensor], Any]] = {
    "attention": lambda x, m: attn.scaled_dot_product_attention(x, x, x, mask=m),
    "causal": lambda x, m: attn.scaled_dot_product_attention(x, x, x, mask=m, causal=True),
    "bias": lambda x, m: attn.scaled_dot_product_attention(
        x, x, x, bias=torch.where(m, 0.0, -torch.inf)
    ),
    "weights": lambda x, m: attn.attention_weights(x, x, mask=m),
    "grouped": lambda x, m: attn.grouped_query_attention(x[None], x[None], x[None], mask=m),
    "blocks": lambda x, m: attn.blockwise_attention(x, x, x, mask=m),
    "linear": lambda x, m: attn.linear_attention(x, x, x, mask=m),
    "differential": lambda x, m: attn.differential_attention(x, x, x, mask=m, lambda_=0.5),
    "softmax": lambda x, m: attn.softmax(x @ x.mT, mask=m),
}
masked = pytest.mark.parametrize("call", MASKED.values(), ids=list(MASKED))
MODULES: dict[str, Callable[..., nn.Module]] = {
    "heads": lambda **place: attn_torch.MultiHeadAttention(
        8, 2, num_kv_heads=1, sink=True, qk_norm=True, gate="head", **place
    ),
    "latent": lambda **place: attn_torch.MultiHeadLatentAttention(8, 2, 3, rotary_dim=2, **place),
    "differential": lambda **place: attn_torch.DifferentialAttention(8, 2, **place),
    "additive": lambda **place: attn_torch.AdditiveScore(8, 8, 3, **place),
    "axial": lambda **place: attn_torch.AxialPositions((2, 3), (2, 4), **place),
    "encoder": lambda **place: attn_torch.Encoder(2, 8, 2, norm_first=True, **place),
    "decoder": lambda **place: attn_torch.Decoder(
        1, 8, 2, norm_first=True, activation="swiglu", norm="rms", **place
    ),
    "transformer": lambda **place: attn_torch.Transformer(
        8, 2, src_vocab_size=3, tgt_vocab_size=5, **place
    ),
}
modules = pytest.mark.parametrize("make", MODULES.values(), ids=list(MODULES))


def given(batch: int = 5) -> tuple[Tensor, Tensor]:
    """Return tokens, (batch, 6, 8), and a mask for each sequence; some rows see nothing."""
    generator = torch.Generator().manual_seed(0)
    mask = torch.rand(batch, 6, 6, generator=generator) < 0.5
    mask[0, 2] = False
    return torch.randn(batch, 6, 8, generator=generator), mask


@masked
def test_vmap_over_masks(call: Callable[[Tensor, Tensor], Any]) -> None:
    x, mask = given()
    expected = torch.stack([call(one, own) for one, own in zip(x, mask, strict=True)])
    torch.testing.assert_close(torch.func.vmap(call)(x, mask), expected)


@pytest.mark.parametrize("make", [MODULES["heads"], MODULES["latent"], MODULES["differential"]])
def test_vmap_of_layers_with_masks(make: Callable[..., nn.Module]) -> None:
    layer, (x, mask) = make(), given()
    expected = torch.stack([layer(one, mask=own) for one, own in zip(x, mask, strict=True)])
    seen = torch.func.vmap(lambda one, own: layer(one, mask=own))(x, mask)
    torch.testing.assert_close(seen, expected)


def test_gradients_of_each_sequence_under_vmap_meet_nothing_hidden() -> None:
    x, mask = given()
    mask[..., 4:] = False
    x[:, 4:] = torch.nan

    def loss(x: Tensor, mask: Tensor) -> Tensor:
        return attn.scaled_dot_product_attention(x, x, x, mask=mask)[:4].square().sum()

    gradients = torch.func.vmap(torch.func.grad(loss))(x, mask)
    for one, own, gradient in zip(x, mask, gradients, strict=True):
        leaf = one.clone().requires_grad_()
        loss(leaf, own).backward()
        torch.testing.assert_close(gradient, leaf.grad)
        assert gradient.isfinite().all()
        assert gradient[:4].any()


@masked
def test_compiles_as_one_graph(call: Callable[[Tensor, Tensor], Any]) -> None:
    x, mask = given(1)
    compiled = torch.compile(call, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(x[0], mask[0]), call(x[0], mask[0]))


def test_a_layer_compiles_as_one_graph() -> None:
    layer, (x, mask) = attn_torch.EncoderLayer(8, 2, dropout=0.0), given()
    compiled = torch.compile(layer, fullgraph=True, backend="eager")
    torch.testing.assert_close(compiled(x, mask=mask), layer(x, mask=mask))


@modules
def test_parameters_are_where_and_what_is_asked_for(make: Callable[..., nn.Module]) -> None:
    parameters = list(make(device="meta", dtype=torch.float16).parameters())
    assert parameters
    assert {(p.device.type, p.dtype) for p in parameters} == {("meta", torch.float16)}
    assert {(p.device.type, p.dtype) for p in make().parameters()} == {("cpu", torch.float32)}


@pytest.mark.parametrize("name", ["heads", "latent", "differential", "additive", "axial"])
def test_the_same_numbers_in_every_type(name: str) -> None:
    narrow, wide = (
        MODULES[name](generator=torch.Generator().manual_seed(3), dtype=dtype)
        for dtype in (torch.float32, torch.float64)
    )
    for a, b in zip(narrow.parameters(), wide.parameters(), strict=True):
        assert torch.equal(a.double(), b)

"""What is learned beside projections: gradients reach it, and hidden tokens do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attn.torch as attn_torch

TODAY: dict[str, Callable[[], nn.Module]] = {
    "sink": lambda: attn_torch.MultiHeadAttention(6, 2, sink=True),
    "qk-norm": lambda: attn_torch.MultiHeadAttention(6, 2, qk_norm=True),
    "gate": lambda: attn_torch.MultiHeadAttention(6, 2, gate="head"),
    "all": lambda: attn_torch.MultiHeadAttention(
        6, 2, sink=True, qk_norm=True, gate="feature", soft_cap=2.0
    ),
    "latent": lambda: attn_torch.MultiHeadLatentAttention(6, 2, 5, rotary_dim=2),
    "differential": lambda: attn_torch.DifferentialAttention(6, 3),
}
layers = pytest.mark.parametrize("make", TODAY.values(), ids=list(TODAY))


def made(make: Callable[[], nn.Module]) -> nn.Module:
    torch.manual_seed(0)
    layer = make().double()
    for parameter in layer.parameters():
        nn.init.normal_(parameter, std=0.7)
    return layer


@layers
def test_padding_gives_no_parameter_a_gradient(make: Callable[[], nn.Module]) -> None:
    gradients = []
    for filling in (0.5, torch.nan, torch.inf):
        layer = made(make)
        x = torch.randn(2, 5, 6, dtype=torch.float64)
        x[0, 3:] = filling
        output = layer(x, mask=attn_torch.padding_mask([3, 5], 5))
        (output[0, :3].square().sum() + output[1].square().sum()).backward()
        gradients.append([parameter.grad for parameter in layer.parameters()])
    assert all(gradient.any() for gradient in gradients[0])
    for spoiled in gradients[1:]:
        for after, before in zip(spoiled, gradients[0], strict=True):
            torch.testing.assert_close(after, before)


def test_options_leave_the_other_weights_of_a_seed() -> None:
    def drawn(**options: Any) -> dict[str, Tensor]:
        generator = torch.Generator().manual_seed(3)
        layer = attn_torch.MultiHeadAttention(6, 2, generator=generator, **options)
        return dict(layer.named_parameters())

    plain, today = drawn(), drawn(sink=True, qk_norm=True, gate="head")
    assert set(today) - set(plain) == {"sinks", "g_query", "g_key", "w_gate"}
    for name, weight in plain.items():
        assert torch.equal(today[name], weight)


def test_a_differential_layer_says_its_lambda() -> None:
    layer = attn_torch.DifferentialAttention(12, 3, lambda_init=0.3)
    assert repr(layer) == (
        "DifferentialAttention(d_model=12, num_heads=3, head_dim=2, lambda_init=0.3)"
    )
    with torch.no_grad():
        layer.lambda_query[1] = layer.lambda_key[1] = 0
        layer.lambda_query[0] = layer.lambda_key[0] = 0
        assert layer.lambda_.item() == pytest.approx(0.3)
        layer.lambda_query[0, 0] = layer.lambda_key[0, 0] = 1
        assert layer.lambda_.item() == pytest.approx(0.3 + torch.e - 1)
    with pytest.raises(ValueError, match=r"2 \* num_heads = 6 does not divide d_model=8"):
        attn_torch.DifferentialAttention(8, 3)
    with pytest.raises(ValueError, match=r"x has shape \(2, 5\); expected \(..., tokens, 12\)"):
        layer(torch.zeros(2, 5))

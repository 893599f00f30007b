"""What is learned beside projections: gradients reach it, hidden tokens do not; it trains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attn
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
def test_gradcheck_of_every_parameter(make: Callable[[], nn.Module]) -> None:
    layer = made(make)
    x = torch.randn(2, 4, 6, dtype=torch.float64)
    names = [name for name, _ in layer.named_parameters()]

    def call(*values: Tensor) -> Any:
        given = dict(zip(names, values, strict=True))
        return torch.func.functional_call(layer, given, (x,), {"causal": True})

    assert torch.autograd.gradcheck(call, tuple(layer.parameters()))


@layers
def test_padding_gives_no_parameter_a_gradient(make: Callable[[], nn.Module]) -> None:
    gradients = []
    for filling in (0.5, torch.nan, torch.inf):
        layer = made(make)
        x = torch.randn(2, 5, 6, dtype=torch.float64)
        x[0, 3:] = filling
        output = layer(x, mask=attn.padding_mask(torch.tensor([3, 5]), 5))
        (output[0, :3].square().sum() + output[1].square().sum()).backward()
        gradients.append([parameter.grad for parameter in layer.parameters()])
    assert all(gradient.any() for gradient in gradients[0])
    for spoiled in gradients[1:]:
        for after, before in zip(spoiled, gradients[0], strict=True):
            torch.testing.assert_close(after, before)


def test_absorbed_gradients_are_those_of_the_expanded_form() -> None:
    layer = made(TODAY["latent"])
    x = torch.randn(2, 4, 6, dtype=torch.float64)
    gradients = []
    for absorbed in (False, True):
        layer.zero_grad()
        layer(x, causal=True, absorbed=absorbed).square().sum().backward()
        gradients.append([parameter.grad.clone() for parameter in layer.parameters()])
    for expanded, moved in zip(*gradients, strict=True):
        torch.testing.assert_close(moved, expanded)


def test_a_sink_learns_to_abstain() -> None:
    # Every target is 0 and values are fixed: only the sink can make outputs small.
    layer = attn_torch.MultiHeadAttention(6, 2, sink=True).requires_grad_(False)
    assert layer.sinks is not None
    layer.sinks.requires_grad_()
    torch.manual_seed(0)
    x = torch.randn(8, 5, 6)
    optimiser = torch.optim.Adam([layer.sinks], 0.2)
    for _ in range(40):
        optimiser.zero_grad()
        layer(x).square().mean().backward()
        optimiser.step()
    assert (layer.sinks > 4).all()
    _, weights = layer(x, return_weights=True)
    assert weights.sum(-1).max() < 0.5


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

"""What is learned beside projections: gradients reach it, and hidden tokens do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

import attn.torch as attn_torch

TODAY: dict[str, Callable[[], nn.Module]] = {
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


@layers
def test_asks_nothing_of_numbers_that_are_not_there(make: Callable[[], nn.Module]) -> None:
    layer, x = made(make), torch.randn(3, 5, 6, dtype=torch.float64)
    parameters = dict(layer.named_parameters())

    def loss(parameters: dict[str, Tensor], x: Tensor) -> Tensor:
        output = torch.func.functional_call(layer, parameters, (x,), {"is_causal": True})
        return output.square().sum()

    each = torch.func.grad(loss)
    together = torch.func.vmap(each, (None, 0))(parameters, x)
    for i, sample in enumerate(x):
        for name, gradient in each(parameters, sample).items():
            torch.testing.assert_close(together[name][i], gradient)
    program = torch.export.export(layer, (x,), {"is_causal": True}).module()
    torch.testing.assert_close(program(x + 1, is_causal=True), layer(x + 1, is_causal=True))
    assert layer.to("meta")(x.to("meta"), is_causal=True).shape == x.shape


@pytest.mark.filterwarnings("ignore:There is a performance drop:UserWarning")  # torch's kernel
@torch.no_grad()
def test_under_vmap_the_path_is_right_for_all_data() -> None:
    x, value = torch.randn(2, 5, 3), torch.randn(2, 5, 3)
    value[:, 4] = torch.nan
    mask = torch.stack([attn_torch.causal_mask(5, 5)] * 2)
    mask[1, 3] = False
    bias = torch.zeros(2, 5, 5).masked_fill(~mask, -torch.inf)
    attend = attn_torch.scaled_dot_product_attention
    for seen, expected in (
        (torch.vmap(lambda m: attend(*[x[0]] * 3, mask=m))(mask), attend(*[x[0]] * 3, mask=mask)),
        (
            torch.vmap(lambda v, b: attend(x[0], x[0], v, bias=b))(value, bias),
            attend(x[0], x[0], value, bias=bias),
        ),
        (torch.vmap(attn_torch.rms_norm)(1e25 * x), attn_torch.rms_norm(1e25 * x)),
    ):
        assert seen[:, 0].isfinite().all()
        torch.testing.assert_close(seen, expected, equal_nan=True)


def test_an_exported_layer_takes_other_numbers_of_tokens_and_contains_nan() -> None:
    layer = made(lambda: attn_torch.MultiHeadAttention(6, 2))
    batch, tokens = torch.export.Dim("batch"), torch.export.Dim("tokens")
    sizes = {"query": {0: batch, 1: tokens}, "mask": {0: batch, 2: tokens}, "is_causal": None}
    options: dict[str, Any] = {"mask": attn_torch.padding_mask([3, 5], 5), "is_causal": True}
    example = torch.randn(2, 5, 6, dtype=torch.float64)
    program = torch.export.export(layer, (example,), options, dynamic_shapes=sizes).module()
    x = torch.randn(3, 7, 6, dtype=torch.float64)
    x[0, 4:] = torch.nan
    options["mask"] = attn_torch.padding_mask([4, 7, 1], 7)
    torch.testing.assert_close(program(x, **options), layer(x, **options), equal_nan=True)


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

"""Gradients: right, zero where nothing is seen, and untouched by what is hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

import attn.torch as attn_torch

Attend = Callable[[Tensor, Tensor, Tensor], Any]
#: Each number is moved on its own: more tokens take long, and show nothing more.
TOKENS = 5
# No whole numbers: at the window's edge the weights jump.
CENTERS = torch.tensor([0.3, 1.2, 4.4, 2.2, 3.3], dtype=torch.float64)


def causal_with_empty_row() -> Tensor:
    mask = attn_torch.causal_mask(TOKENS, TOKENS)
    mask[3] = False
    return mask


ATTENDS: dict[str, Attend] = {
    "fused": lambda q, k, v: attn_torch.scaled_dot_product_attention(q, k, v),
    "fused causal": lambda q, k, v: attn_torch.scaled_dot_product_attention(
        q, k, v, is_causal=True
    ),
    "fused mask": lambda q, k, v: attn_torch.scaled_dot_product_attention(
        q, k, v, mask=causal_with_empty_row()
    ),
    "weights": lambda q, k, v: attn_torch.scaled_dot_product_attention(
        q, k, v, mask=causal_with_empty_row(), return_weights=True
    ),
    "blockwise": lambda q, k, v: attn_torch.blockwise_attention(q, k, v, block=2, is_causal=True),
    "local": lambda q, k, v: attn_torch.local_attention(q, k, v, window=1, global_tokens=[1, 4]),
    "lsh": lambda q, k, v: attn_torch.lsh_attention(
        q, v, num_buckets=2, num_hashes=2, chunk_length=2, rng=0, is_causal=True
    ),
    "centered": lambda q, k, v: attn_torch.centered_attention(
        q, k, v, centers=CENTERS, window=2, sigma=1.5
    ),
    "grouped": lambda q, k, v: attn_torch.grouped_query_attention(q, k[:, :1], v[:, :1]),
    "hard": lambda q, k, v: attn_torch.hard_attention(
        q, k, v, generator=torch.Generator().manual_seed(0), return_log_prob=True
    ),
    "rotary": lambda q, k, v: attn_torch.dot_score(
        attn_torch.rotary(q[..., :2]), attn_torch.rotary(k[..., 1:])
    ),
    "sink": lambda q, k, v: attn_torch.scaled_dot_product_attention(
        q, k, v, mask=causal_with_empty_row(), sink=0.5, soft_cap=0.7, return_weights=True
    ),
    "differential": lambda q, k, v: attn_torch.differential_attention(
        q[..., :2], k[..., 1:], v, lambda_=0.8, mask=causal_with_empty_row()
    ),
    "linear": lambda q, k, v: attn_torch.linear_attention(q, k, v),
    "linear causal": lambda q, k, v: attn_torch.linear_attention(
        q, k, v, mask=causal_with_empty_row(), decay=0.7, is_causal=True
    ),
    "state": lambda q, k, v: attn_torch.LinearAttentionState().append(q, k, v, 0.7),
    "norm": lambda q, k, v: attn_torch.rms_norm(q, v[0, 0, 0]),
    "swiglu": lambda q, k, v: attn_torch.swiglu(q, k[0, 0].mT, v[0, 0].mT, v[0, 1]),
    "softmax": lambda q, k, v: attn_torch.softmax(q, mask=torch.tensor([True, False, True])),
}
attends = pytest.mark.parametrize("attend", ATTENDS.values(), ids=list(ATTENDS))


def parts(seed: int = 0) -> list[Tensor]:
    """Return query, key, value (1, 2, TOKENS, 3)."""
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randn(3, 1, 2, TOKENS, 3, dtype=torch.float64, generator=generator)
    return [part.clone().requires_grad_() for part in drawn]


@attends
def test_gradcheck(attend: Attend) -> None:
    # A step must not change a bucket, so it is small.
    assert torch.autograd.gradcheck(attend, parts(), eps=1e-7, atol=1e-4)


def test_gradient_of_centers() -> None:
    query, key, value = (part[0, 0].detach() for part in parts())
    centers = CENTERS.clone().requires_grad_()
    assert torch.autograd.gradcheck(
        lambda c: attn_torch.centered_attention(query, key, value, centers=c, window=2, sigma=1.5),
        (centers,),
    )


def test_a_bias_of_minus_infinity_is_a_mask() -> None:
    mask = causal_with_empty_row()
    by_mask = attn_torch.scaled_dot_product_attention(*parts(), mask=mask, return_weights=True)
    by_bias = attn_torch.scaled_dot_product_attention(
        *parts(), bias=torch.zeros(TOKENS, TOKENS).masked_fill(~mask, -torch.inf)
    )
    torch.testing.assert_close(by_bias, by_mask[0])


def test_fused_kernel_never_meets_an_empty_row(monkeypatch: pytest.MonkeyPatch) -> None:
    # What it makes of one has differed between versions of torch.
    kernel = torch.nn.functional.scaled_dot_product_attention

    def picky(*parts: Tensor, attn_mask: Tensor, **options: Any) -> Tensor:
        assert attn_mask.any(-1).all()
        return kernel(*parts, attn_mask=attn_mask, **options)

    monkeypatch.setattr(torch.nn.functional, "scaled_dot_product_attention", picky)
    output = attn_torch.scaled_dot_product_attention(*parts(), mask=causal_with_empty_row())
    assert (output[..., 3, :] == 0).all()
    assert output[..., 4:, :].all()


def test_two_layers_over_nothing_but_padding_stay_finite() -> None:
    layers = [attn_torch.EncoderLayer(6, 2, dropout=0.0).double() for _ in range(2)]
    x = torch.randn(2, 5, 6, dtype=torch.float64)
    mask = attn_torch.padding_mask([0, 3], 5)
    for layer in layers:
        x = layer(x, mask=mask)
    x[1, :3].square().sum().backward()
    assert x.isfinite().all()
    assert all(p.grad.isfinite().all() for layer in layers for p in layer.parameters())


def test_cache_keeps_gradients() -> None:
    _, key, value = parts()
    cache = attn_torch.KeyValueCache()
    for step in range(TOKENS):
        keys, values = cache.append(key[..., step : step + 1, :], value[..., step : step + 1, :])
    assert torch.equal(keys, key)
    assert torch.equal(values, value)
    (keys.sum() + 2 * values.sum()).backward()
    assert (key.grad == 1).all()
    assert (value.grad == 2).all()


def test_memory_of_blocks_is_computed_again_not_kept() -> None:
    query, key, value = (torch.randn(1, 512, 4, requires_grad=True) for _ in range(3))
    kept = []

    def keep(tensor: Tensor) -> Tensor:
        kept.append(tensor.numel())
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        attn_torch.blockwise_attention(query, key, value, block=32).sum()
    assert sum(kept) < 512 * 512 / 2

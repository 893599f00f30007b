"""Gradients: right, zero where nothing is seen, and estimated where something is drawn."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from everywhere import CASES
from torch import Tensor

import attn.torch as attn_torch
from attn.torch import attention_weights, hard_attention, score_function_loss

#: Each number is moved on its own: more tokens take long, and show nothing more.
TOKENS = 5
# No whole numbers: at the window's edge the weights jump.
CENTERS = torch.tensor([0.3, 1.2, 4.4, 2.2, 3.3], dtype=torch.float64)
#: One call of each function that has a derivative of its own; of a mask by pairs, a row is empty.
DIFFERENTIABLE = (
    *("softmax mask", "attention", "attention, causal", "attention, pairs", "attention, all"),
    *("blocks of 5, causal", "blocks of 2, padding", "local, global", "local, padding, global"),
    *("lsh, causal", "centered", "centered, padding", "grouped", "differential, pairs"),
    *("linear", "linear, pairs", "state", "norm", "swiglu", "rotary"),
)


def causal_with_empty_row() -> Tensor:
    mask = attn_torch.causal_mask(TOKENS, TOKENS)
    mask[3] = False
    return mask


def parts() -> list[Tensor]:
    """Return query, key, value (1, 2, TOKENS, 3)."""
    generator = torch.Generator().manual_seed(0)
    drawn = torch.randn(3, 1, 2, TOKENS, 3, dtype=torch.float64, generator=generator)
    return [part.clone().requires_grad_() for part in drawn]


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradcheck(name: str) -> None:
    given = [part.detach()[..., :2].clone().requires_grad_() for part in parts()]
    real = np.arange(TOKENS)[None] < 4
    # A step must not change a bucket, so it is small.
    check = partial(torch.autograd.gradcheck, inputs=given, eps=1e-7, atol=1e-4)
    assert check(lambda *given: CASES[name](attn_torch, *given, real))
    if name == "norm":
        assert check(lambda x, _, gain: attn_torch.rms_norm(x, gain[0, 0, 0]))
    if name == "swiglu":
        assert check(lambda x, w, v: attn_torch.swiglu(x, w[0, 0].mT, v[0, 0].mT, v[0, 1]))


def test_gradient_of_centers() -> None:
    query, key, value = (part[0, 0].detach() for part in parts())
    centers = CENTERS.clone().requires_grad_()
    assert torch.autograd.gradcheck(
        lambda c: attn_torch.centered_attention(query, key, value, centers=c, window=2, sigma=1.5),
        (centers,),
    )


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


SHAPES = ((5, 3), (7, 3), (7, 2))  # one loss for all 5 queries


@pytest.fixture
def small() -> list[Tensor]:
    generator = torch.Generator().manual_seed(0)
    drawn = [torch.randn(*shape, dtype=torch.float64, generator=generator) for shape in SHAPES]
    return [part.requires_grad_() for part in drawn]


def loss_of(output: Tensor) -> Tensor:
    """Return a loss that is not linear in the output, one for each query."""
    return (output**2).sum(-1) + output[..., 0]


def exact_gradients(small: list[Tensor]) -> tuple[Tensor, ...]:
    """Return the gradients of the expected loss, by going through every choice."""
    query, key, value = small
    expected = attention_weights(query, key) @ loss_of(value)
    return torch.autograd.grad(expected.sum(), small)


@pytest.mark.parametrize("baseline", [0.0, 1.7])
def test_estimate_has_the_right_mean(small: list[Tensor], baseline: float) -> None:
    draws, generator = 4000, torch.Generator().manual_seed(1)
    samples: list[list[Tensor]] = [[], [], []]
    for _ in range(20):
        copies = [
            part.detach().expand(draws // 20, -1, -1).clone().requires_grad_() for part in small
        ]
        output, log_prob = hard_attention(*copies, generator=generator, return_log_prob=True)
        surrogate = score_function_loss(loss_of(output), log_prob, baseline)
        for index, gradient in enumerate(torch.autograd.grad(surrogate.sum(), copies)):
            samples[index].append(gradient)
    for sampled, exact in zip(samples, exact_gradients(small), strict=True):
        gradients = torch.cat(sampled)
        error = gradients.std(0) / draws**0.5
        assert ((gradients.mean(0) - exact).abs() <= 4 * error + 1e-12).all()


def test_value_of_the_surrogate_is_the_loss(small: list[Tensor]) -> None:
    output, log_prob = hard_attention(*small, return_log_prob=True)
    loss = loss_of(output)
    torch.testing.assert_close(score_function_loss(loss, log_prob, 3.0), loss)


def test_log_probability_is_that_of_the_draw(small: list[Tensor]) -> None:
    query, key, value = small
    output, log_prob = hard_attention(query, key, value, return_log_prob=True)
    weights = attention_weights(query, key)
    for i in range(5):
        chosen = int((value == output[i]).all(-1).nonzero()[0, 0])
        torch.testing.assert_close(log_prob[i], weights[i, chosen].log())


def test_a_query_that_sees_nothing(small: list[Tensor]) -> None:
    mask = torch.ones(5, 7, dtype=torch.bool)
    mask[2] = False
    output, log_prob = hard_attention(*small, mask=mask, return_log_prob=True)
    assert (output[2] == 0).all()
    assert log_prob[2] == 0
    (output.sum() + log_prob.sum()).backward()
    assert all(part.grad.isfinite().all() for part in small)
    assert (small[0].grad[2] == 0).all()
    none, log_prob = hard_attention(small[0], small[1][:0], small[2][:0], return_log_prob=True)
    assert none.shape == (5, 2)
    assert not none.any()
    assert not log_prob.any()


def test_a_draw_of_zero_takes_no_hidden_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "rand", lambda shape, generator, **kind: torch.zeros(shape, **kind))
    output = hard_attention(
        torch.ones(1, 2), torch.ones(3, 2), torch.eye(3), mask=torch.arange(3) > 0
    )
    assert output.tolist() == [[0, 1, 0]]

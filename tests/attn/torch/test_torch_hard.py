"""Hard attention, and the estimator that trains it."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from attn.torch import attention_weights, hard_attention, score_function_loss

SHAPES = ((5, 3), (7, 3), (7, 2))  # one loss for all 5 queries


@pytest.fixture
def parts() -> list[Tensor]:
    generator = torch.Generator().manual_seed(0)
    drawn = [torch.randn(*shape, dtype=torch.float64, generator=generator) for shape in SHAPES]
    return [part.requires_grad_() for part in drawn]


def loss_of(output: Tensor) -> Tensor:
    """Return a loss that is not linear in the output, one for each query."""
    return (output**2).sum(-1) + output[..., 0]


def exact_gradients(parts: list[Tensor]) -> tuple[Tensor, ...]:
    """Return the gradients of the expected loss, by going through every choice."""
    query, key, value = parts
    expected = attention_weights(query, key) @ loss_of(value)
    return torch.autograd.grad(expected.sum(), parts)


@pytest.mark.parametrize("baseline", [0.0, 1.7])
def test_estimate_has_the_right_mean(parts: list[Tensor], baseline: float) -> None:
    draws, generator = 4000, torch.Generator().manual_seed(1)
    samples: list[list[Tensor]] = [[], [], []]
    for _ in range(20):
        copies = [
            part.detach().expand(draws // 20, -1, -1).clone().requires_grad_() for part in parts
        ]
        output, log_prob = hard_attention(*copies, generator=generator, return_log_prob=True)
        surrogate = score_function_loss(loss_of(output), log_prob, baseline)
        for index, gradient in enumerate(torch.autograd.grad(surrogate.sum(), copies)):
            samples[index].append(gradient)
    for sampled, exact in zip(samples, exact_gradients(parts), strict=True):
        gradients = torch.cat(sampled)
        error = gradients.std(0) / draws**0.5
        assert ((gradients.mean(0) - exact).abs() <= 4 * error + 1e-12).all()


def test_value_of_the_surrogate_is_the_loss(parts: list[Tensor]) -> None:
    output, log_prob = hard_attention(*parts, return_log_prob=True)
    loss = loss_of(output)
    torch.testing.assert_close(score_function_loss(loss, log_prob, 3.0), loss)


def test_log_probability_is_that_of_the_draw(parts: list[Tensor]) -> None:
    query, key, value = parts
    output, log_prob = hard_attention(query, key, value, return_log_prob=True)
    weights = attention_weights(query, key)
    for i in range(5):
        chosen = int((value == output[i]).all(-1).nonzero()[0, 0])
        torch.testing.assert_close(log_prob[i], weights[i, chosen].log())


def test_a_query_that_sees_nothing(parts: list[Tensor]) -> None:
    mask = torch.ones(5, 7, dtype=torch.bool)
    mask[2] = False
    output, log_prob = hard_attention(*parts, mask=mask, return_log_prob=True)
    assert (output[2] == 0).all()
    assert log_prob[2] == 0
    (output.sum() + log_prob.sum()).backward()
    assert all(part.grad.isfinite().all() for part in parts)
    assert (parts[0].grad[2] == 0).all()
    none, log_prob = hard_attention(parts[0], parts[1][:0], parts[2][:0], return_log_prob=True)
    assert none.shape == (5, 2)
    assert not none.any()
    assert not log_prob.any()


def test_a_draw_of_zero_takes_no_hidden_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "rand", lambda shape, generator, **kind: torch.zeros(shape, **kind))
    output = hard_attention(
        torch.ones(1, 2), torch.ones(3, 2), torch.eye(3), mask=torch.arange(3) > 0
    )
    assert output.tolist() == [[0, 1, 0]]

"""The estimator of hard attention against enumeration and autograd, and what its noise costs."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from attn import softmax
from attn.torch import general_score, hard_attention, score_function_loss
from attnlab.experiments import hard_attention as experiment
from attnlab.models import score_function
from attnlab.models.retrieval import Retrieval, accuracy, soft_loss, trained

SCORES = np.array([0.5, -1.0, 1.5, 0.0, -0.3])
LOSSES = np.array([1.0, 0.2, 3.0, 0.0, 0.7])
WEIGHTS = softmax(SCORES)


def test_exact_gradient_equals_finite_differences():
    step = 1e-6
    moved = [
        (softmax(SCORES + step * unit) - softmax(SCORES - step * unit)) @ LOSSES / (2 * step)
        for unit in np.eye(5)
    ]
    np.testing.assert_allclose(score_function.exact_gradient(WEIGHTS, LOSSES), moved, atol=1e-9)


@pytest.mark.parametrize("baseline", [0.0, 1.7])
def test_draws_have_the_exact_mean_and_the_enumerated_variance(baseline):
    drawn = score_function.sampled_gradients(
        WEIGHTS, LOSSES, 200_000, np.random.default_rng(0), baseline
    )
    error = drawn.std(axis=0) / len(drawn) ** 0.5
    exact = score_function.exact_gradient(WEIGHTS, LOSSES)
    assert (np.abs(drawn.mean(axis=0) - exact) < 4 * error).all()
    expected = score_function.variance(WEIGHTS, LOSSES, baseline)
    assert drawn.var(axis=0).sum() == pytest.approx(expected, rel=0.02)


def test_the_draws_are_those_of_the_library():
    """One draw's gradient in torch is one row that the experiment enumerates."""
    scores = torch.tensor(SCORES, requires_grad=True)
    loss, log_prob = hard_attention(
        torch.ones(1, 1, dtype=torch.double),
        torch.ones(5, 1, dtype=torch.double),
        torch.tensor(LOSSES)[:, None],
        bias=scores,
        generator=torch.Generator().manual_seed(0),
        return_log_prob=True,
    )
    score_function_loss(loss[:, 0], log_prob, baseline=0.4).sum().backward()
    chosen = int((np.abs(LOSSES - float(loss)) < 1e-12).argmax())
    expected = (LOSSES[chosen] - 0.4) * (np.eye(5)[chosen] - WEIGHTS)
    np.testing.assert_allclose(scores.grad, expected, atol=1e-12)


def test_the_map_solves_the_task_and_nothing_else_does():
    task = Retrieval(num_keys=11, d_query=7, d_key=5, seed=3)
    test_set = task.batch(500)
    assert accuracy(lambda q, k: general_score(q, k, task.map.T), test_set) == 1.0
    assert accuracy(lambda q, k: general_score(q, k, torch.zeros(7, 5)), test_set) < 0.2
    sharp = soft_loss(lambda q, k: general_score(q, k, 50 * task.map.T), test_set)
    same_width = Retrieval(seed=4).batch(100)
    assert float(sharp) < 0.02 < float(soft_loss(lambda q, k: q @ k.mT * 0, same_width))


@pytest.mark.parametrize(("kind", "low", "high"), [("additive", 0.1, 0.6), ("general", 0.9, 1.0)])
def test_an_additive_score_learns_the_words_and_a_bilinear_one_the_map(kind, low, high):
    score, task, losses = trained(kind, seed=2, updates=150)
    assert losses[-1] < 0.2 * losses[0]
    assert accuracy(score, task.batch(500)) > 0.98
    assert low <= accuracy(score, task.with_new_keys().batch(500)) <= high


def test_words_are_fixed_and_never_twice_in_a_question():
    task = Retrieval(num_keys=6, d_query=7, d_key=5, words=9)
    batch = task.batch(53)
    which = torch.cdist(batch.key, task.words.expand(53, -1, -1)).argmin(-1)  # (53, 6)
    assert all(len(set(row)) == 6 for row in which.tolist())
    torch.testing.assert_close(task.words[which], batch.key)


def test_training_in_short():
    soft = experiment.train("soft", (0, 10), num_keys=8, seed=0)
    hard = experiment.train("one draw, baseline", (0, 10), num_keys=8, seed=0)
    assert soft[0] == hard[0] < 0.2
    assert soft[1] > 0.95 > hard[1] > hard[0]


def test_training_stops_when_it_is_enough():
    assert len(experiment.train("soft", range(50), num_keys=4, enough=0.5)) < 10

"""The experiment on sqrt(d_k): its measures against independent ones."""

from __future__ import annotations

import numpy as np
import pytest

from attn import softmax
from attnlab.experiments import scaling


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_jacobian_equals_finite_differences(rng: np.random.Generator) -> None:
    scores, step = rng.normal(size=7), 1e-6
    moved = [
        (softmax(scores + step * unit) - softmax(scores - step * unit)) / (2 * step)
        for unit in np.eye(7)
    ]
    jacobian = scaling.softmax_jacobian(softmax(scores))
    np.testing.assert_allclose(jacobian, np.stack(moved, axis=1), atol=1e-9)


def test_norm_in_closed_form_equals_norm_of_the_jacobian(rng: np.random.Generator) -> None:
    weights = softmax(3 * rng.normal(size=(5, 11)))
    expected = np.linalg.norm(scaling.softmax_jacobian(weights), axis=(-2, -1))
    np.testing.assert_allclose(scaling.jacobian_norm(weights), expected, atol=1e-12)


def test_norm_is_zero_where_one_weight_is_one() -> None:
    assert scaling.jacobian_norm(np.array([0.0, 1.0, 0.0])) == 0


def test_derivatives_by_the_query_follow_from_the_jacobian(rng: np.random.Generator) -> None:
    keys, query, step = rng.normal(size=(5, 3)), rng.normal(size=3), 1e-6
    weights = softmax(0.7 * keys @ query)
    moved = [
        (softmax(0.7 * keys @ (query + step * unit)) - softmax(0.7 * keys @ (query - step * unit)))
        / (2 * step)
        for unit in np.eye(3)
    ]
    expected = np.linalg.norm(np.stack(moved, axis=1))
    assert scaling.query_jacobian_norm(weights, keys, 0.7) == pytest.approx(expected, abs=1e-8)


def test_the_mean_is_carried_by_queries_whose_largest_scores_nearly_tie() -> None:
    rng, rows = np.random.default_rng(0), []
    for _ in range(300):
        query, keys = rng.standard_normal(1024), rng.standard_normal((64, 1024))
        values = keys @ query
        second, largest = np.sort(values)[-2:]
        rows.append((largest - second < 4, scaling.query_jacobian_norm(softmax(values), keys)))
    near, norm = np.array(rows).T
    assert near.mean() < 1 / 3
    assert (near * norm).sum() > 0.9 * norm.sum()


def test_each_assumption_matters(rng: np.random.Generator) -> None:
    same = scaling.scores(64, rng, same=True) / 8
    positive = scaling.scores(64, rng, scaling.positive) / 8
    assert same.mean() == pytest.approx(8, abs=0.2)
    assert positive.mean() == pytest.approx(2, abs=0.05)
    assert positive.var() == pytest.approx(7 / 144, abs=0.01)  # E[x²]² − E[x]⁴ = 1/9 − 1/16

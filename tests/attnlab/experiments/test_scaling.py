"""The experiment on sqrt(d_k): its measures against independent ones."""

from __future__ import annotations

import numpy as np
import pytest

from attn import softmax
from attnlab.experiments import load, scaling
from attnlab.results import Result


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(scope="module")
def result() -> Result:
    return load("scaling")


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


def test_variance_grows_like_the_width_and_scaling_undoes_it(result: Result) -> None:
    widths = np.array(scaling.WIDTHS)
    unscaled, scaled = result["variance, unscaled"], result["variance, scaled"]
    np.testing.assert_allclose(unscaled.mean / widths, 1, atol=0.1)
    np.testing.assert_allclose(scaled.mean, 1, atol=0.1)


def test_gradient_rises_first_and_then_vanishes_without_scaling(result: Result) -> None:
    unscaled, scaled = result["norm, unscaled"].mean, result["norm, scaled"].mean
    assert unscaled[0] < unscaled[:4].max()  # not monotone: a flat softmax responds less
    assert unscaled[-1] < 0.01 * scaled[-1]
    assert scaled.max() / scaled.min() < 1.1


def test_by_the_queries_the_unscaled_gradient_is_larger_first(result: Result) -> None:
    assert scaling.smaller_from(result) == 128
    assert scaling.ratio(result, ", by queries").at(64).min() > 5
    assert scaling.smaller_from(result, ", by queries") == 512
    assert scaling.smaller_from(result, ", by queries, mean") == np.inf


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


def test_linear_layers_start_with_a_variance_of_a_third(rng: np.random.Generator) -> None:
    torch = pytest.importorskip("torch")
    ours = scaling.projected(rng, (200, 256))
    layer = torch.nn.Linear(256, 256)
    inputs = torch.nn.functional.layer_norm(torch.randn(200, 256), (256,))
    theirs = layer(inputs).detach().numpy()
    assert ours.mean() == pytest.approx(0, abs=0.02)
    assert ours.var() == pytest.approx(1 / 3, abs=0.02)
    assert theirs.var() == pytest.approx(ours.var(), abs=0.03)


def test_each_assumption_matters(rng: np.random.Generator) -> None:
    same = scaling.scores(64, rng, same=True) / 8
    positive = scaling.scores(64, rng, scaling.positive) / 8
    assert same.mean() == pytest.approx(8, abs=0.2)
    assert positive.mean() == pytest.approx(2, abs=0.05)
    assert positive.var() == pytest.approx(7 / 144, abs=0.01)  # E[x²]² − E[x]⁴ = 1/9 − 1/16


def test_quick_run_is_seeded_and_small() -> None:
    first, again = (scaling.run(seeds=(5,), quick=True) for _ in range(2))
    assert first["norm, unscaled"].values == again["norm, unscaled"].values
    assert first["norm, unscaled"].x == (4, 64)

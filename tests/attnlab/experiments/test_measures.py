"""What experiments measure, against independent measures and counts by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from attn import AxialPositions, causal_mask, global_mask, sliding_window_mask, softmax
from attn.lsh import hash_tokens, times_seen
from attnlab.experiments import axial, cost, hashing, peaked, reach, scaling
from attnlab.experiments.positions import ENCODINGS, SHIFT, draw
from attnlab.models.position_encodings import PositionModel


def test_three_back_is_three_places_before_the_last():
    texts = draw("three back", np.random.default_rng(0), 50, 9)
    assert torch.equal(texts.answer, texts.tokens[:, 5])


def test_latest_is_the_last_colour_of_the_name_that_is_asked_for():
    texts = draw("latest", np.random.default_rng(0), 50, 9)
    for tokens, answer in zip(texts.tokens.tolist(), texts.answer.tolist(), strict=True):
        *context, query = tokens
        colours = [token % 4 for token in context if token // 4 == query - 16]
        assert colours[-1] == answer


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_a_model_sees_of_its_places(encoding):
    torch.manual_seed(0)
    model = PositionModel(encoding, 20, 16).double()
    tokens = torch.randint(16, (3, 7))
    shuffled = tokens[:, [2, 0, 1, 5, 4, 3, 6]]  # the one that asks stays the last
    with torch.no_grad():
        here, there, other = model(tokens), model(tokens, SHIFT), model(shuffled)
    assert torch.allclose(here, there) == (encoding != "sinusoidal")
    assert torch.allclose(here, other) == (encoding == "none")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_norms_are_those_of_finite_differences(rng: np.random.Generator) -> None:
    keys, query = rng.normal(size=(5, 3)), rng.normal(size=3)

    def norm(weights_of: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> float:
        moved = [weights_of(x + step) - weights_of(x - step) for step in 1e-6 * np.eye(len(x))]
        return float(np.linalg.norm(moved)) / 2e-6

    scores = 0.7 * keys @ query
    by_scores, by_query = norm(softmax, scores), norm(lambda q: softmax(0.7 * keys @ q), query)
    assert scaling.jacobian_norm(softmax(scores)) == pytest.approx(by_scores, abs=1e-8)
    seen = scaling.query_jacobian_norm(softmax(scores), keys, 0.7)
    assert seen == pytest.approx(by_query, abs=1e-8)


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


def test_equal_rows_of_a_table_are_counted_as_equal():
    made = AxialPositions((2, 5), (2, 7), rng=0)
    made.tables[0][1] = made.tables[0][0]
    assert axial.distinct_rows(made) == 0.5


def test_quick_run_counts_what_can_be_counted_by_hand():
    result = axial.run(seeds=(0,), quick=True)
    assert result["two tables"].at(128) == 8 * 24 + 16 * 40
    assert result["one table"].at(128) == 128 * 64
    assert result["two tables, by the first length"].at(1) == 24 + 16384 * 40


@pytest.mark.parametrize("window", [0, 1, 5, 22, 40])
def test_pairs_in_a_window_are_those_of_the_mask(window):
    assert cost.window_products(23, window) == sliding_window_mask(23, 23, window).sum()


def test_products_of_hashing_are_those_of_its_chunks():
    tokens, factors = 4 * cost.CHUNK, (2, 6)
    x = np.random.default_rng(0).normal(size=(tokens, 5))
    hashed = hash_tokens(x, x, factors, cost.ROUNDS, cost.CHUNK, 0, None, None)
    rotated = tokens * cost.ROUNDS * sum(factors) // 2
    assert cost.hashing_products(tokens, factors) == times_seen(hashed).sum() + rotated


@pytest.mark.parametrize("tokens", [1024, 2048, 16384, 65536])
def test_two_factors_make_about_as_many_buckets_as_one(tokens):
    assert np.prod(cost.two_factors(tokens)) == pytest.approx(cost.one_factor(tokens)[0], rel=0.3)
    assert not any(factor % 2 for factor in cost.two_factors(tokens))


def test_counted_exponents():
    sizes = [2**power for power in range(12, 20)]
    counted = {name: [cost.products(n)[name] for n in sizes] for name in cost.products(1024)}
    exponents = {name: cost.exponent(sizes, costs) for name, costs in counted.items()}
    assert exponents["full"] == pytest.approx(2)
    assert exponents["window"] == pytest.approx(1, abs=0.01)
    assert exponents["hashing"] < 1.2 < 1.6 < exponents["hashing, one rotation"]


def informed(mask: np.ndarray, layers: int) -> np.ndarray:
    return np.linalg.matrix_power(mask.astype(float), layers) > 0


@pytest.mark.parametrize("position", [0, 3, 11, 22])
def test_formula_is_the_power_of_the_mask(position):
    for window, layers in ((1, 1), (2, 3), (3, 2), (5, 7)):
        row = informed(sliding_window_mask(23, 23, window), layers)[position]
        assert reach.in_reach(position, 23, window, layers) == row.sum()


NEAR = sliding_window_mask(23, 23, 2)


@pytest.mark.parametrize(
    ("options", "mask"),
    [
        ({}, NEAR),
        ({"global_tokens": [5]}, NEAR | global_mask(23, [5])),
        ({"is_causal": True}, NEAR & causal_mask(23, 23)),
    ],
)
def test_gradient_is_where_the_mask_says(options, mask):
    for layers in (1, 2, 3):
        reached = reach.influence(13, layers, 0, num_tokens=23, window=2, **options) != 0
        np.testing.assert_array_equal(reached, informed(mask, layers)[13])


def test_holding_counts_the_strongest():
    assert reach.holding(0.5, np.ones(10)) == 5
    assert reach.holding(1.0, np.array([3.0, 0.0, 1.0])) == 2


def test_equal_scores_share_alike():
    np.testing.assert_allclose(peaked.share_of_largest(np.zeros((3, 20)), 5), 0.25)


def test_one_large_score_takes_its_share():
    scores = np.log([[1.0, 7.0, 1.0, 1.0]])
    assert peaked.share_of_largest(scores, 1)[0] == pytest.approx(0.7)
    assert peaked.share_of_largest(scores, 4)[0] == pytest.approx(1)


@pytest.fixture
def tokens() -> np.ndarray:
    return hashing.clustered(np.random.default_rng(0), 256)


def test_full_weights_by_loops(tokens):
    few = tokens[:7]
    rows = []
    for i, x in enumerate(few):
        powers = [0 if i == j else np.exp(x @ y / np.linalg.norm(y)) for j, y in enumerate(few)]
        rows.append(np.array(powers) / sum(powers))
    np.testing.assert_allclose(hashing.full_weights(few), rows, atol=1e-12)


def test_enough_rounds_meet_everybody_and_are_exact_once(tokens):
    weights, met = hashing.full_weights(tokens), hashing.met_tokens(tokens, 64, 0)
    assert met.all(axis=None, where=~np.eye(256, dtype=bool))
    assert not met.diagonal().any()
    assert hashing.recall(weights, met, 16) == 1
    np.testing.assert_allclose(hashing.met_once(tokens, met), weights, atol=1e-12)


def test_recall_counts_the_largest():
    weights = np.array([[0.0, 0.6, 0.3, 0.1], [0.6, 0.0, 0.1, 0.3]])
    met = np.array([[False, True, False, True], [True, False, False, True]])
    assert hashing.recall(weights, met, 2) == 0.75


def test_a_token_that_met_nobody_sees_itself(tokens):
    met = np.zeros((3, 3), dtype=bool)
    met[0, 2] = True
    np.testing.assert_allclose(hashing.met_once(tokens[:3], met), [[0, 0, 1], [0, 1, 0], [0, 0, 1]])

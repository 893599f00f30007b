"""What attention costs: counts against masks and chunks, and the stored exponents."""

import numpy as np
import pytest

from attn import sliding_window_mask
from attn.lsh import hash_tokens, times_seen
from attnlab.experiments import cost


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

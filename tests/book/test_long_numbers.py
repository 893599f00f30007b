"""The numbers in the prose of the chapters on windows and hashing are those that the code gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import attn
from attn.lsh_buckets import hash_buckets
from attnlab.experiments import cost, hashing, load, reach

BOOK = Path(__file__).resolve().parents[2] / "book"


def sharing(degrees: float) -> float:
    """Return how often two tokens at an angle share one of 16 buckets."""
    rotations = np.random.default_rng(0).normal(size=(1, 64, 4000, 8))
    pair = np.eye(2, 64)[None]
    pair[0, 1, :2] = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    first, second = hash_buckets(pair, rotations, (16,))[0].T
    return float(np.mean(first == second))


def entries(window: int, num_tokens: int, marks: tuple[int, ...]) -> int:
    mask = attn.sliding_window_mask(num_tokens, num_tokens, window)
    return int((mask | attn.global_mask(num_tokens, list(marks))).sum())


def exponent(name: str) -> float:
    return float(load("cost")[f"{name}: exponent"].mean[0])


def counted(name: str) -> float:
    products = load("cost")[f"{name}: products"]
    return float(cost.exponent(products.x, products.mean))


def doubling(at: int) -> float:
    """Return by what the products of one rotation grow when the tokens double."""
    products = load("cost")["hashing, one rotation: products"].mean
    return float((products[1:] / products[:-1])[at])


def found(curve: str, rounds: int) -> float:
    return float(load("hashing")[curve].at(rounds).mean())


def largest(spread: float) -> float:
    return float(load("peaked")["the largest 32"].at(spread).mean())


def share_of_strangers() -> float:
    scores = np.array([[5.0, 1.0], [0.0, 1.0]])
    return float(attn.softmax(np.logaddexp.reduce(scores, axis=1))[1])


#: A chapter, a quote of it with its number left out, and how the number is computed.
SAID: dict[tuple[str, str], Callable[[], float]] = {
    ("windows", "A novel has {:.0f} times as many tokens"): lambda: 130_000 / 500,
    ("windows", "and {:.0f},600 times as many scores"): lambda: (130_000 / 500) ** 2 // 1000,
    ("windows", "slope of full attention is {:.2f}"): lambda: exponent("full"),
    ("windows", "the slope of the window {:.2f}"): lambda: exponent("window"),
    ("windows", "its time grows with $n^{{{:.2f}}}$. A window"): lambda: exponent("full"),
    ("windows", "and its time grows with $n^{{{:.2f}}}$"): lambda: exponent("window"),
    ("windows", "after 16 layers all {:.0f} tokens"): lambda: (
        load("reach")["middle: has a gradient"].at(16).mean()
    ),
    ("windows", "and the {:.0f} strongest account"): lambda: (
        load("reach")["middle: nine tenths of it"].at(16).mean()
    ),
    ("hashing", "by a factor of {:.1f} in the first doubling"): lambda: doubling(0),
    ("hashing", "and of {:.1f} in the last"): lambda: doubling(-1),
    ("hashing", "one rotation grows with $n^{{{:.2f}}}$"): lambda: counted("hashing, one rotation"),
    ("hashing", "With two factors it is $n^{{{:.2f}}}$"): lambda: counted("hashing"),
    ("hashing", "an angle of 15° share a bucket in {:.2f} of the rounds"): lambda: sharing(15),
    ("hashing", "at 60° in {:.2f}"): lambda: sharing(60),
    ("hashing", "a fifth, {:.2f}"): lambda: largest(1),
    ("hashing", "At a standard deviation of 2 it is {:.2f}"): lambda: largest(2),
    ("hashing", "at 3 it is {:.2f}"): lambda: largest(3),
    ("hashing", "at 4 it is {:.2f}"): lambda: largest(4),
    ("hashing", "64 of 64,000 keys, the share at 4 is {:.2f}"): lambda: (
        load("peaked")["the largest 64 of 64,000"].at(4).mean()
    ),
    ("hashing", "what its scores are worth: {:.3f}"): share_of_strangers,
    ("hashing", "recall is {:.2f} on clusters"): lambda: found("clusters: recall", 4),
    ("hashing", "and {:.2f} without"): lambda: found("Gaussian: recall", 4),
    ("hashing", "the error is {:.2f} with 4 rounds"): lambda: found("clusters: error", 4),
    ("hashing", "**On Gaussian data** it is {:.2f}"): lambda: found("Gaussian: error", 4),
    ("hashing", "the error stays at {:.2f}"): lambda: found("clusters: error", 32),
    ("hashing", "it falls to {:.2f} at 32 rounds"): lambda: found("clusters: error, once", 32),
    ("hashing", "twice as wide the error with 4 rounds is {:.2f}"): lambda: found(
        "clusters, wide: error", 4
    ),
    ("hashing", "With all sizes halved it is {:.2f}"): lambda: found("clusters, small: error", 4),
    ("hashing", "16 rounds compute {:.0f}"): lambda: 16 * 2 * hashing.CHUNK,
    ("hashing", "We take {:.0f} tokens of 64 numbers"): lambda: load("hashing").settings["tokens"],
    ("hashing", "an error of {:.2f} on clusters"): lambda: found("clusters: error", 4),
    ("hashing", "{:.2f} on noise"): lambda: found("Gaussian: error", 4),
}


@pytest.mark.parametrize(("chapter", "quote"), SAID, ids=lambda text: text[:40])
def test_number_in_the_prose(chapter: str, quote: str) -> None:
    text = " ".join((BOOK / f"{chapter}.md").read_text(encoding="utf-8").split())
    assert quote.format(SAID[chapter, quote]()) in text


def test_what_is_said_without_a_number() -> None:
    small = load("hashing")["clusters, small: error"].at(4)
    assert (small > 0.2).sum() == 1  # "in one of three seeds"
    laplace = load("peaked")["the largest 32, Laplace"]
    assert laplace.at(2.5).min() >= 0.9 > laplace.at(2).max()  # "nine tenths already at 2.5"
    band = entries(256, 4096, ())
    assert 0 < entries(256, 4096, (0, 10)) - band < 0.01 * band
    assert 131_072 * 64 > 8_000_000
    for seed in range(3):
        influence = reach.influence(64, 8, seed)
        edge = influence[[32, 96]] / influence.max()
        assert edge.max() < 1e-6
    x = hashing.gaussian(np.random.default_rng(0), 512)
    on_itself = np.diag(attn.softmax(x @ hashing.unit(x).T))
    assert on_itself.mean() > 0.5


def test_a_later_token_decides_whom_earlier_ones_meet_but_no_weight_goes_to_it() -> None:
    def attend(x: np.ndarray, value: np.ndarray) -> np.ndarray:
        options = {"num_buckets": 4, "num_hashes": 2, "chunk_length": 8, "rng": 0}
        return attn.lsh_attention(x, value, is_causal=True, **options)

    moved = {"value": 0, "token": 0}
    for seed in range(5):
        x, value = np.random.default_rng(seed).normal(size=(2, 64, 16))
        new_x, new_value = x.copy(), value.copy()
        new_x[40], new_value[40] = -x[40], value[40] + 1
        before = attend(x, value)[:40]
        moved["value"] += int((attend(x, new_value)[:40] != before).any(axis=-1).sum())
        moved["token"] += int((attend(new_x, value)[:40] != before).any(axis=-1).sum())
    assert moved["value"] == 0
    assert moved["token"] > 0

"""The numbers in the prose of the chapters on scores are those that the code gives."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import attn
from attnlab.experiments import load
from attnlab.models import score_function

BOOK = Path(__file__).resolve().parents[2] / "book"
KEYS = np.array([[1.5, 0], [2, 2], [0, 3], [-1, 0]])


def prose(chapter: str) -> str:
    return " ".join((BOOK / f"{chapter}.md").read_text(encoding="utf-8").split())


@pytest.fixture(scope="module")
def text() -> str:
    return prose("scores")


def test_the_case(text: str) -> None:
    weights = attn.attention_weights(np.array([[1.0, 0]]), KEYS, score="dot")[0]
    assert f"The third key of the chapter's first example gets {weights[2]:.3f}, more than" in text
    assert weights[2] > weights[3]
    assert weights.argmax() == 1
    assert f"$k_1 \\cdot k_1 = {KEYS[0] @ KEYS[0]:g}$" in text
    assert f"$k_1 \\cdot k_2 = {KEYS[0] @ KEYS[1]:g}$" in text
    assert f"$e^2 \\approx {math.exp(2):.2f}$" in text


def test_memory(text: str) -> None:
    scores = 512 * 512 * 4 / 2**20
    assert f"The scores themselves take {scores:.0f} MiB" in text
    assert f"before and after the tanh: {64 * scores:.0f} MiB each time" in text
    gibibytes = 8192**2 * 64 * 4 / 2**30
    assert f"8,192 queries and keys with a hidden width of 64 take {gibibytes:.0f} GiB" in text


def test_what_the_experiment_found() -> None:
    text = prose("soft-and-hard")
    stored = load("hard_attention")
    names = ("draws, no baseline", "draws, baseline")
    without, baseline = (stored[name].at(64).mean() for name in names)
    said = f"about {without / 1e6:.1f} million against {round(baseline, -3):,.0f}"
    assert f"At 64 keys that is {said}." in text
    soft, sixteen, one, plain = (
        f"{stored[name].at(5).mean():.2f}"
        for name in ("soft", "16 draws, baseline", "one draw, baseline", "one draw")
    )
    assert f"After 5 updates soft attention finds {soft} of the keys" in text
    assert f"a baseline finds {sixteen}; with one draw it is {one}, and" in text
    assert f"and without the baseline {plain}" in text
    turned = [
        stored[f"updates, {who}, draws for each query 16"].at(16) for who in ("draws", "soft")
    ]
    assert f"({turned[0].min():.0f} or {turned[0].max():.0f} updates against 3)" in text
    assert set(turned[1]) == {3}
    assert len(set(stored.settings["learning rates"].values())) == 1  # "the same for all"
    assert len(stored.seeds) == 3


def test_the_additive_score_ends_with_the_lower_loss(text: str) -> None:
    retrieval = pytest.importorskip("attnlab.models.retrieval")
    assert "the additive score has the lower one" in text
    for seed in range(3):
        additive, general = (retrieval.trained(k, seed)[2] for k in ("additive", "general"))
        assert additive[256] < general[256]


def test_the_draws_of_the_quiz() -> None:
    weights, losses = np.full(16, 1 / 16), np.ones(16)
    losses[3] = 0
    assert score_function.draws_needed(weights, losses) == pytest.approx(24_000, rel=0.01)
    assert score_function.draws_needed(weights, losses, 15 / 16) == pytest.approx(1_400, rel=0.01)

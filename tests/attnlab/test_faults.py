"""Logs and maps with faults: what the exercises say of them is true, and runs can be repeated."""

from __future__ import annotations

import numpy as np
import pytest

from attnlab import faults
from attnlab.faults.maps import weights
from attnlab.models.faulty import FAULTS, NUM_TOKENS, Language, train


def test_the_stored_runs_begin_as_a_new_training_does() -> None:
    for letter in ("A", "D"):
        again = train(FAULTS[faults.RUNS[letter]], faults.SEED, steps=25)
        stored = faults.load()[letter]
        for column in ("training", "held out"):
            assert again[column] == pytest.approx(stored[column][:2], rel=0.1, abs=0.02)


def test_the_language_allows_two_successors_of_the_token_two_back() -> None:
    language = Language()
    tokens = language.draw(np.random.default_rng(3), 40).numpy()
    assert language.allows(tokens).all()
    tokens[:, 5] = (tokens[:, 5] + 1) % NUM_TOKENS
    assert not language.allows(tokens).all()


def test_what_is_said_of_the_maps() -> None:
    first, second, third = (weights(number) for number in (1, 2, 3))
    assert not first[0].any()
    assert not np.diag(first).any()
    assert first[1:].sum(axis=1) == pytest.approx(1)
    assert (first[1:, 0] > 0).all()
    assert not np.triu(second, 1).any()
    assert second[0].sum() == pytest.approx(0.19, abs=0.005)
    assert second[:, -1].sum() == pytest.approx(0.30, abs=0.005)
    assert (third > 0).sum(axis=1).tolist() == [1, 2]


def test_no_page_tells_which_fault_a_run_has() -> None:
    shown = {text.get_text() for text in faults.figure().axes[0].texts}
    assert shown == {"", "run A", "run B", "run C", "run D"}
    assert "mask" not in repr(faults.log_table("training"))

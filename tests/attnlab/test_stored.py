"""What is stored of runs with faults, and of speed, is what exercises and chapters say."""

from __future__ import annotations

import json

import numpy as np
import pytest

from attnlab import faults, speed
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


STORED = json.loads(speed.FILE.read_text(encoding="utf-8"))


def test_ratios_are_to_the_base_of_the_same_run() -> None:
    for pinned in (True, False):
        times, table = (
            speed.seconds("dense", pinned=pinned),
            speed.ratios("dense", "torch SDPA", pinned=pinned),
        )
        assert table["blockwise"][512] * times["torch SDPA"][512] == pytest.approx(
            times["blockwise"][512]
        )
    assert speed.seconds("dense") != speed.seconds("dense", pinned=False)


def test_figures_show_the_numbers_and_say_them() -> None:
    figure = speed.full_attention()
    drawn = {line.get_label(): line for line in figure.axes[0].lines}
    last = speed.ratios("dense", "torch SDPA")["blockwise, causal"][8192]
    assert drawn["blockwise, causal (fast path)"].get_ydata()[-1] == last
    assert f"{last:.2f} at 8192" in figure.get_label()
    long = speed.long_sequences()
    assert f"{STORED['groups']['lsh']['exponents']['lsh_attention']:.2f}" in long.get_label()

"""Logs and maps with faults: what the exercises say of them is true, and runs can be repeated."""

from __future__ import annotations

import re

import numpy as np
import pytest
from matplotlib.text import Text

from attnlab import faults
from attnlab.faults.maps import weights
from attnlab.models.faulty import ENTROPY, FAULTS, LOGGED, NUM_TOKENS, Language, train


def test_the_stored_runs_begin_as_a_new_training_does() -> None:
    for letter in ("A", "D"):
        again = train(FAULTS[faults.RUNS[letter]], faults.SEED, steps=25)
        stored = faults.load()[letter]
        for column in ("training", "held out"):
            assert again[column] == pytest.approx(stored[column][:2], rel=0.1, abs=0.02)


def test_what_is_said_of_the_logs() -> None:
    logs = faults.load()
    last = {letter: log["held out"][-1] for letter, log in logs.items()}
    assert sorted(logs) == ["A", "B", "C", "D"]
    assert all(log["step"] == list(LOGGED) for log in logs.values())
    assert last["A"] < last["D"] < 0.05 < ENTROPY < last["B"] < last["C"] < 0.72
    assert logs["A"]["held out"][1] == pytest.approx(0.04, abs=0.005)
    assert logs["C"]["held out"][0] == pytest.approx(22, abs=0.1)
    assert logs["B"]["held out"][5] == pytest.approx(last["C"], abs=0.005)
    assert 0 < last["D"] - logs["D"]["training"][-1] <= 0.01
    assert np.log(NUM_TOKENS) == pytest.approx(2.40, abs=0.005)
    decoded = {letter: log["decoded"][-1] for letter, log in logs.items()}
    assert decoded["B"] == decoded["C"] == 1
    assert max(decoded["A"], decoded["D"]) < 0.2


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
    with pytest.raises(ValueError, match="expected 1, 2 or 3"):
        weights(4)


def test_no_page_tells_which_fault_a_run_has() -> None:
    drawn = faults.figure()
    runs = ["run A", "run B", "run C", "run D"]
    assert [ax.get_title() for ax in drawn.axes] == runs
    written = " ".join(text.get_text() for text in drawn.findobj(Text))
    assert not re.search("mask|softmax|" + "|".join(FAULTS), written)
    assert "mask" not in repr(faults.log_table("training"))

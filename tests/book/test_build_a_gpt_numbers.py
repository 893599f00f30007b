"""The numbers in the prose of the chapter that builds a GPT are those that were measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from attnlab import gpt
from attnlab.gpt.trained import words
from attnlab.models import fable_gpt, fable_tests

BOOK = Path(__file__).resolve().parents[2] / "book"


@pytest.fixture(scope="module")
def text() -> str:
    return " ".join((BOOK / "build-a-gpt.md").read_text(encoding="utf-8").split())


def test_sizes(text: str) -> None:
    model = gpt.load()
    arrays = [model["embeddings"], model["positions"], model["norm_gain"], model["norm_bias"]]
    arrays += [array for block in model["blocks"] for array in block.values()]
    assert f"about {sum(array.size for array in arrays) / 1000:.0f},000 weights" in text
    assert f"knows {len(words())} words and punctuation marks" in text
    assert f"{fable_gpt.STEPS:,} times changed them" in text
    assert f"on {fable_gpt.BATCH} new fables each time" in text


def test_losses(text: str) -> None:
    measured = fable_tests.stored()
    assert measured["loss"] - measured["loss_of_grammar"] < 0.01
    assert "within 0.01 nats of one who knows" in text


def test_heads(text: str) -> None:
    heads = fable_tests.stored()["heads"]
    assert f"gives the name {heads['pronoun to name']:.2f} of its weight" in text
    assert f"{heads['pronoun without the head']:.2f} of the pronouns are right" in text
    assert f"gives {heads['answer to loser']:.2f} of its weight to the name" in text
    assert f"and {heads['answer to holder']:.2f} to the one who has it" in text


def test_rules(text: str) -> None:
    rules = fable_tests.stored()["rules"]
    assert all(row["right"] == 1 for rule, row in rules.items() if "4" not in rule)
    four = rules["who has it, events: 4"]["right"]
    assert list(rules)[-1] == "who has it, events: 4"
    assert f"four events: {100 * four:.0f} %, where tossing a coin gives 50 %" in text


def test_writing(text: str) -> None:
    written = fable_tests.stored()["written"]
    assert all(row["ended"] == 1 for row in written.values())
    hot, usual = (100 * written[t]["fits"] for t in ("1.5", "0.8"))
    assert f"only {hot:.0f} % of the answers" in text
    assert f"against {usual:.0f} % at temperature 0.8" in text
    logits = np.asarray(gpt.gpt(np.array(gpt.to_tokens("once there")), gpt.load())[-1], float)
    p = gpt.softmax(logits / 1.5)
    assert f"*was* has a probability of {p[words().index('was')]:.2f} even at 1.5" in text

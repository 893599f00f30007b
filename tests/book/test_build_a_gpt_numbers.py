"""The numbers in the prose of the chapter that builds a GPT are those that were measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from attnlab import gpt
from attnlab.data import fables
from attnlab.gpt import byte_pairs
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
    assert f"changed them {fable_gpt.STEPS:,} times" in text
    assert f"smaller on {fable_gpt.BATCH} new fables" in text


def test_losses(text: str) -> None:
    measured = fable_tests.stored()
    distance = f"{measured['loss'] - measured['loss_of_grammar']:.3f}"
    words_of_a_fable = measured["words_of_a_fable"]
    assert f"model is within {distance} nats of it" in text
    assert f"A fable has about {words_of_a_fable:.0f} words" in text
    coin = np.log(2) / words_of_a_fable
    assert f"ln 2 = {np.log(2):.2f} nats at one word of {words_of_a_fable:.0f}" in text
    assert f"{coin:.3f} nats a word, as much as the whole gap" in text
    assert f"{coin:.3f}" == distance
    perplexities = (np.exp(measured[name]) for name in ("loss", "loss_of_grammar"))
    assert "{:.3f} for the model, {:.3f} for the program".format(*perplexities) in text


def test_heads(text: str) -> None:
    heads = fable_tests.stored()["heads"]
    assert f"gives the name {heads['pronoun to name']:.2f} of its weight" in text
    assert f"{heads['pronoun without the head']:.2f} of the pronouns are right" in text
    assert f"gives {heads['answer to loser']:.2f} of its weight to the name" in text
    assert f"and {heads['answer to holder']:.2f} to the one who has it" in text


def test_rules(text: str) -> None:
    rules = fable_tests.stored()["rules"]
    assert all(row["right"] == 1 for rule, row in rules.items() if "4" not in rule)
    two, three, four = (
        f"{rules[f'who has it, events: 4, hand-overs: {count}']['right']:.2f}"
        for count in (2, 3, 4)
    )
    assert f"where the thing changed hands twice, {two} of the answers are right" in text
    assert f"where it did so three times {three}, and where it did so in all four events" in text
    assert f"all four events {four}, fewer than by tossing a coin" in text
    refused = fable_tests.stored()["four events, the last a refusal"]["right"]
    assert f"*the key is mine*, {refused:.2f} are right" in text


def test_writing(text: str) -> None:
    measured = fable_tests.stored()
    written = measured["written"]
    assert all(row["ended"] == 1 for row in written.values())
    hot, usual = written["1.5"], written["0.8"]
    told = measured["told_answers"]["1.5"]
    assert f"At temperature 1.5 it still gives {told:.2f}" in text
    assert f"only {hot['consistent']} of {fable_tests.WRITTEN} fables tell events" in text
    share = 100 * hot["fits"] / hot["consistent"]
    assert f"In {hot['fits']} of the {hot['consistent']}, {share:.0f} %," in text
    assert f"At 0.8 it is {usual['fits']} of {usual['consistent']}." in text
    logits = np.asarray(gpt.gpt(np.array(gpt.to_tokens("once there")), gpt.load())[-1], float)
    p = gpt.softmax(logits / 1.5)
    assert f"*was* after *once there* has {p[words().index('was')]:.2f}" in text


def test_byte_pairs(text: str) -> None:
    def told(seed: int) -> str:
        return gpt.to_text(fables.encode(fables.tell(np.random.default_rng(seed)).words))

    merges = byte_pairs.learn(" ".join(told(seed) for seed in range(200)), 300)
    first = (b"h", b"e"), (b" ", b"t"), (b" t", b"he")
    assert tuple(merges[:3]) == first
    new = [told(seed) for seed in range(10_001, 10_051)]
    tokens = np.mean([len(byte_pairs.encode(fable, merges)) for fable in new])
    size = np.mean([len(fable.encode()) for fable in new])
    assert f"new fable takes {tokens:.0f} tokens on average" in text
    assert f"instead of {size:.0f} bytes" in text
    dragon = byte_pairs.encode(" dragon", merges)
    assert " · ".join(token.decode().strip() for token in dragon) == "d · ra · g · on"
    assert "becomes *d · ra · g · on*" in text

"""A model that runs on a reader's functions: his code writes, and what ran is measured."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from attnlab import gpt
from attnlab.gpt.reading import attention_maps
from attnlab.gpt.yours import NAMES, Yours
from tests.course import BANK

STEPS = [e for e in BANK.chapter("build-a-gpt") if e.kind == "code"]
BEGINNING = gpt.to_tokens("once there was an old fox")

EACH_HEAD_ALONE = """
def attend(x, weights, num_heads):
    parts = []
    for name in ("query", "key", "value"):
        parts.append(np.split(x @ weights[f"w_{name}"] + weights[f"b_{name}"], num_heads, axis=1))
    hidden = np.where(causal_mask(len(x)), 0, -np.inf)
    heads = [softmax(q @ k.T / np.sqrt(k.shape[1]) + hidden) @ v for q, k, v in zip(*parts)]
    return np.hstack(heads) @ weights["w_output"] + weights["b_output"]
"""
TOKENS_FIRST = EACH_HEAD_ALONE.replace(
    "heads = [softmax(q @ k.T / np.sqrt(k.shape[1]) + hidden) @ v for q, k, v in zip(*parts)]",
    "q, k, v = map(np.array, parts)\n"
    "    shares = softmax((q @ k.swapaxes(1, 2) / np.sqrt(k.shape[2]) + hidden).swapaxes(0, 1))\n"
    "    heads = list(shares.swapaxes(0, 1) @ v)",
)
OWN_EXPONENTIALS = EACH_HEAD_ALONE.replace(
    "softmax(q @ k.T / np.sqrt(k.shape[1]) + hidden)",
    "(lambda e: e / e.sum(1, keepdims=True))(np.exp(q @ k.T / np.sqrt(k.shape[1]) + hidden))",
)


def solved(*changed: str) -> dict[str, Any]:
    """Return the namespace of a reader who has done all steps, some in another way."""
    names: dict[str, Any] = {}
    for code in [f"{step.setup}\n{step.solution}" for step in STEPS] + list(changed):
        exec(code, names)
    return names


def read(yours: Yours, tokens: list[int], first: int = 0, cached: bool = False) -> Any:
    return yours.answer({"tokens": tokens, "first": first, "cached": cached})


@pytest.mark.parametrize("cached", [False, True], ids=["write", "cache"])
def test_word_by_word_it_writes_what_the_functions_write(cached: bool) -> None:
    yours, draws = Yours(solved()), np.random.default_rng(3).random(40)
    tokens, first = list(BEGINNING), 0
    for draw in draws:
        readings = read(yours, tokens, first, cached)["readings"]
        right = attention_maps(np.array(tokens), gpt.load())
        assert len(readings) == len(tokens) - first
        for place, reading in enumerate(readings, first):
            rows = right[:, :, place, : place + 1]
            np.testing.assert_allclose(reading["weights"], rows, atol=1e-4)
        first = len(tokens)
        asked = {"tokens": tokens, "temperature": 0.8, "draw": draw, "cached": cached}
        tokens = [*tokens, yours.answer(asked)["token"]]
    assert tokens == gpt.write(BEGINNING, gpt.load(), draws, 0.8)


def test_it_tells_which_functions_ran_and_how_often() -> None:
    names = solved()
    before = dict(names)
    yours = Yours(names)
    once = {"gpt": 1, "block": 4, "attend": 4, "causal_mask": 4, "feed_forward": 4}
    assert read(yours, BEGINNING)["calls"] == once | {"layer_norm": 9, "softmax": 4}
    asked = {"tokens": BEGINNING, "temperature": 1.0, "draw": 0.5, "cached": False}
    assert yours.answer(asked)["calls"] == {"write": 1, "next_token": 1, "softmax": 1}
    calls = read(yours, BEGINNING, 0, cached=True)["calls"]
    assert calls["attend_next"] == 4 * len(BEGINNING)
    assert "attend" not in calls
    assert names == before  # no wrapper is left among them
    names["block"] = gpt.block  # the course's, which calls the course's
    assert read(yours, BEGINNING)["calls"] == {"gpt": 1, "block": 4, "layer_norm": 1}


def test_a_text_that_branches_is_read_anew_by_the_cache() -> None:
    yours = Yours(solved())
    read(yours, BEGINNING, cached=True)
    other = [*BEGINNING[:4], 44, 17]
    seen = read(yours, other, 3, cached=True)["readings"][-1]["logits"]
    np.testing.assert_allclose(seen, gpt.gpt(np.array(other), gpt.load())[-1], atol=1e-3)
    assert len(read(yours, [*other, 5], 0, cached=True)["readings"]) == len(other) + 1


@pytest.mark.parametrize(
    ("attend", "is_told"),
    [(EACH_HEAD_ALONE, True), (TOKENS_FIRST, False), (OWN_EXPONENTIALS, False)],
)
def test_weights_are_told_only_where_softmax_tells_them(attend: str, is_told: bool) -> None:
    # Four tokens through four heads: shapes alone cannot tell them apart.
    for tokens in (BEGINNING, BEGINNING[:4]):
        reading = read(Yours(solved(attend)), tokens)["readings"][-1]
        right = attention_maps(np.array(tokens), gpt.load())[:, :, -1]
        np.testing.assert_allclose(
            reading["logits"], gpt.gpt(np.array(tokens), gpt.load())[-1], atol=1e-3
        )
        if is_told:
            np.testing.assert_allclose(reading["weights"], right, atol=1e-4)
        else:
            assert reading["weights"] is None


def test_an_error_of_a_function_comes_through_and_leaves_no_wrapper() -> None:
    names = solved("def layer_norm(x, gain, bias):\n    return 1 / 0\n")
    before = dict(names)
    with pytest.raises(ZeroDivisionError):
        read(Yours(names), BEGINNING)
    assert names == before


def test_an_unknown_word_comes_back_with_the_nearest() -> None:
    answered = Yours({}).answer({"beginning": "Once there was a foxx"})
    assert answered["unknown"] == "foxx"
    assert answered["nearest"][0] == "fox"
    assert Yours({}).answer({"beginning": "An owl."})["tokens"] == gpt.to_tokens("an owl .")


def test_every_function_of_the_steps_has_a_name_but_the_loss() -> None:
    assert {name for step in STEPS for name in step.names} == {*NAMES, "next_token_loss"}

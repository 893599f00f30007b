"""The head browser's Python side: its figure, its answers, and what a notebook asks for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
from bs4 import BeautifulSoup

from attnlab.data import minilm_heads, minilm_scores
from attnlab.explorables import HeadBrowser
from coursekit.bank import load_bank

ROOT = Path(__file__).resolve().parents[3]


def test_the_stored_weights_are_those_of_the_model() -> None:
    shown, stored = minilm_scores.load("milk"), minilm_heads.load("milk")
    np.testing.assert_allclose(shown.head(4, 2), stored.head(4, 2), atol=5e-4)


def test_stored_sentences_travel_to_a_notebook_only_when_asked_for() -> None:
    shown = HeadBrowser()
    assert '"stored_data":""' in BeautifulSoup(shown.html(), "html.parser").find()["state"]
    shown.stored_data = "?"
    told = json.loads(shown.stored_data)
    assert set(told) == set(minilm_scores.SENTENCES)
    assert told["cat"]["tokens"] == minilm_scores.load("cat").tokens
    # The page, which fetches them one by one, does not carry them.
    assert shown.state()["stored_data"] == ""


def test_exercises_ask_for_an_own_sentence_only_where_there_is_a_field_for_it() -> None:
    bank = load_bank(ROOT / "exercises")
    asking = [bank[id] for id in bank if bank[id].explorable == "HeadBrowser"]
    assert len(asking) >= 3
    for exercise in asking:
        sentences = re.split(r"(?<=[.?!])\s", exercise.statement)
        own = [sentence for sentence in sentences if re.search(r"\byour\s+own\b", sentence)]
        assert own, exercise.id
        assert all("has a field" in " ".join(each.split()) for each in own), exercise.id

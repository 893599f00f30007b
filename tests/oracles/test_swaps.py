"""Mistakes in the real model: what is stored, and what the book says of 50 sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from attnlab.minilm import at_hand, page_files, stored_swaps, swap
from attnlab.models import minilm

ROOT = Path(__file__).resolve().parents[2]
SENTENCES = (ROOT / "tests/attnlab/minilm/sentences.txt").read_text("utf-8").splitlines()


def forget() -> None:
    at_hand.load.cache_clear()
    swap.own_vectors.cache_clear()


@pytest.fixture(autouse=True)
def _in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(at_hand, "_in_notebook", lambda: True)
    forget()
    yield
    forget()


@pytest.fixture(scope="module")
def reader() -> minilm.Reader:
    return minilm.Reader()


def test_the_numbers_of_the_words_are_the_tokenizer_s(reader: minilm.Reader) -> None:
    for text, ids in zip(at_hand.TEXTS, at_hand.IDS, strict=True):
        assert reader.tokens(text)[1].tolist() == list(ids)


@pytest.mark.parametrize("id", stored_swaps.MISTAKES)
def test_what_is_stored_is_measured(id: str) -> None:
    assert at_hand.load().about == at_hand.ABOUT
    found, stored = swap.by_layer(swap.with_mistake(id)), stored_swaps.load(id)
    np.testing.assert_allclose(stored.cosines, found.cosines, atol=2e-4)
    np.testing.assert_allclose(stored.differences, found.differences, atol=1e-3)
    assert stored.lengths == found.lengths


def test_in_8_bits_it_is_nearly_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page_files.write(tmp_path)
    monkeypatch.setattr(at_hand, "FOLDER", tmp_path)
    assert at_hand.load().about == at_hand.IN_8_BITS
    for id in stored_swaps.MISTAKES:
        found, stored = swap.by_layer(swap.with_mistake(id)), stored_swaps.load(id)
        np.testing.assert_allclose(found.cosines, stored.cosines, atol=0.03)


def cosines(
    reader: minilm.Reader, monkeypatch: pytest.MonkeyPatch, text: str, id: str
) -> np.ndarray:
    _, ids = reader.tokens(text)
    count = len(ids)
    given = at_hand.AtHand(
        reader.model, reader.model.embed(ids)[None], np.ones((1, count, count), bool), (count,), ""
    )
    monkeypatch.setattr(at_hand, "load", lambda: given)
    swap.own_vectors.cache_clear()
    return swap.by_layer(swap.with_mistake(id)).cosines[0]


def test_what_the_book_says_of_fifty_sentences(
    reader: minilm.Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        axis = np.array([cosines(reader, patch, text, "wrong-axis") for text in SENTENCES])
        scale = np.array([cosines(reader, patch, text, "unscaled") for text in SENTENCES])
    assert len(axis) == 50
    prose = re.sub(r"\s+", " ", (ROOT / "book/masking.md").read_text("utf-8"))
    said = re.search(
        r"50 more sentences: the cosine is at least (\S+) after layer 1 and at most (\S+) after "
        r"layer 6\. Without the scale, the cosine after layer 6 is at least (\S+) for all 50\.",
        prose,
    )
    assert said is not None
    first, last, kept = map(float, said.groups())
    assert first <= axis[:, 0].min() < first + 0.01
    assert last - 0.01 < axis[:, 5].max() <= last
    assert kept <= scale[:, 5].min() < kept + 0.01

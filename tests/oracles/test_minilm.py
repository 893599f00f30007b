"""The trained encoder: against transformers, in the page's 8 bits, and with mistakes in it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from transformers import BertConfig, BertModel

from attnlab.data import minilm_heads, minilm_scores
from attnlab.data.minilm_heads import offset
from attnlab.experiments import load, real_heads
from attnlab.minilm import at_hand, package, page_files, stored_swaps, swap
from attnlab.minilm.encoder import scores
from attnlab.minilm.page_model import shards
from attnlab.models import minilm
from tests.attnlab.conftest import node  # noqa: F401  a fixture
from tests.attnlab.minilm import odd_strings
from tests.attnlab.minilm.conftest import encode  # noqa: F401  another

ROOT = Path(__file__).resolve().parents[2]
SENTENCES = (ROOT / "tests/attnlab/minilm/sentences.txt").read_text("utf-8").splitlines()
TEXTS = [
    *minilm_heads.SENTENCES.values(),
    "No.",
    "Über 1,000 unheard-of words: antidisestablishmentarianism!",
]


@pytest.fixture(scope="module")
def theirs() -> BertModel:
    """Return their model in float64, made from the files of the package."""
    folder = minilm.file("model.safetensors").parent
    config = BertConfig.from_pretrained(folder, attn_implementation="eager")
    model = BertModel(config)
    state = load_file(folder / "model.safetensors")
    state.pop("embeddings.position_ids")
    model.load_state_dict({name: torch.tensor(array) for name, array in state.items()})
    return model.double().eval()


@pytest.fixture(scope="module")
def reader() -> minilm.Reader:
    return minilm.Reader()


@pytest.mark.parametrize("text", TEXTS)
def test_every_token_and_every_head(theirs: BertModel, reader: minilm.Reader, text: str) -> None:
    _, ids = reader.tokens(text)
    with torch.no_grad():
        given = theirs(torch.tensor(ids)[None], output_attentions=True)
    expected = np.stack([layer[0].numpy() for layer in given.attentions])
    exact = minilm.MiniLM({k: v.astype(np.float64) for k, v in minilm.parameters().items()})
    x, weights = exact(ids)
    np.testing.assert_allclose(x, given.last_hidden_state[0].numpy(), atol=1e-9)
    np.testing.assert_allclose(weights, expected, atol=1e-9)
    # As it runs, in float32.
    x, weights = reader.model(ids)
    assert x.dtype == weights.dtype == np.float32
    np.testing.assert_allclose(x, given.last_hidden_state[0].numpy(), atol=1e-5)
    np.testing.assert_allclose(weights, expected, atol=2e-6)
    mean = given.last_hidden_state[0].mean(dim=0)
    np.testing.assert_allclose(reader.vector(text), (mean / mean.norm()).numpy(), atol=1e-6)


@pytest.mark.parametrize("name", minilm_heads.SENTENCES)
def test_the_committed_maps_are_the_model_s(reader: minilm.Reader, name: str) -> None:
    tokens, weights = reader.weights(minilm_heads.SENTENCES[name])
    stored = minilm_heads.load(name)
    assert stored.tokens == tokens
    np.testing.assert_allclose(stored.weights, weights, atol=6e-5)


def test_another_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(minilm.SHA256, "tokenizer.json", "0" * 64)
    with pytest.raises(ValueError, match=r"tokenizer\.json has sha256 be50.*; expected 0000"):
        minilm.Reader()


def test_the_picked_head_on_fresh_sentences() -> None:
    short, stored = real_heads.run((0,), quick=True), load("real_heads")
    assert set(short.curves) == set(stored.curves)
    # Five sentences in the wording of the first one: most of them, as in the stored result.
    assert short["picked head, as picked"].at(1)[0] >= 0.6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model")
    page_files.write(path)
    return path


@pytest.fixture(scope="module")
def pairs(reader: minilm.Reader, folder: Path, encode: Any) -> list[Any]:  # noqa: F811
    """Return for each sentence what the page computes, and what the float model does."""
    told = encode(folder, [{"text": text} for text in SENTENCES])["answers"]
    made = []
    for text, answer in zip(SENTENCES, told, strict=True):
        tokens, ids = reader.tokens(text)
        assert answer["tokens"] == tokens
        assert answer["ids"] == ids.tolist()
        x, weights = reader.model(ids)
        page = np.array(answer["weights"]).reshape(weights.shape)
        made.append((np.array(answer["x"]).reshape(x.shape), page, x, weights))
    return made


def test_fifty_sentences_that_are_not_stored(pairs: list[Any]) -> None:
    assert len(set(SENTENCES) - set(minilm_scores.SENTENCES.values())) == 50
    furthest = max(abs(page - weights).max() for _, page, _, weights in pairs)
    # The book says 0.03; the goal was 0.06.
    assert 0.01 < furthest < 0.035
    same = [(page.argmax(-1) == weights.argmax(-1)).ravel() for _, page, _, weights in pairs]
    assert np.concatenate(same).mean() >= 0.99
    for page_x, _, x, _ in pairs:
        a, b = page_x.mean(axis=0), x.mean(axis=0)
        assert a @ b / np.sqrt((a @ a) * (b @ b)) > 0.998


def test_the_files_are_as_small_as_the_book_says(reader: minilm.Reader, folder: Path) -> None:
    sizes = json.loads((folder / "model.json").read_text())["bytes"]
    layers = [sizes[f"layer-{layer}.safetensors"] for layer in range(1, 7)]
    assert max(layers) < 1.9e6
    needed = [
        sum(sizes[name] for name in shards(reader.tokens(text)[1], page_files.SHARD).values())
        for text in SENTENCES
    ]
    whole = sum(size for name, size in sizes.items() if not name.startswith("words-"))
    assert whole - sum(layers[1:]) + max(needed) < 5e6  # until the first layer answers
    assert 11.5e6 < whole + np.median(needed) < 12.5e6


def test_odd_strings_are_what_the_package_makes_of_them(
    reader: minilm.Reader,
    folder: Path,
    encode: Any,  # noqa: F811
) -> None:
    stored = json.loads(odd_strings.FIXTURE.read_text("utf-8"))
    tokenizer = minilm._tokenizer()
    tokenizer.no_truncation()
    assert odd_strings.make(tokenizer, package.vocabulary()) == stored
    short = [text for text, tokens in stored["cases"] if len(tokens) < 40]
    told = encode(folder, [{"text": text} for text in short])["answers"]
    for text, answer in zip(short, told, strict=True):
        assert answer["tokens"] == tokenizer.encode(text).tokens, text


def test_what_is_stored_for_the_head_browser(reader: minilm.Reader) -> None:
    name, text = "cat", minilm_scores.SENTENCES["cat"]
    stored, (tokens, ids) = minilm_scores.load(name), reader.tokens(text)
    assert stored.tokens == tokens
    found = scores(reader.model, minilm.parameters(), ids)
    np.testing.assert_allclose(stored.scores / minilm_scores.UNIT, found, atol=0.001)
    by_token, whole = minilm._effects(reader.model, ids)
    np.testing.assert_allclose(stored.effects, whole, atol=1e-5)
    np.testing.assert_allclose(stored.token_effects, by_token, atol=1e-3)


def tables(path: str) -> dict[str, Any]:
    """Return the tables of numbers that an exercise compares with."""
    tree = ast.parse((ROOT / "exercises" / path).read_text("utf-8"))
    return {
        statement.targets[0].id: np.array(ast.literal_eval(statement.value))  # type: ignore[attr-defined]
        for statement in tree.body
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.List)
        if len(statement.value.elts) == 6
    }


def test_the_numbers_of_the_exercises(pairs: list[Any]) -> None:
    weights = [float_weights for *_, float_weights in pairs]
    near = tables("multi-head/find-the-neighbour-head.py")
    for name, steps in (("BEFORE", -1), ("AFTER", 1)):
        mean = np.mean([offset(w, steps) for w in weights], axis=0)
        np.testing.assert_allclose(near[name], mean, atol=0.0051)
    pronoun = tables("interpretation/find-the-pronoun-head.py")
    for name, sentence in (("THIRSTY", "milk"), ("FRESH", "fresh")):
        stored = minilm_scores.load(sentence)
        row = stored.tokens.index("it")
        for noun in ("cat", "milk"):
            at = stored.tokens.index(noun)
            found = [[stored.head(i, j)[row, at] for j in range(1, 13)] for i in range(1, 7)]
            np.testing.assert_allclose(pronoun[f"{name}_{noun.upper()}"], found, atol=0.0051)
    effect = tables("interpretation/find-the-head-with-an-effect.py")
    cat = minilm_scores.load("cat")
    maps = np.array([[cat.head(i, j) for j in range(1, 13)] for i in range(1, 7)])
    np.testing.assert_allclose(effect["EFFECT"], cat.effects, atol=0.00051)
    np.testing.assert_allclose(effect["LARGEST"], maps.max(-1).mean(-1), atol=0.0051)
    np.testing.assert_allclose(effect["CLS"], maps[..., 0].mean(-1), atol=0.0051)


def forget() -> None:
    at_hand.load.cache_clear()
    swap.own_vectors.cache_clear()


@pytest.fixture(autouse=True)
def _afresh() -> Iterator[None]:
    forget()
    yield
    forget()


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
        r"each of 50 more sentences: at least (\S+) after layer 1, at most (\S+) after layer 6\. "
        r"Without the scale, all 50 kept at least ([\d.]+\d)\.",
        prose,
    )
    assert said is not None
    first, last, kept = map(float, said.groups())
    assert first <= axis[:, 0].min() < first + 0.01
    assert last - 0.01 < axis[:, 5].max() <= last
    assert kept <= scale[:, 5].min() < kept + 0.01

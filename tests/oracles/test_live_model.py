"""The model in the page, in 8 bits and TypeScript, against the float model with real weights."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attnlab.data import minilm_scores
from attnlab.data.minilm_heads import offset
from attnlab.minilm import package, page_files
from attnlab.minilm.encoder import scores
from attnlab.minilm.page_model import shards
from attnlab.models import minilm
from tests.attnlab.minilm import odd_strings
from tests.attnlab.minilm.conftest import encode, node  # noqa: F401  fixtures

ROOT = Path(__file__).resolve().parents[2]
SENTENCES = (ROOT / "tests/attnlab/minilm/sentences.txt").read_text("utf-8").splitlines()


@pytest.fixture(scope="module")
def reader() -> minilm.Reader:
    return minilm.Reader()


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

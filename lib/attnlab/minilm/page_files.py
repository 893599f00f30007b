"""The data files of a page: the encoder, small enough to be fetched piece by piece, and the GPT.

The build of the site calls `write` (``page-data`` in ``pyproject.toml``). Where the package with
the encoder's parameters is missing, a page has the stored sentences only, and says `MISSING`.

| file | has |
|---|---|
| ``model.json`` | sizes, the licence, and each file's bytes; or ``missing``, a sentence |
| ``vocabulary.txt`` | the pieces of words, a line each, in the order of their numbers |
| ``start.safetensors`` | positions, and the norm of the embeddings |
| ``layer-1.safetensors`` … | one layer each, so that the first answers before the last is there |
| ``words-000.safetensors`` … | the vectors of `SHARD` words each, of which a sentence needs few |
| ``stored-cat.js`` … | scores of all heads for a sentence of `attnlab.data.minilm_scores` |
| ``fables.safetensors`` | the GPT of the fables, see `attnlab.gpt.page_file` |
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from attnlab.data import minilm_scores
from attnlab.gpt import page_file
from attnlab.minilm import package
from attnlab.minilm.encoder import NUM_HEADS, num_layers
from attnlab.minilm.int8 import quantised
from attnlab.tensors import dumps

Array = NDArray[np.float32]

#: Words in a file. Their numbers go by frequency, so that common words share their files.
SHARD = 128
#: The longest text that the model was trained to read, marks included.
MAX_TOKENS = 128
MISSING = (
    "The model's weights were not there when this site was built, so this figure shows its stored "
    "sentences only."
)
LICENCE = "all-MiniLM-L6-v2 by the authors of sentence-transformers, Apache License 2.0, in 8 bits"


def sources() -> list[Path]:
    """Return the files outside the repository that `write` reads; none where they are missing."""
    return package.find()


def write(folder: Path) -> None:
    """Write all files into an empty folder."""
    files = {**stored_sentences(), page_file.NAME: page_file.content()}
    if package.find():
        files |= model_files(package.parameters(), package.vocabulary(), NUM_HEADS)
    else:
        files["model.json"] = json.dumps({"missing": MISSING}).encode()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def model_files(
    state: Mapping[str, Array], vocabulary: Sequence[str], num_heads: int, shard: int = SHARD
) -> dict[str, bytes]:
    """Return the files of a model by name.

    Parameters
    ----------
    state : mapping of str to array
        Parameters as `attnlab.minilm.encoder.MiniLM` takes them.
    vocabulary : sequence of str
    num_heads : int
    shard : int
        Words in a file.
    """
    words, positions, segments = (
        state[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
    )
    norm = {f"norm.{part}": state[f"embeddings.LayerNorm.{part}"] for part in ("weight", "bias")}
    # Every token of a text is in the first segment: its vector goes into the positions.
    start = {"positions": positions[:MAX_TOKENS] + segments[0], **norm}
    files = {
        "vocabulary.txt": "\n".join(vocabulary).encode(),
        "start.safetensors": dumps(quantised(start)),
    }
    for layer in range(num_layers(state)):
        files[f"layer-{layer + 1}.safetensors"] = dumps(quantised(_layer(state, layer)))
    for at in range(0, len(words), shard):
        rows = {"words": words[at : at + shard]}
        files[f"words-{at // shard:03}.safetensors"] = dumps(quantised(rows))
    version = hashlib.sha256(b"".join(files.values())).hexdigest()[:12]
    told = {
        "version": version,
        "licence": LICENCE,
        "num_layers": num_layers(state),
        "num_heads": num_heads,
        "shard": shard,
        "max_tokens": len(start["positions"]),
        "bytes": {name: len(content) for name, content in files.items()},
    }
    return {**files, "model.json": json.dumps(told).encode()}


def _layer(state: Mapping[str, Array], layer: int) -> dict[str, Array]:
    """Return one layer's parameters, by names without its number."""
    prefix = f"encoder.layer.{layer}."
    return {k.removeprefix(prefix): array for k, array in state.items() if k.startswith(prefix)}


def stored_sentences() -> dict[str, bytes]:
    """Return a script for each stored sentence: a page opened from a file can load it, too."""
    files = {}
    for name in minilm_scores.SENTENCES:
        content = json.dumps(as_data(minilm_scores.load(name)), separators=(",", ":"))
        files[f"stored-{name}.js"] = f"(self.attnStored??={{}}).{name}={content}".encode()
    return files


def as_data(stored: minilm_scores.Stored) -> dict[str, Any]:
    """Return a stored sentence as plain data; ``scores`` are its 16-bit numbers in base64."""
    return {
        "tokens": stored.tokens,
        "scores": base64.b64encode(stored.scores.astype("<i2").tobytes()).decode(),
        "unit": minilm_scores.UNIT,
        "effects": stored.effects.round(5).tolist(),
        "token_effects": stored.token_effects.round(4).tolist(),
    }

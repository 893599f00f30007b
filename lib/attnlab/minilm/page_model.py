"""Read the page's files of the model again, with NumPy alone: in a page, a notebook or a test.

In a page, fetch the files and give their bytes; elsewhere `from_folder` reads them.

>>> from attnlab.minilm import page_model
>>> # layer = page_model.parameters(await fetch("layer-1.safetensors"))  # names: float32 arrays
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attnlab.minilm.encoder import MiniLM
from attnlab.minilm.int8 import restored
from attnlab.tensors import loads

Array = NDArray[np.float32]


def parameters(content: bytes) -> dict[str, Array]:
    """Return the parameters of one file, float32, by name.

    A layer has, among others, ``attention.self.query.weight`` of shape (d_model, d_model), which
    multiplies from the left: ``x @ weight.T + bias``.
    """
    return restored(loads(content))


def shards(ids: Iterable[int], size: int) -> dict[int, str]:
    """Return the number and the name of each file that has a word of ``ids``.

    Examples
    --------
    >>> shards([101, 1996, 2003, 102], 128)
    {0: 'words-000.safetensors', 15: 'words-015.safetensors'}
    """
    numbers = sorted({int(word) // size for word in ids})
    return {number: f"words-{number:03}.safetensors" for number in numbers}


def model(start: bytes, layers: Iterable[bytes], words: Array, num_heads: int) -> MiniLM:
    """Return the encoder made of the bytes of its files.

    Parameters
    ----------
    start, layers : bytes, iterable of bytes
        ``start.safetensors`` and the layers in order; fewer layers make a shorter model.
    words : array, shape (num_words, d_model)
        Vectors by the numbers of the words; what a sentence does not need may be zeros.
    num_heads : int
    """
    return MiniLM(state(parameters(start), map(parameters, layers), words), num_heads)


def state(
    start: Mapping[str, Array], layers: Iterable[Mapping[str, Array]], words: Array
) -> dict[str, Array]:
    """Return an encoder's parameters by their published names, from those of its files."""
    made = {
        "embeddings.word_embeddings.weight": words,
        "embeddings.position_embeddings.weight": start["positions"],
        "embeddings.token_type_embeddings.weight": np.zeros_like(words[:1]),
        "embeddings.LayerNorm.weight": start["norm.weight"],
        "embeddings.LayerNorm.bias": start["norm.bias"],
    }
    for number, layer in enumerate(layers):
        made |= {f"encoder.layer.{number}.{name}": array for name, array in layer.items()}
    return made


def from_folder(folder: Path) -> MiniLM:
    """Return the encoder of a folder that `attnlab.minilm.page_files` wrote."""
    told = json.loads((folder / "model.json").read_text("utf-8"))
    count = sum(name.startswith("words-") for name in told["bytes"])
    rows = [
        parameters((folder / f"words-{number:03}.safetensors").read_bytes())["words"]
        for number in range(count)
    ]
    return model(
        (folder / "start.safetensors").read_bytes(),
        [
            (folder / f"layer-{number + 1}.safetensors").read_bytes()
            for number in range(told["num_layers"])
        ],
        np.concatenate(rows),
        told["num_heads"],
    )

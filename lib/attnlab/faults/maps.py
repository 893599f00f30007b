"""Weights of a real head as they would be under a wrong mask."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.data import minilm_heads
from attnlab.drawing import weights_table

if TYPE_CHECKING:
    from attnlab.drawing.picture import Picture

#: A head whose weights are broad, so that what is hidden shows.
LAYER, HEAD = 1, 10
#: "the cat sat on the mat": without the marks at both ends and the full stop.
WORDS = slice(1, 7)


def scores() -> tuple[NDArray[np.float64], list[str]]:
    """Return scores that give the head's weights, shape (6, 6), and the words."""
    sentence = minilm_heads.load("cat")
    # The logarithm of a weight is its score, but for a number that a whole row shares.
    weights = sentence.head(LAYER, HEAD)[WORDS, WORDS]
    return np.log(weights), sentence.tokens[WORDS]


def weights(number: int) -> NDArray[np.float64]:
    """Return the weights of map 1, 2 or 3: shapes (6, 6), (6, 6) and (2, 6)."""
    raw, words = scores()
    count = len(words)
    if number == 1:  # each token hides itself, too
        return attn.softmax(raw, mask=np.tri(count, k=-1, dtype=bool))
    if number == 2:  # hidden after the softmax
        return attn.softmax(raw) * np.tri(count)
    if number == 3:  # two queries beside a cache, aligned at the top left
        return attn.softmax(raw[-2:], mask=np.tri(2, count, dtype=bool))
    raise ValueError(f"map {number}; expected 1, 2 or 3")


def heat_map(number: int) -> Picture:
    """Return a map as a table that tells nothing of its mask."""
    shown, (_, words) = weights(number), scores()
    return weights_table(shown, words[-len(shown) :], words, caption=f"Map {number}.")

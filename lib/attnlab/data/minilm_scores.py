"""Load scores of all 72 heads of a real model, and what each does, for the head browser.

``minilm_scores.npz`` has them for the sentences of `attnlab.data.minilm_heads`, so that a page
answers before it has loaded a model. The model is all-MiniLM-L6-v2 (Apache License 2.0, see
``LICENCES.md``). With its package installed, ``python -m attnlab.models.minilm`` makes the file
again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.data import minilm_heads

FILE = Path(__file__).with_name("minilm_scores.npz")
#: Those of `minilm_heads`, and a twin of the last one, in which *it* is the milk.
SENTENCES = {
    **minilm_heads.SENTENCES,
    "fresh": "The cat drank the milk because it was fresh.",
}
#: A score of 1 as it is stored.
UNIT = 800


@dataclass(frozen=True)
class Stored:
    """What is stored of one sentence.

    Parameters
    ----------
    tokens : list of str
        With [CLS] first and [SEP] last.
    scores : array of int16, shape (num_layers, num_heads, num_tokens, num_tokens)
        In 1/`UNIT` nats.
    effects : array, shape (num_layers, num_heads)
        1 - cosine between the sentence's vector and the one without this head.
    token_effects : array, shape (num_layers, num_heads, num_tokens)
        The same for each token's last vector.
    """

    tokens: list[str]
    scores: NDArray[np.int16]
    effects: NDArray[np.float64]
    token_effects: NDArray[np.float64]

    def head(self, layer: int, head: int) -> NDArray[np.float64]:
        """Return one head's weights, counted from 1: the softmax of its scores."""
        return attn.softmax(self.scores[layer - 1, head - 1] / UNIT)


def load(name: str) -> Stored:
    """Return what is stored of one of `SENTENCES`.

    Raises
    ------
    ValueError
        If there is no such sentence.

    Examples
    --------
    >>> load("cat").scores.shape, load("cat").effects.shape
    ((6, 12, 9, 9), (6, 12))
    """
    if name not in SENTENCES:
        raise ValueError(f"no sentence {name!r}; expected one of {', '.join(SENTENCES)}")
    with np.load(FILE) as stored:
        return Stored(
            stored[f"{name}_tokens"].tolist(),
            stored[f"{name}_scores"],
            stored[f"{name}_effects"].astype(np.float64),
            stored[f"{name}_token_effects"].astype(np.float64),
        )

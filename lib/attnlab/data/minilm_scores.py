"""Scores of all 72 heads of a real model, and what each head does, for the head browser.

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

from attnlab.data import minilm_heads

FILE = Path(__file__).with_name("minilm_scores.npz")
SENTENCES = minilm_heads.SENTENCES
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

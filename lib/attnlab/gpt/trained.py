"""The trained GPT: its weights from the file beside this module, and its words.

``python -m attnlab.models.fable_gpt`` makes the file.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

WEIGHTS = Path(__file__).parent / "fables.npz"
#: Numbers of the marks in the vocabulary: what fills rows, and around each text.
PAD, BEGIN, END = 0, 1, 2
_NUM_HEADS = 4
_CLOSING = {",", ".", "?", ":", "”"}


class Model(TypedDict):
    """A GPT's weights: see `load`."""

    embeddings: Array
    positions: Array
    blocks: list[dict[str, Array]]
    norm_gain: Array
    norm_bias: Array
    num_heads: int


@cache
def _stored() -> dict[str, Array]:
    if not WEIGHTS.is_file():
        raise FileNotFoundError(
            f"no weights at {WEIGHTS}; make them: python -m attnlab.models.fable_gpt"
        )
    with np.load(WEIGHTS) as stored:
        return {name: stored[name] for name in stored.files}


def load() -> Model:
    """Return the weights of the trained model, as new arrays of 32 bits.

    Returns
    -------
    model : dict
        ``embeddings`` (num_words, d_model), which are also the output layer; ``positions``
        (context, d_model); ``norm_gain`` and ``norm_bias`` (d_model,); ``num_heads``; and
        ``blocks``, a list with one dictionary for each block: ``w_query``, ``w_key``, ``w_value``,
        ``w_output`` (d_model, d_model), ``w_in`` (d_model, d_hidden), ``w_out`` (d_hidden,
        d_model), a bias ``b_…`` for each of these, and ``norm1_gain``, ``norm1_bias``,
        ``norm2_gain``, ``norm2_bias`` (d_model,).

    Examples
    --------
    >>> load()["embeddings"].shape[1], len(load()["blocks"])
    (64, 4)
    """
    weights = {n: v.astype(np.float32) for n, v in _stored().items() if v.dtype == np.float16}
    blocks: list[dict[str, Array]] = []
    for full, value in weights.items():
        if full.startswith("blocks."):
            _, number, name = full.split(".")
            while len(blocks) <= int(number):
                blocks.append({})
            blocks[int(number)][name] = value
    return Model(
        embeddings=weights["tokens"],
        positions=weights["positions"],
        blocks=blocks,
        norm_gain=weights["norm_gain"],
        norm_bias=weights["norm_bias"],
        num_heads=_NUM_HEADS,
    )


def probe() -> tuple[Array, Array]:
    """Return the beginning of a fable as tokens, and the logits that PyTorch computed for it.

    Shapes (tokens,) and (tokens, num_words).
    """
    return _stored()["probe"].copy(), _stored()["probe_logits"].copy()


def words() -> list[str]:
    """Return the vocabulary in the order of its numbers."""
    return [str(word) for word in _stored()["words"]]


def to_tokens(text: str) -> list[int]:
    """Return a text as tokens after the mark `BEGIN`; words and marks are separated by blanks.

    Raises
    ------
    ValueError
        If a word is not in the vocabulary.

    Examples
    --------
    >>> len(to_tokens("Mara had a golden key ."))
    7
    """
    numbers = {word: number for number, word in enumerate(words())}
    parts = text.split()
    if unknown := [part for part in parts if part not in numbers]:
        raise ValueError(
            f"{unknown[0]!r} is not a word of the fables; expected some of: {' '.join(numbers)}"
        )
    return [BEGIN, *(numbers[part] for part in parts)]


def to_text(tokens: Any) -> str:
    """Return tokens as a text with capitals, without marks and the blanks around punctuation.

    Examples
    --------
    >>> to_text(to_tokens("“ who has it ? ” asked Mara ."))
    '“Who has it?” asked Mara.'
    """
    vocabulary, text, starts = words(), "", True
    for token in np.asarray(tokens, int).tolist():
        word = vocabulary[token]
        if token in (PAD, BEGIN, END):
            continue
        if starts and word[0].isalpha():
            word, starts = word[0].upper() + word[1:], False
        starts = starts or word == "."
        text += word if word in _CLOSING or text[-1:] in ("", "“") else f" {word}"
    return text

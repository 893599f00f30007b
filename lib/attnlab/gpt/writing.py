"""Write with a GPT: choose a next token, append it, ask again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from attnlab.gpt.parts import Array, gpt, softmax
from attnlab.gpt.trained import END


def next_token(logits: Array, temperature: float, draw: float) -> int:
    """Return the next token, from the logits of one place, shape (num_words,).

    At temperature 0 it is the one with the largest logit. Otherwise the probabilities of all
    tokens, side by side in their order, fill the interval from 0 to 1; it is the token whose part
    contains ``draw``, a random number from that interval.
    """
    if temperature == 0:
        return int(logits.argmax())
    ends = softmax(np.asarray(logits, float) / temperature).cumsum()
    # Rounding may leave the last end below 1, and the draw beyond it.
    return min(int(np.searchsorted(ends, draw, side="right")), len(ends) - 1)


def write(
    tokens: Sequence[int],
    model: Mapping[str, Any],
    draws: Sequence[float] | Array,
    temperature: float,
) -> list[int]:
    """Return the tokens and what the model writes after them: one for each draw, or up to END."""
    text = [int(token) for token in tokens]
    for draw in draws:
        text.append(next_token(gpt(np.array(text), model)[-1], temperature, float(draw)))
        if text[-1] == END:
            break
    return text

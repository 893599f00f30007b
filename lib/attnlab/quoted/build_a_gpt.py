"""Numbers of *build-a-gpt*."""

from functools import cache
from typing import Any

import numpy as np

from attnlab import gpt
from attnlab.data import fables
from attnlab.gpt import byte_pairs
from attnlab.gpt.trained import words
from attnlab.models.fable_tests import WRITTEN, stored

measured: Any = stored()
heads, vocabulary = measured["heads"], words()
loss, of_grammar = measured["loss"], measured["loss_of_grammar"]
coin = np.log(2) / measured["words_of_a_fable"]
hot, usual = measured["written"]["1.5"], measured["written"]["0.8"]

_model = gpt.load()
_arrays = [_model[name] for name in ("embeddings", "positions", "norm_gain", "norm_bias")]
_arrays += [array for block in _model["blocks"] for array in block.values()]
weights = sum(array.size for array in _arrays)


def handed_over(times: int) -> float:
    """Return the share of right answers where the thing changed hands so often in four events."""
    return float(measured["rules"][f"who has it, events: 4, hand-overs: {times}"]["right"])


def after(text: str, word: str, temperature: float) -> float:
    """Return the probability of a word after a text."""
    logits = np.asarray(gpt.gpt(np.array(gpt.to_tokens(text)), gpt.load())[-1], float)
    return float(gpt.softmax(logits / temperature)[words().index(word)])


@cache
def in_pairs() -> tuple[float, float]:
    """Return the mean size of a new fable in tokens after 300 merges, and in bytes."""
    merges = byte_pairs.learn(" ".join(map(_told, range(200))), 300)
    new = [*map(_told, range(10_001, 10_051))]
    tokens = np.mean([len(byte_pairs.encode(fable, merges)) for fable in new])
    return float(tokens), float(np.mean([len(fable.encode()) for fable in new]))


def _told(seed: int) -> str:
    return gpt.to_text(fables.encode(fables.tell(np.random.default_rng(seed)).words))

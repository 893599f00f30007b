"""Numbers of *attention-today*."""

import numpy as np

from attnlab.experiments import load
from attnlab.experiments.longer_texts import TRAINED
from attnlab.experiments.sinks import CACHES, NUM_TOKENS, NUM_WORDS, WINDOW, late


def lost(head: str, cache: str = CACHES[1]) -> np.ndarray:
    """Return by how many nats a head's loss rises with a smaller cache, by seed."""
    stored = load("sinks")
    return late(stored, f"{head}, {cache}") - late(stored, f"{head}, {CACHES[0]}")


def before(way: str) -> float:
    """Return the weight on the token before, with one way to scale the turns."""
    return float(load("longer_texts")[f"{way}: weight on the token before"].mean[0])

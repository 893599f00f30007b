"""Numbers of *circuits*."""

import numpy as np

from attnlab.experiments import load
from attnlab.experiments.induction import best_name, blind_name

#: Curves of model B: without layer 1 for the keys, scores of the heads of layer 1, without a part.
blind = f"many periods: {blind_name('key')}"
previous, without = "many periods: previous token, layer 1 head ", "many periods: without layer "


def last(curve: str) -> np.ndarray:
    """Return a curve's value at the end of training, by seed."""
    return load("induction")[curve].array[:, -1]


def best(measure: str, step: float) -> float:
    """Return the score of the head of model B that scores best, at a step of the training."""
    return load("induction").mean(best_name("many periods", measure), step)


#: The share that is right without one head of layer 2 or the other, by seed.
alone = np.concatenate([last(f"{without}2 head {head}") for head in (1, 2)])

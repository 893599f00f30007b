"""Compute the best loss a model of fables can reach: that of one who knows the grammar."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from attnlab.data import fables


class _Counted:
    """A generator that adds up how surprising its draws are, in nats."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self.nats = 0.0

    def integers(self, low: int, high: int | None = None) -> int:
        self.nats += float(np.log(low if high is None else high - low))
        return int(self._rng.integers(low, high))

    def permutation(self, items: Any) -> np.ndarray:
        count = items if isinstance(items, int) else len(items)
        self.nats += float(np.log(count * (count - 1)))  # two of them are used
        return self._rng.permutation(items)

    def random(self) -> _Draw:
        return _Draw(self)

    def uniform(self) -> float:
        return float(self._rng.random())


class _Draw:
    """A number from 0 to 1, of which comparisons with rising bounds tell more and more."""

    def __init__(self, of: _Counted) -> None:
        self._of, self._value, self._low = of, of.uniform(), 0.0

    def __lt__(self, bound: float) -> bool:
        share = (bound - self._low) / (1 - self._low)
        below = self._value < bound
        self._of.nats -= float(np.log(share if below else 1 - share))
        self._low = self._low if below else bound
        return below


def surprise_of_grammar(seeds: Iterable[int]) -> float:
    """Return the mean surprise of a word for one who knows the grammar, in nats.

    The fables are those of the seeds. The expected loss of a model on new fables cannot be lower,
    since each fable follows from one set of draws alone.
    """
    nats = num_words = 0.0
    for seed in seeds:
        rng: Any = _Counted(seed)
        num_words += len(fables.tell(rng).words) + 1  # and END
        nats += rng.nats
    return nats / num_words

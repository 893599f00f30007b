"""A gradient from draws: the score-function estimator beside soft attention's exact gradient."""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

import attn
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field
from attnlab.models import score_function
from attnlab.models.numpy_continuer import random_numbers

Floats = NDArray[np.float64]
_MOST = 30_000


class GradientDraws(Explorable):
    """Draws of hard attention, the mean of their gradient estimates, and its standard error.

    Errors are shares of the exact gradient's length. The draws are those of Mulberry32 with a
    seed, so that page and notebook show the same ones.

    Parameters
    ----------
    score
        The score of the right key, the one with the smallest loss, 0 to 5. All others have 0.
    baseline
        What is subtracted from the loss of every draw, 0 to 1.5.
    num_draws
        How many keys have been drawn, 1 to 30,000.
    seed
        The seed of the draws.
    losses
        The loss of each key if it is drawn.
    task, answers
        As in every explorable; the default answer is ``["score", "baseline", "num_draws"]``.

    Raises
    ------
    ValueError
        If a number is out of range, or all losses are equal, so that the gradient is 0.

    Examples
    --------
    >>> shown = GradientDraws(num_draws=24_000)  # the chapter's 16 keys, all scores equal
    >>> round(shown.standard_error(), 2), round(shown.standard_error(15 / 16), 3)
    (0.1, 0.024)
    """

    _esm = bundle("gradient_draws")
    element = "attn-gradient-draws"
    names = ("score", "baseline", "num_draws", "seed", "losses")
    answer_names = ("score", "baseline", "num_draws")

    score = field(fields.between(0.0, 5.0), 0.0)
    baseline = field(fields.between(0.0, 1.5), 0.0)
    num_draws = field(fields.count, 10)
    seed = field(fields.count, 0)
    losses = field(fields.numbers, [1.0] * 3 + [0.0] + [1.0] * 12)

    def check(self) -> None:
        """Raise ValueError unless there are draws and a gradient to estimate."""
        if not 1 <= self.num_draws <= _MOST:
            raise ValueError(f"num_draws is {self.num_draws}; expected 1 to {_MOST:,}")
        if self.seed >= 2**31:
            raise ValueError(f"seed is {self.seed}; expected less than 2 ** 31")
        if len(set(self.losses)) == 1:
            raise ValueError("all losses are equal, so the gradient is 0; expected different ones")

    def weights(self) -> Floats:
        """Return the probability of each key, shape ``(num_keys,)``."""
        scores = np.zeros(len(self.losses))
        scores[np.argmin(self.losses)] = self.score
        return np.asarray(attn.softmax(scores))

    def exact(self) -> Floats:
        """Return the gradient of the expected loss, shape ``(num_keys,)``."""
        return score_function.exact_gradient(self.weights(), np.array(self.losses))

    def chosen(self) -> NDArray[np.int64]:
        """Return the keys that were drawn, shape ``(num_draws,)``."""
        cumulative = self.weights().cumsum()
        draws = np.fromiter(islice(random_numbers(self.seed), self.num_draws), float)
        return np.searchsorted(cumulative, draws * cumulative[-1], side="right")

    def estimate(self, baseline: float | None = None) -> Floats:
        """Return the mean of the draws' estimates, shape ``(num_keys,)``."""
        counts = np.bincount(self.chosen(), minlength=len(self.losses))
        paid = counts * (np.array(self.losses) - self._or_own(baseline)) / self.num_draws
        return np.asarray(paid - self.weights() * paid.sum())

    def error(self, baseline: float | None = None) -> float:
        """Return how far these draws are from the gradient, as a share of its length."""
        exact = self.exact()
        return float(np.linalg.norm(self.estimate(baseline) - exact) / np.linalg.norm(exact))

    def standard_error(self, baseline: float | None = None) -> float:
        """Return the root mean square of `error` over all draws of this number."""
        own = self._or_own(baseline)
        one = score_function.draws_needed(self.weights(), np.array(self.losses), own, error=1.0)
        return float(np.sqrt(one / self.num_draws))

    def deviations(self) -> Floats:
        """Return the standard deviation of one draw's estimate for each score."""
        weights, paid = self.weights(), np.array(self.losses) - self.baseline
        estimates = paid[:, None] * (np.eye(len(weights)) - weights)  # row c: if c is drawn
        variances = weights @ estimates**2 - (weights @ estimates) ** 2
        return np.asarray(np.sqrt(np.maximum(variances, 0)))

    def _or_own(self, baseline: float | None) -> float:
        return float(self.baseline if baseline is None else baseline)

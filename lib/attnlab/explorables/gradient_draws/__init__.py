"""A gradient from draws: the score-function estimator beside soft attention's exact gradient."""

from __future__ import annotations

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field


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
    """

    score = field(fields.between(0.0, 5.0), 0.0)
    baseline = field(fields.between(0.0, 1.5), 0.0)
    num_draws = field(fields.whole(1, 30_000), 10)
    seed = field(fields.whole(0, 2**31 - 1), 0)
    losses = field(fields.numbers, [1.0] * 3 + [0.0] + [1.0] * 12)

    def check(self) -> None:
        """Raise ValueError unless there is a gradient to estimate."""
        if len(set(self.losses)) == 1:
            raise ValueError("all losses are equal, so the gradient is 0; expected different ones")

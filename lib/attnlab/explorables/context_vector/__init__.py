"""One query over a few keys: drag or type the vectors, see scores, weights and context vector."""

from __future__ import annotations

from typing import Any

import numpy as np

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field


def _goal(name: str, value: Any) -> list[float]:
    return fields.numbers(name, value) if np.size(value) else []


class ContextVector(Explorable):
    """Scores, weights and context vector of one query in the plane.

    Parameters
    ----------
    query
        Shape ``(2,)``.
    key, value
        Shape ``(num_keys, 2)`` each.
    scaled
        Whether the scores are divided by √2, as scaled dot-product attention does.
    goal
        Weights that the task asks for, one for each key; a reader who reaches them, each within
        0.005, reads a tick and ``goal_text``. Empty where the task asks for something else.
    goal_scaled
        Whether they count only with the scores divided.
    goal_text
        What the reader has made then, in a few words.
    """

    query = field(fields.vector, [0.5, -0.5])
    key = field(fields.vectors, [[1.0, 1.0], [0.0, 1.0]])
    value = field(fields.vectors, [[0.5, 0.5], [0.2, 0.8]])
    scaled = field(fields.flag, False)
    goal = field(_goal, [])
    goal_scaled = field(fields.flag, False)
    goal_text = field(fields.text, "")

    axes = "key(num_keys, 2) value(num_keys, 2)"

    def check(self) -> None:
        """Raise ValueError unless a goal has a weight for each key, and a text."""
        if self.goal and (len(self.goal) != len(self.key) or not self.goal_text):
            raise ValueError(
                f"goal has {len(self.goal)} weights and the text {self.goal_text!r}; "
                f"expected {len(self.key)} weights and a text"
            )

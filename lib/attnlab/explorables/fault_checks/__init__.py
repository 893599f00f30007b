"""Choose a fault of a training program, and see which check of its log tells of it, and when."""

from __future__ import annotations

import math

from attnlab import faults
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field

#: What the runs are called, by their names in `attnlab.faults.RUNS`; the healthy one comes first.
NAMES = {
    "none": "correct program",
    "no shift": "targets not shifted",
    "learning rate": "learning rate too high",
    "no mask": "no causal mask",
}
_LETTERS = {name: letter for letter, name in faults.RUNS.items()}
_LOGS = [faults.load()[_LETTERS[name]] for name in NAMES]


class FaultChecks(Explorable):
    """The log of a faulty run beside that of the correct program, and three checks of both.

    Parameters
    ----------
    runs
        What each run is called; the first one is the correct program's.
    steps
        The steps of training at which all runs were measured.
    held_out, decoded
        The loss on held-out text, in nats a token, and the share of decoded tokens that the
        language allows, both of shape ``(num_runs, num_steps)``.
    bounds
        The lowest loss that the language allows, and that of guessing blindly, in nats.
    fault
        The position of the faulty run that is shown, from 1.
    at
        The position of the step that the checks look at, from 0.
    """

    runs = field(fields.words, list(NAMES.values()))
    steps = field(fields.numbers, _LOGS[0]["step"])
    held_out = field(fields.matrix, [log["held out"] for log in _LOGS])
    decoded = field(fields.matrix, [log["decoded"] for log in _LOGS])
    bounds = field(fields.vector, [round(math.log(2), 4), round(math.log(11), 4)])
    fault = field(fields.count, 1)
    at = field(fields.count, 0)

    axes = "runs(runs) steps(steps) held_out(runs, steps) decoded(runs, steps)"

    def check(self) -> None:
        """Raise ValueError unless the run and the step that are shown exist."""
        fields.whole(1, len(self.runs) - 1)("fault", self.fault)
        fields.whole(0, len(self.steps) - 1)("at", self.at)

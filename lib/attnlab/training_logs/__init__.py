"""Logs of small training runs with a fault each, for readers who look for it.

``python -m attnlab.training_logs`` trains the models of `attnlab.models.faulty` again, in about a
minute, and stores ``logs.json``. The runs have letters, so that the code of a page does not tell.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING

from attnlab.drawing import plot_curves, table
from attnlab.results import Curve

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from attnlab.drawing.value_table import ValueTable

#: The run of each letter, by its name in `attnlab.models.faulty.FAULTS`.
RUNS = {"A": "no shift", "B": "none", "C": "learning rate", "D": "no mask"}
#: The seed of the stored runs.
SEED = 0
Log = Mapping[str, list[float]]


def load() -> dict[str, Log]:
    """Return the stored logs by letter: lists under step, training, held out, decoded, sample."""
    text = files(__package__).joinpath("logs.json").read_text(encoding="utf-8")
    logs: dict[str, Log] = json.loads(text)
    return logs


def log_table(letter: str) -> ValueTable:
    """Return one log as a table: losses in nats a token, and the share of decoded tokens."""
    log = load()[letter]
    columns = ("training", "held out", "decoded")
    rows = {
        f"{step:.0f}": [log[column][i] for column in columns] for i, step in enumerate(log["step"])
    }
    names = ["training loss", "held-out loss", "decoded tokens allowed"]
    return table(rows, names, row_name=f"run {letter}: step")


def samples() -> ValueTable:
    """Return what each trained model decoded, token by token, from the same three tokens."""
    rows = {
        f"run {letter}": [" ".join(f"{token:.0f}" for token in log["sample"])]
        for letter, log in load().items()
    }
    return table(rows, ["three given tokens, and what was decoded after them"])


def figure() -> Figure:
    """Return the held-out losses of all runs, in nats a token."""
    curves = {
        f"run {letter}": Curve(log["step"], [log["held out"]]) for letter, log in load().items()
    }
    made = plot_curves(
        curves,
        x_label="training step",
        y_label="held-out loss (nats a token)",
        evenly=True,
    )
    made.axes[0].set_ylim(0, 3)
    return made

"""The stored logs of four training runs, as tables and a figure."""

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
    """Return the stored logs by letter: lists under step, training, held out, decoded."""
    text = files("attnlab.faults").joinpath("logs.json").read_text(encoding="utf-8")
    logs: dict[str, Log] = json.loads(text)
    return logs


def log_table(letter: str) -> ValueTable:
    """Return one log as a table: losses in nats a token, and the share of decoded tokens."""
    log = load()[letter]
    columns = ("training", "held out", "decoded")
    rows = {
        f"{step:.0f}": [f"{log[column][i]:.2f}" for column in columns]
        for i, step in enumerate(log["step"])
    }
    names = ["training loss", "held-out loss", "decoded right"]
    return table(rows, names, row_name="step", caption=f"Run {letter}")


def figure() -> Figure:
    """Return the held-out losses of all runs, in nats a token."""
    curves = {
        f"run {letter}": Curve(log["step"], [log["held out"]]) for letter, log in load().items()
    }
    label = "held-out loss (nats a token)"
    made = plot_curves(curves, x_label="training step", y_label=label, evenly=True)
    made.axes[0].set_ylim(0, 3)
    return made

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

    from attnlab.drawing.picture import Picture

#: The run of each letter, by its name in `attnlab.models.faulty.FAULTS`.
RUNS = {"A": "no shift", "B": "none", "C": "learning rate", "D": "no mask"}
#: The seed of the stored runs.
SEED = 0
CAPTIONS = {
    "training": "Training loss, in nats a token.",
    "held out": "Loss on text that is never trained on, in nats a token.",
    "decoded": "Share of decoded tokens that the language allows.",
}
Log = Mapping[str, list[float]]


def load() -> dict[str, Log]:
    """Return the stored logs by letter: lists under step, training, held out, decoded."""
    text = files("attnlab.faults").joinpath("logs.json").read_text(encoding="utf-8")
    logs: dict[str, Log] = json.loads(text)
    return logs


def log_table(column: str) -> Picture:
    """Return one column of all logs: a loss in nats a token, or the share decoded right.

    Parameters
    ----------
    column : str
        ``"training"``, ``"held out"`` or ``"decoded"``.
    """
    logs = load()
    steps = logs["A"]["step"]
    rows = {f"{step:.0f}": [logs[run][column][i] for run in logs] for i, step in enumerate(steps)}
    return table(rows, [f"run {run}" for run in logs], row_name="step", caption=CAPTIONS[column])


def figure() -> Figure:
    """Return the held-out losses of all runs, in nats a token."""
    curves = {
        f"run {letter}": Curve(log["step"], [log["held out"]]) for letter, log in load().items()
    }
    label = "held-out loss (nats a token)"
    return plot_curves(curves, x_label="training step", y_label=label, evenly=True, top=3)

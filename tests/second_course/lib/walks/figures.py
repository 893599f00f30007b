"""The drawings of the chapter."""

from __future__ import annotations

from typing import Any

import numpy as np


def draw(paths: np.ndarray) -> Any:
    """Return a figure of walks, positions over steps, with the typical distance."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3), layout="constrained")
    axes = figure.add_subplot()
    steps = np.arange(paths.shape[1])
    axes.plot(steps, paths.T, linewidth=1)
    axes.plot(steps, np.sqrt(steps), "k--", steps, -np.sqrt(steps), "k--")
    axes.set(xlabel="step", ylabel="position")
    return figure

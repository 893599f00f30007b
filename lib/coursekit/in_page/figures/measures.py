"""Measure where a plot is and how far its axes reach, with Matplotlib's names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from coursekit.in_page.figures.scale import Scale

Limits = tuple[float, float]


class Measures:
    """Answers of :class:`~coursekit.in_page.figures.axes.Axes`: figure, limits and place."""

    figure: Any
    x: Scale
    y: Scale

    def limits(self) -> tuple[Limits, Limits]:
        """Return the limits of both axes."""
        raise NotImplementedError

    def get_figure(self) -> Any:
        """Return the figure."""
        return self.figure

    def get_xlim(self) -> Limits:
        """Return where the axis begins and ends."""
        return self.limits()[0]

    def get_ylim(self) -> Limits:
        """Return where the axis begins and ends."""
        return self.limits()[1]

    def get_xscale(self) -> str:
        """Return "linear" or "log"."""
        return "log" if self.x.base else "linear"

    def get_yscale(self) -> str:
        """Return "linear" or "log"."""
        return "log" if self.y.base else "linear"

    def get_position(self) -> SimpleNamespace:
        """Return the plot's box in shares of the figure: ``x0``, ``y0``, ``width``, ``height``."""
        figure = self.figure
        left, top, width, height = figure.box_of(self)
        return SimpleNamespace(
            x0=left / figure.width,
            y0=1 - (top + height) / figure.height,
            width=width / figure.width,
            height=height / figure.height,
        )

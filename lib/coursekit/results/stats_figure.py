"""The scores' distribution and the item analysis as a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from coursekit.colours import colours
from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.results.items import Item

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK, _LINE = (colours()[name][0] for name in ("ink", "line"))


def draw(items: Sequence[Item], shares: Mapping[str, Sequence[float]], file: Path) -> None:
    """Draw the scores' distribution, and each check's share and discrimination, into a picture.

    ``shares`` has each submission's share of the points to earn, 0 to 1, by assignment.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "notebook") from None
    if file.suffix not in (".svg", ".png", ".pdf"):
        raise CoursekitError(f"{file}: expected a name that ends in .svg, .png or .pdf")
    heights = [2.0, 1 + 0.28 * len(items)]
    figure = Figure(figsize=(10, sum(heights)), layout="constrained")
    grid = figure.add_gridspec(2, 2, height_ratios=heights)
    panels = grid[0, :].subgridspec(1, len(shares)).subplots(sharey=True, squeeze=False)[0]
    for axes, (name, own) in zip(panels, shares.items(), strict=True):
        _draw_scores(axes, own)
        if len(shares) > 1:
            axes.set_title(name, parse_math=False)
    panels[0].set_ylabel("submissions")
    left = figure.add_subplot(grid[1, 0])
    right = figure.add_subplot(grid[1, 1], sharey=left)
    right.tick_params(labelleft=False)
    places = range(len(items))
    left.barh(places, [100 * item.share for item in items], color=_INK, height=0.6)
    left.set(xlim=(0, 100), xlabel="points earned (%)", yticks=list(places))
    left.set_yticklabels([f"{item.exercise} · {item.check}" for item in items])
    left.set_ylim(len(items) - 0.4, -0.6)
    right.plot([item.discrimination for item in items], places, "o", color=_INK, clip_on=False)
    right.axvline(0, color=_INK, linewidth=0.8)
    right.set(xlim=(-1, 1), xticks=[-1, -0.5, 0, 0.5, 1], xlabel="discrimination (correlation)")
    for axes in (left, right):
        axes.grid(axis="x", color=_LINE)
        _tidy(axes)
    figure.savefig(file, dpi=150)


def _draw_scores(axes: Axes, shares: Sequence[float]) -> None:
    from matplotlib.ticker import MaxNLocator

    percent = [min(100 * share, 100.0) for share in shares]
    axes.hist(percent, bins=10, range=(0, 100), color=_INK, rwidth=0.9)
    axes.set(xlim=(0, 100), xlabel="score (%)")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color=_LINE)
    _tidy(axes)


def _tidy(axes: Axes) -> None:
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)

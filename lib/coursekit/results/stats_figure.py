"""The item analysis as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from coursekit.colours import colours
from coursekit.errors import CoursekitError, MissingExtraError
from coursekit.results.items import Item

_INK, _LINE = (colours()[name][0] for name in ("ink", "line"))


def draw(items: Sequence[Item], file: Path) -> None:
    """Draw share and discrimination of each check, side by side, into a picture file."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "notebook") from None
    if file.suffix not in (".svg", ".png", ".pdf"):
        raise CoursekitError(f"{file}: expected a name that ends in .svg, .png or .pdf")
    figure = Figure(figsize=(10, 1 + 0.28 * len(items)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
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
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, dpi=150)

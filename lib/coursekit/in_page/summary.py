"""Summarise a value while code is stepped through: shape, type, range, a heat map."""

from __future__ import annotations

import html
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: A larger side is not drawn: a step stays light.
LARGEST = 24
#: Arrays with more numbers are not read for their range at each step.
MOST = 1_000_000
_TEXT = 80
_CELL = 6  # points


@dataclass(frozen=True)
class Summary:
    """A value as plain data; ``heat`` are rows of shares from 0 to 1, for small matrices."""

    name: str
    kind: str
    text: str = ""
    low: float | None = None
    high: float | None = None
    shape: tuple[int, ...] | None = None
    heat: tuple[tuple[float, ...], ...] = ()

    @property
    def range(self) -> str:
        """The smallest and the largest number in words."""
        if self.low is None or self.high is None:
            return ""
        return f"{_short(self.low)} … {_short(self.high)}"


def summary(name: str, value: Any) -> Summary | None:
    """Return what to show of a value; None for functions, classes and modules."""
    if isinstance(value, (ModuleType, type)) or callable(value):
        return None
    if not isinstance(value, np.ndarray):
        text = repr(value)
        return Summary(
            name, type(value).__name__, text if len(text) <= _TEXT else text[:_TEXT] + "…"
        )
    kind = f"{value.dtype}"
    if value.dtype.kind not in "biuf" or not value.size or value.size > MOST:
        return Summary(name, kind, shape=value.shape)
    numbers = np.asarray(value, float)
    finite = numbers[np.isfinite(numbers)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (None, None)
    odd = "" if finite.size == numbers.size else f"{numbers.size - finite.size} not finite"
    text = f"{_short(float(numbers))}" if value.ndim == 0 else odd
    return Summary(name, kind, text, low, high, value.shape, _heat(numbers, low, high))


def _heat(
    numbers: NDArray[np.float64], low: float | None, high: float | None
) -> tuple[tuple[float, ...], ...]:
    if numbers.ndim not in (1, 2) or max(numbers.shape) > LARGEST or low is None or high is None:
        return ()
    shares = (np.atleast_2d(numbers) - low) / ((high - low) or 1.0)
    shares = np.nan_to_num(shares, nan=0.0, posinf=1.0, neginf=0.0)
    return tuple(tuple(round(float(s), 3) for s in np.clip(row, 0, 1)) for row in shares)


def _short(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")


def rows_html(summaries: list[Summary], changed: set[str]) -> str:
    """Return names with their values as a table; those in ``changed`` are marked as new."""
    rows = "".join(_row(each, each.name in changed) for each in summaries)
    head = "".join(
        f'<th scope="col">{word}</th>' for word in ("Name", "Shape", "Type", "Range", "Map")
    )
    return (
        f'<table class="ck-trace-names"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
    )


def _row(each: Summary, is_new: bool) -> str:
    shape = "" if each.shape is None else str(each.shape)
    cells = (shape, each.kind, each.range or each.text)
    columns = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
    mark = ' class="ck-trace-new"' if is_new else ""
    name = html.escape(each.name)
    note = '<span class="ck-spoken"> new</span>' if is_new else ""
    more = html.escape(each.text) if each.range and each.text else ""
    return (
        f'<tr{mark}><th scope="row"><code>{name}</code>{note}</th>{columns}'
        f"<td>{heat_svg(each)}{more}</td></tr>"
    )


def heat_svg(each: Summary) -> str:
    """Return a small heat map: the smallest number is paper, the largest ink."""
    if not each.heat:
        return ""
    rows, columns = len(each.heat), len(each.heat[0])
    cells = "".join(
        f'<rect x="{column}" y="{row}" width="1" height="1" fill-opacity="{share:g}"/>'
        for row, line in enumerate(each.heat)
        for column, share in enumerate(line)
    )
    words = html.escape(f"{each.name} as a heat map, {rows} by {columns}")
    return (
        f'<svg class="ck-trace-heat" width="{columns * _CELL}" height="{rows * _CELL}" '
        f'viewBox="0 0 {columns} {rows}" fill="currentColor" role="img" aria-label="{words}">'
        f"{cells}</svg>"
    )

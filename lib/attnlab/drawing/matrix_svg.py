"""Small matrices with their labels and shapes, side by side in one SVG."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from attnlab.drawing import scales
from attnlab.drawing.text import decimals_of, escape, number
from attnlab.drawing.tokens import var

_HEIGHT, _GAP, _LABELS = 26, 14, 42
#: The heading of a panel and the matrix' name, in y; then the first row of cells.
_HEADING, _NAME, _TOP, _TOP_WITH_COLUMNS = 12, 33, 42, 58
_LINE = 14
#: A cell without and with a colour at its narrowest, and the room beside its number.
_NARROWEST, _COLOURED, _MARGIN = 30, 32, 3
#: The width of a number's characters at 12 pixels in the widest usual font, its point included.
_CHARACTER = 7.2
_KINDS: dict[str, scales.Kind] = {"scores": "scores", "weights": "weights"}


@dataclass(frozen=True)
class Matrix:
    """A matrix, and how it is drawn.

    Attributes
    ----------
    values
        Shape ``(num_rows, num_columns)``.
    name
        What stands above it; ``^`` raises the letter after it.
    axes
        The names of its two axes.
    role
        ``"ink"``, ``"query"``, ``"key"``, ``"value"`` or ``"output"`` (a second outline) is the
        colour of the numbers; ``"scores"`` and ``"weights"`` fill the cells by their scale.
    rows, columns
        Labels; empty columns leave room for labels, so that neighbours line up. ``row_role`` and
        ``column_role`` are their colours.
    mask
        True = visible; every other cell is hatched and has no number.
    framed
        The row that is framed, or none.
    """

    values: NDArray[np.float64]
    name: str
    axes: tuple[str, str]
    role: str
    rows: Sequence[str] = ()
    columns: Sequence[str] | None = None
    row_role: str = "ink"
    column_role: str = "key"
    mask: NDArray[np.bool_] | None = None
    framed: int | None = None

    @property
    def _edges(self) -> list[int]:
        """Where each column begins and the last one ends; a column fits its longest number."""
        least = _COLOURED if self.role in _KINDS else _NARROWEST
        edges = [self._left]
        for column in self.values.T:
            longest = _CHARACTER * max(len(self._shown(float(value))) for value in column)
            edges.append(edges[-1] + max(least, math.ceil(longest) + _MARGIN))
        return edges

    def _shown(self, value: float) -> str:
        return number(value, 2 if self.role == "weights" else decimals_of(value))

    @property
    def _colour(self) -> str:
        return "ink" if self.role in _KINDS else "value" if self.role == "output" else self.role

    @property
    def _left(self) -> int:
        # The second outline of an output stands between the labels and the cells.
        return (_LABELS if len(self.rows) else 1) + 3 * (self.role == "output")

    @property
    def _top(self) -> int:
        return _TOP if self.columns is None else _TOP_WITH_COLUMNS

    @property
    def width(self) -> int:
        """The width of the drawing in pixels, with its text."""
        longest = max(6.5 * len(f"({self.axes[0]}, {self.axes[1]})"), 6.7 * len(self.name))
        return max(self._edges[-1] + 4, round(longest))

    @property
    def height(self) -> int:
        """The height of the drawing in pixels, with its text."""
        return self._top + len(self.values) * _HEIGHT + 2 * _LINE + 8

    @property
    def shape(self) -> str:
        """The shape with the names of its axes."""
        return f"({', '.join(self.axes)}) = {self.values.shape}"

    def svg(self) -> str:
        """Return the matrix as SVG elements, its upper left corner at the origin."""
        below = self._top + len(self.values) * _HEIGHT + _LINE + 2
        return "".join(
            (
                _text(0, _NAME, _raised(self.name), self._colour, 13, "start"),
                *self._labels(),
                *self._cells(),
                *self._frames(),
                _text(0, below, f"({', '.join(self.axes)})", "muted", 11, "start"),
                _text(0, below + _LINE, f"= {self.values.shape}", "muted", 11, "start"),
            )
        )

    def _labels(self) -> Iterator[str]:
        for row, label in enumerate(self.rows):
            y = self._top + (row + 0.5) * _HEIGHT + 4
            yield _text(_LABELS - 5, y, escape(label), self.row_role, 12, "end")
        for label, (start, end) in zip(self.columns or (), pairwise(self._edges), strict=False):
            x = (start + end) / 2
            yield _text(x, self._top - 6, escape(label), self.column_role, 11, "middle")

    def _cells(self) -> Iterator[str]:
        limit = float(np.abs(self.values).max()) or 1.0
        edges = self._edges
        for (row, column), value in np.ndenumerate(self.values):
            x, y = edges[column], self._top + row * _HEIGHT
            width = edges[column + 1] - x
            corner = f'x="{x}" y="{y}" width="{width}" height="{_HEIGHT}"'
            if self.mask is not None and not self.mask[row, column]:
                yield _hidden(corner, x, y, width)
                continue
            yield self._visible(float(value), limit, corner, (x + width / 2, y + 17.5))

    def _visible(self, value: float, limit: float, corner: str, at: tuple[float, float]) -> str:
        fill, ink = var("paper"), var(self._colour)
        if self.role in _KINDS:
            step = scales.step(value, _KINDS[self.role], limit)
            fill, ink = scales.cell_css(*step), scales.text_css(*step)
        return (
            f'<rect {corner} style="fill:{fill};stroke:{var("line")}"/>'
            f'<text x="{at[0]:g}" y="{at[1]:g}" style="fill:{ink};font-size:12px;'
            f'text-anchor:middle">{self._shown(value)}</text>'
        )

    def _frames(self) -> Iterator[str]:
        num_rows = len(self.values)
        x, y, width = self._left, self._top, self._edges[-1] - self._left
        if self.role == "output":
            yield (
                f'<rect x="{x - 3}" y="{y - 3}" width="{width + 6}" '
                f'height="{num_rows * _HEIGHT + 6}" style="fill:none;stroke:{var("value")}"/>'
            )
        if self.framed is not None:
            yield (
                f'<rect x="{x}" y="{y + self.framed * _HEIGHT}" width="{width}" '
                f'height="{_HEIGHT}" style="fill:none;stroke:{var("query")};stroke-width:2.5"/>'
            )


def panel_svg(heading: str, matrices: Sequence[Matrix]) -> str:
    """Return one SVG with a heading and the matrices side by side, at their natural size."""
    width, body = 0, [_text(0, _HEADING, escape(heading), "muted", 12, "start")]
    for matrix in matrices:
        body.append(f'<g transform="translate({width})">{matrix.svg()}</g>')
        width += matrix.width + _GAP
    width = max(width - _GAP, round(6.4 * len(heading)))
    height = max(matrix.height for matrix in matrices)
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'aria-hidden="true">{"".join(body)}</svg>'
    )


def _text(x: float, y: float, content: str, role: str, size: int, anchor: str) -> str:
    style = f"fill:{var(role)};font-size:{size}px;text-anchor:{anchor}"
    return f'<text x="{x:g}" y="{y:g}" style="{style}">{content}</text>'


def _raised(name: str) -> str:
    """Return a name with the letter after each ``^`` raised."""
    raised = r'<tspan dy="-4" font-size="10">\1</tspan><tspan dy="4">​</tspan>'
    return re.sub(r"\^(.)", raised, escape(name))


def _hidden(corner: str, x: int, y: int, width: int) -> str:
    """Return a hatched cell."""
    lines = "".join(
        f"M{x + max(at - _HEIGHT, 0)} {y + min(at, _HEIGHT)}"
        f"L{x + min(at, width)} {y + max(at - width, 0)}"
        for at in range(6, width + _HEIGHT, 6)
    )
    return (
        f'<rect {corner} style="fill:{var("paper")};stroke:{var("line")}"/>'
        f'<path d="{lines}" style="stroke:{var("hatch")};fill:none"/>'
    )

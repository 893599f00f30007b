"""Axial positions: a grid of positions made of the rows of two small tables."""

from __future__ import annotations

import attn
from attn.axial import Order, axial_indices
from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field


class AxialGrid(Explorable):
    """Axial positions: each is a row of a first table beside a row of a second.

    Parameters
    ----------
    rows, columns
        How many rows the first and the second table have, 1 to 16.
    position
        The position whose rows are marked.
    column_major
        Whether the grid is numbered column by column instead of line by line.
    d_model
        The width of a position, an even number; each table has half of it.
    task, answers
        As in every explorable; the default answer is ``["rows", "columns"]``.

    Raises
    ------
    ValueError
        If a table, the position or the width is out of range.

    Examples
    --------
    >>> AxialGrid(rows=8, columns=8).num_parameters()
    (512, 4096)
    """

    _esm = bundle("axial_grid")
    element = "attn-axial-grid"
    names = ("rows", "columns", "position", "column_major", "d_model")
    answer_names = ("rows", "columns")

    rows = field(fields.count, 4)
    columns = field(fields.count, 16)
    position = field(fields.count, 21)
    column_major = field(fields.flag, False)
    d_model = field(fields.count, 64)

    def check(self) -> None:
        """Raise ValueError unless tables, position and width are in range."""
        if not 1 <= self.rows <= 16 or not 1 <= self.columns <= 16:
            sizes = f"{self.rows} and {self.columns} rows"
            raise ValueError(f"tables of {sizes}; expected 1 to 16 each")
        if self.position >= self.rows * self.columns:
            count = self.rows * self.columns
            raise ValueError(f"position is {self.position}; expected 0 to {count - 1}")
        if self.d_model % 2 or self.d_model == 0:
            raise ValueError(f"d_model is {self.d_model}; expected an even number, 2 or more")

    def table_rows(self) -> list[tuple[int, int]]:
        """Return the row of the first and of the second table for each position."""
        order: Order = "column_major" if self.column_major else "row_major"
        first, second = axial_indices((self.rows, self.columns), order, None)
        return [(int(a), int(b)) for a, b in zip(first, second, strict=True)]

    def num_parameters(self) -> tuple[int, int]:
        """Return how many numbers two tables hold, and how many one table would."""
        half = self.d_model // 2
        two = attn.AxialPositions(shape=(self.rows, self.columns), dims=(half, half), rng=0)
        return two.num_parameters, self.rows * self.columns * self.d_model

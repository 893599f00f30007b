"""Axial positions: a grid of positions made of the rows of two small tables."""

from __future__ import annotations

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
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
    """

    rows = field(fields.whole(1, 16), 4)
    columns = field(fields.whole(1, 16), 16)
    position = field(fields.count, 21)
    column_major = field(fields.flag, False)
    d_model = field(fields.count, 64)

    def check(self) -> None:
        """Raise ValueError unless position and width are in range."""
        if self.position >= self.rows * self.columns:
            count = self.rows * self.columns
            raise ValueError(f"position is {self.position}; expected 0 to {count - 1}")
        if self.d_model % 2 or self.d_model == 0:
            raise ValueError(f"d_model is {self.d_model}; expected an even number, 2 or more")

"""Make pictures of glyphs at random cells of a grid, with noise."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SIDE = 5
#: The glyphs, five pixels by five each.
BITMAPS = {
    "cross": "..#.. ..#.. ##### ..#.. ..#..",
    "square": "##### #...# #...# #...# #####",
    "ring": ".###. #...# #...# #...# .###.",
    "saltire": "#...# .#.#. ..#.. .#.#. #...#",
    "bar": ".###. .###. .###. .###. .###.",
    "wedge": "#.... ##... ###.. ####. #####",
    "arch": "##### #...# #...# #...# #...#",
    "diamond": "..#.. .#.#. #...# .#.#. ..#..",
}
NAMES = tuple(BITMAPS)
NOISE = 0.3


class Pictures(NamedTuple):
    """A batch of pictures on a grid of ``side * side`` cells, read row by row.

    Parameters
    ----------
    cells : array, shape (batch, num_cells, SIDE * SIDE)
        The pixels of each cell: ink is 1, paper 0, plus noise.
    glyphs : array of int, shape (batch, num_glyphs)
        Numbers of the glyphs in the order in which they are read.
    places : array of int, shape (batch, num_glyphs)
        The cell of each.
    """

    cells: NDArray[np.float32]
    glyphs: NDArray[np.int64]
    places: NDArray[np.int64]


def bitmaps() -> NDArray[np.float32]:
    """Return the glyphs as pixels, shape (num_names, SIDE * SIDE)."""
    rows = [list(text.replace(" ", "")) for text in BITMAPS.values()]
    return (np.array(rows) == "#").astype(np.float32)


def draw(
    rng: np.random.Generator, batch: int, num_glyphs: int, side: int = 4, noise: float = NOISE
) -> Pictures:
    """Return random pictures; no glyph occurs twice in the same picture."""
    shuffled = rng.permuted(np.tile(np.arange(side * side), (batch, 1)), axis=1)
    places = np.sort(shuffled[:, :num_glyphs], axis=1)
    glyphs = rng.permuted(np.tile(np.arange(len(NAMES)), (batch, 1)), axis=1)[:, :num_glyphs]
    cells = rng.normal(scale=noise, size=(batch, side * side, SIDE * SIDE)).astype(np.float32)
    cells[np.arange(batch)[:, None], places] += bitmaps()[glyphs]
    return Pictures(cells, glyphs, places)


def there(pictures: Pictures) -> NDArray[np.float32]:
    """Return 1 for each glyph that a picture has, else 0: (batch, num_names)."""
    found = np.zeros((len(pictures.cells), len(NAMES)), dtype=np.float32)
    np.put_along_axis(found, pictures.glyphs, 1, axis=1)
    return found


def picture(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return one picture, shape (num_cells, SIDE * SIDE), as an image: (height, width).

    Examples
    --------
    >>> drawn = draw(np.random.default_rng(0), 1, num_glyphs=3)
    >>> picture(drawn.cells[0]).shape
    (20, 20)
    """
    side = round(len(cells) ** 0.5)
    grid = cells.reshape(side, side, SIDE, SIDE)
    return grid.transpose(0, 2, 1, 3).reshape(side * SIDE, side * SIDE)

"""Tiles of scores: how many bytes they move, and how much of the chip they need."""

from __future__ import annotations

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable, bundle
from attnlab.explorables.fields import field

_WIDTH = 64  # numbers in a query, a key and a value
_BYTES = 2  # float16


class Tiles(Explorable):
    """Exact attention of one head, 64 wide in float16: all scores at once, or tile by tile.

    Counted is what moves between the large memory and the chip. With all scores, each is written,
    read for the softmax, written as a weight and read again. With tiles, keys and values are read
    once for every block of queries, and no score leaves the chip.

    Parameters
    ----------
    num_tokens
        A power of two from 512 to 65,536.
    tile
        Queries and keys in a tile, a power of two from 16 to 1024.
    chip_kib
        Memory on the chip in KiB, a multiple of 20 up to 240.
    task, answers
        As in every explorable; the default answer is ``["tile"]``.

    Raises
    ------
    ValueError
        If one of the three is out of range.

    Examples
    --------
    >>> shown = Tiles(tile=128, chip_kib=100)
    >>> shown.fits(), shown.on_chip()
    (True, 98816)
    """

    _esm = bundle("tiles")
    element = "attn-tiles"
    names = ("num_tokens", "tile", "chip_kib")
    answer_names = ("tile",)

    num_tokens = field(fields.count, 4096)
    tile = field(fields.count, 16)
    chip_kib = field(fields.count, 100)

    def check(self) -> None:
        """Raise ValueError unless the sizes are among those of the sliders."""
        for name, low, high in (("num_tokens", 9, 16), ("tile", 4, 10)):
            value = getattr(self, name)
            if value not in [2**power for power in range(low, high + 1)]:
                sizes = f"a power of two from {2**low} to {2**high}"
                raise ValueError(f"{name} is {value}; expected {sizes}")
        if self.chip_kib not in range(20, 241, 20):
            raise ValueError(f"chip_kib is {self.chip_kib}; expected 20, 40 … 240")

    def moved_by_all(self) -> int:
        """Return the bytes read and written with all scores at once."""
        return _BYTES * (4 * self.num_tokens * _WIDTH + 4 * self.num_tokens**2)

    def moved_by_tiles(self) -> int:
        """Return the bytes read and written tile by tile."""
        blocks = -(-self.num_tokens // self.tile)
        return _BYTES * 2 * self.num_tokens * _WIDTH * (1 + blocks)

    def on_chip(self) -> int:
        """Return the bytes on the chip: four blocks, their scores, and two numbers a query."""
        return _BYTES * (4 * self.tile * _WIDTH + self.tile**2 + 2 * self.tile)

    def fits(self) -> bool:
        """Return whether a tile fits on the chip."""
        return self.on_chip() <= self.chip_kib * 1024

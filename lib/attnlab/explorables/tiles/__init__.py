"""Tiles of scores: how many bytes they move, and how much of the chip they need."""

from __future__ import annotations

from attnlab.explorables import fields
from attnlab.explorables.base import Explorable
from attnlab.explorables.fields import field


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
    """

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

"""One head with 4096 tokens, 64 numbers wide, in `float16`. The chip has 100 KiB. A tile of `tile`
queries by `tile` keys must fit there: the blocks of queries, keys, values and outputs, the scores,
and $m$ and $l$ of each query, at 2 bytes a number. Keys and values are read once for each block of
queries. Which `tile`, a power of two, moves the **fewest bytes**?

Press *Use as answer* when you have found it, or write the number yourself.
"""

from coursekit import as_array, check, exercise, expect

exercise(
    title="The best tile for this chip",
    explorable="Tiles",
    binds={"tile": "tile"},
    hints=[
        "What happens to the number of blocks of queries, and so to the times that all keys are "
        "read, when a tile gets larger?",
        "Larger tiles move fewer bytes, until they no longer fit. A tile needs $2 \\cdot (4 \\cdot "
        "64 \\cdot t + t^2 + 2t)$ bytes.",
        "100 KiB are 102,400 bytes. A tile of 64 needs 41,216.",
    ],
)

# The line that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: tile = 16
tile = 128
# END SOLUTION


MISTAKES = r"""
does-not-fit: `128` → `256` or `1024`
    This tile does not fit into 100 KiB, so its scores would have to leave the chip.
too-small: `128` → `16` or `64`
    This tile fits, but leaves room on the chip: a larger one would read the keys and values less
    often.
not-a-power: `128` → `130` or `98816`
    tile is a power of two from 16 to 1024.
"""


@check(points=1)
def fewest_bytes_that_fit(tile):
    """The tile fits and moves the fewest bytes"""
    seen = as_array(tile, "tile")
    powers = [2**power for power in range(4, 11)]
    message = f"tile is {tile!r}; expected one of {', '.join(map(str, powers))}."
    expect(seen.shape == () and float(seen) in powers, message, "not-a-power")
    side = int(seen)
    needed = 2 * (4 * 64 * side + side**2 + 2 * side)
    message = f"A tile of {side} needs {needed:,} bytes; the chip has 102,400."
    expect(needed <= 100 * 1024, message, "does-not-fit")
    reads = 4096 // side
    message = f"With a tile of {side}, keys and values are read {reads} times; fewer are possible."
    expect(side == 128, message, "too-small")


ALSO_RIGHT = {
    "as a float": "tile = 128.0",
    "computed": """
        tile = max(t for t in (64, 128, 256) if 2 * (256 * t + t * t + 2 * t) <= 102400)
    """,
}

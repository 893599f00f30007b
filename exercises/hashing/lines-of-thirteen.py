"""A poem has lines of 13 syllables, with a token for each. What a position says about its place in
the line, such as that a rhyme is due, should be learned once for all lines. So positions are
numbered *line by line*, and a position and the one 13 later should share their row of the
**second** table. Positions are 64 numbers wide, 32 from each table. Choose how many rows each table
has, from 1 to 16, so that there are **at least 150 positions** and **at most 800 numbers** are
learned. Press a position in the figure: the grey ones share one of its two rows. Then press *Use as
answer*, or write the two numbers yourself.
"""

from attn import AxialPositions
from attn.axial import axial_indices
from coursekit import check, exercise, expect, expect_integer

exercise(
    title="Two tables for lines of 13 tokens",
    explorable="AxialGrid",
    binds={"rows": "rows", "columns": "columns"},
    hints=[
        "Line by line, position $j$ takes row $j \\bmod l_2$ of the second table, which has $l_2$ "
        "rows. When do $j$ and $j + 13$ take the same one?",
        "Only $l_2 = 13$ and $l_2 = 1$ divide 13. How many positions can one column have?",
        "Both tables together learn 32 numbers a row. How many rows are 800 numbers?",
    ],
)

# The lines that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: rows = 4
# STARTER: columns = 16
rows = 12
columns = 13
# END SOLUTION


MISTAKES = r"""
transposed: `rows = 12` → `rows = 13`, `columns = 13` → `columns = 12`
    The tables are exchanged. Line by line, the row of the second table changes from token to token,
    so it is the second that needs a row for each place in a line.
other-lines: `12` → `4`, `13` → `16`
or `13` → `12`
    The second table has a row for each token of a line. With this number, 13 tokens later is not
    the same place in a line.
too-few: `12` → `11`
or `12` → `16`, `13` → `1`
or `12` → `1`, `13` → `12`
    There are not enough positions. Each row of the first table is another line.
too-many: `12` → `16` or `13`
    This learns more than 800 numbers. Each row of either table costs 32.
not-counts: `12` → `0` or `11.5` or `[12]`
    rows and columns are whole numbers from 1 to 16.
"""


def _shares_second(rows, columns):
    """Return whether every position shares its row of the second table with the one 13 later."""
    second = axial_indices((rows, columns), "row_major", None)[1]
    return bool((second[13:] == second[:-13]).all())


@check(points=2, success_message="12 lines of 13 tokens: 156 positions, 25 rows, 800 numbers.")
def lines_fit(rows, columns):
    """150 positions of lines of 13 tokens, in 800 numbers"""
    shape = (
        expect_integer(rows, 1, 16, what="rows", misconception="not-counts"),
        expect_integer(columns, 1, 16, what="columns", misconception="not-counts"),
    )
    positions = shape[0] * shape[1]
    learned = AxialPositions(shape=shape, dims=(32, 32), rng=0).num_parameters
    if positions > 13 and not _shares_second(*shape):
        message = f"With {shape[1]} rows in the second table, positions 0 and 13 do not share one."
        expect(False, message, "transposed" if shape[0] == 13 else "other-lines")
    seen = f"There are {positions} positions and {learned} numbers"
    expect(positions >= 150, f"{seen}; expected at least 150 positions.", "too-few")
    expect(learned <= 800, f"{seen}; expected at most 800 numbers.", "too-many")


ALSO_RIGHT = {
    "as floats": "rows = 12.0\ncolumns = 13.0",
    "computed": """
        columns = 13
        rows = -(-150 // columns)
    """,
}

"""The position of a token consists of a row of `first`, shape $(l_1, d_1)$, followed by a row of
`second`, shape $(l_2, d_2)$. That makes $l_1 l_2$ positions, $d_1 + d_2$ wide. Which token gets
which pair of rows? There are two ways, as there are two ways to number the cells of a grid:

- `order="row_major"`: token $j$ gets rows $j \\div l_2$ and $j \\bmod l_2$, line by line. The
  second table changes from token to token, the first from line to line.
- `order="column_major"`: token $j$ gets rows $j \\bmod l_1$ and $j \\div l_1$. The first table
  changes from token to token.

($\\div$ is integer division, `//`.) Write `axial_positions`, which returns the positions of all
$l_1 l_2$ tokens, one row each, and leaves its arguments as they are; and `num_parameters`, which
returns how many numbers both tables hold together.
"""

import numpy as np

from attn import AxialPositions
from coursekit import as_array, call_keeping_inputs, check, exercise, expect, expect_close, mistake

exercise(
    id="axial-positions",
    chapter="hashing",
    title="Two tables for many positions",
    version=2,
    withhold=["attn.AxialPositions", "attn.axial.axial_indices"],
    hints=[
        "Write down the pairs of rows for $l_1 = 2$, $l_2 = 3$ and the six tokens, once in each "
        "order.",
        "`np.arange(l1 * l2) // l2` and `np.arange(l1 * l2) % l2` are the two columns of your list "
        "for row-major order.",
        "`first[rows]` takes rows of a table; `np.concatenate([…, …], axis=-1)` puts two parts "
        "side by side.",
    ],
)


def axial_positions(first, second, order="row_major"):
    """Return the positions of all tokens, shape (l1 * l2, d1 + d2).

    first: (l1, d1)   second: (l2, d2)
    order: "row_major" or "column_major"
    """
    # BEGIN SOLUTION
    l1, l2 = len(first), len(second)
    tokens = np.arange(l1 * l2)
    rows = tokens // l2, tokens % l2
    if order == "column_major":
        rows = tokens % l1, tokens // l1
    return np.concatenate([first[rows[0]], second[rows[1]]], axis=-1)
    # END SOLUTION


def num_parameters(l1, d1, l2, d2):
    """Return how many numbers the two tables hold together."""
    # BEGIN SOLUTION
    return l1 * d1 + l2 * d2
    # END SOLUTION


ORDERS = ("row_major", "column_major")


def _tables(rng, shape, dims):
    return [rng.normal(size=size) for size in zip(shape, dims, strict=True)]


def _right(first, second, order):
    made = AxialPositions((len(first), len(second)), (first.shape[1], second.shape[1]), order, 0)
    made.tables = [first, second]
    return made()


def _positions(axial_positions, first, second, order):
    """Return what the answer gives, which holds fractions as the tables do."""
    what = f'axial_positions(first, second, "{order}")'
    seen = as_array(call_keeping_inputs(axial_positions, first, second, order), what)
    message = f"{what} holds whole numbers ({seen.dtype}); those of the tables are fractions."
    expect(seen.dtype.kind not in "iu", message, "whole-numbers")
    return seen


def _expect_positions(axial_positions, first, second, order):
    seen = _positions(axial_positions, first, second, order)
    what = f'axial_positions(first, second, "{order}")'
    expect_close(seen, _right(first, second, order), what=what)


def _expect_number(num_parameters, right, *sizes):
    expect_close(num_parameters(*sizes), right, what=f"num_parameters{sizes}")


@check(points=2, success_message="The second table changes from token to token.")
def row_major(axial_positions):
    """Line by line: 3 lines of 5 tokens, with equal widths and with different ones"""
    for dims in ((4, 4), (2, 7)):
        first, second = _tables(np.random.default_rng(0), (3, 5), dims)
        _expect_positions(axial_positions, first, second, "row_major")


@check(points=2, success_message="The first table changes from token to token.")
def column_major(axial_positions):
    """Column by column: the same sizes"""
    for dims in ((4, 4), (2, 7)):
        first, second = _tables(np.random.default_rng(0), (3, 5), dims)
        given = [_positions(axial_positions, first, second, o) for o in ORDERS]
        is_same = given[0].shape == (15, sum(dims)) and np.array_equal(*given)
        expect(not is_same, "Both orders gave the same positions.", "order-ignored")
        _expect_positions(axial_positions, first, second, "column_major")


@check(points=1, success_message="Each pair of rows occurs once.")
def all_rows_differ(axial_positions):
    """No two of the 128 tokens share a position in either order; doubled tables double positions"""
    first, second = _tables(np.random.default_rng(1), (8, 16), (24, 40))
    for order in ORDERS:
        seen = _positions(axial_positions, first, second, order)
        expect(seen.shape == (128, 64), f"The shape is {seen.shape}; expected (128, 64).")
        distinct = len(np.unique(seen, axis=0))
        expect(distinct == 128, f"{order}: {distinct} different positions of 128.", "repeated")
        doubled = call_keeping_inputs(axial_positions, 2 * first, 2 * second, order)
        what = "the array of positions from both tables, doubled,"
        expect_close(doubled, 2 * seen, what=what)


@check(points=1, success_message="l1 · d1 + l2 · d2: a small part of the full table.")
def parameters(num_parameters):
    """832 numbers for 128 positions that are 64 wide"""
    for right, *sizes in ((832, 8, 24, 16, 40), (41, 3, 2, 5, 7)):
        _expect_number(num_parameters, right, *sizes)


@check(points=1, hidden=True)
def other_sizes(axial_positions, num_parameters, rng):
    """Other shapes, a single line and a single column among them"""
    for shape, dims in (((4, 9), (1, 6)), ((1, 7), (3, 2)), ((7, 1), (5, 1)), ((11, 2), (3, 3))):
        first, second = _tables(rng, shape, dims)
        for order in ORDERS:
            _expect_positions(axial_positions, first, second, order)
        right = first.size + second.size
        _expect_number(num_parameters, right, shape[0], dims[0], shape[1], dims[1])


_LINES, _COLUMNS = "rows = tokens // l2, tokens % l2", "rows = tokens % l1, tokens // l1"
_PARTS, _NUMBER = "np.concatenate([first[rows[0]], second[rows[1]]], axis=-1)", "l1 * d1 + l2 * d2"
_SWAPPED = (("l1", "l2"), ("l2", "l1"))

mistake(
    "other-order",
    "These are the positions in the other order. In row-major order, the *second* table changes "
    "from token to token; in column-major order, the first one does.",
    {'if order == "column_major"': 'if order == "row_major"'},
)
mistake(
    "order-ignored",
    "Both orders give the same positions here, so `order` has no effect.",
    {'if order == "column_major"': "if False"},
)
mistake(
    "other-order-reversed",
    "This is the other order read backwards. The two orders number the same grid line by line "
    "and column by column; both begin with row 0 of each table.",
    {_COLUMNS: "rows = rows[0][::-1], rows[1][::-1]"},
    {"np.arange(l1 * l2)": "np.arange(l1 * l2)[::-1]", '== "column_major"': '== "row_major"'},
)
mistake(
    "wrong-length",
    "One table's length was used in place of the other's. In row-major order, a line has l2 "
    "tokens; in column-major order, a column has l1. Use that length twice, for the division and "
    "for the remainder.",
    *(
        {_LINES: f"rows = tokens // {a} % l1, tokens % {b} % l2"}
        for a, b in (*_SWAPPED, ("l1", "l1"))
    ),
    *(
        {_COLUMNS: f"rows = tokens % {a} % l1, tokens // {b} % l2"}
        for a, b in (*_SWAPPED, ("l2", "l2"))
    ),
)
mistake(
    "folded-wrongly",
    "These are the row-major positions, folded into a grid of l2 by l1 that was then "
    "transposed. They fill l1 lines of l2 tokens: fold them into a grid of l1 by l2.",
    {_COLUMNS: "rows = [part.reshape(l2, l1).T.ravel() for part in rows]"},
)
mistake(
    "two-remainders",
    "Both rows were computed as a remainder, so some tokens share a position. One of the two rows "
    "needs the integer division.",
    {"tokens // l2": "tokens % l1", "tokens // l1": "tokens % l2"},
)
mistake(
    "tables-exchanged",
    "Here the part from the second table comes first. In both orders, the row of `first` comes "
    "first.",
    {"[first[rows[0]], second[rows[1]]]": "[second[rows[1]], first[rows[0]]]"},
)
mistake(
    "added",
    "The two rows were added. Put them side by side; the tables may have different widths.",
    {_PARTS: "first[rows[0]] + second[rows[1]]"},
)
mistake(
    "multiplied",
    "The two rows were multiplied. Put them side by side; the tables may have different widths.",
    {_PARTS: "first[rows[0]] * second[rows[1]]"},
)
mistake(
    "interleaved",
    "The numbers of the two rows alternate. Put all numbers of the first row first, then all of "
    "the second.",
    {_PARTS: "np.stack([first[rows[0]], second[rows[1]]], axis=-1).reshape(l1 * l2, -1)"},
)
mistake(
    "whole-numbers",
    "The positions are stored as whole numbers, which cuts off everything after the decimal point. "
    "Use an array of floats.",
    {_PARTS: f"{_PARTS}.astype(int)"},
)
mistake(
    "number-of-positions",
    "That is the number of positions. The question is how many numbers the two tables hold.",
    {_NUMBER: "l1 * l2"},
)
mistake(
    "sizes-added",
    "That is the sum of the four sizes. A table of l rows and d columns holds l · d numbers.",
    {_NUMBER: "l1 + d1 + l2 + d2"},
)
mistake(
    "tables-stacked",
    "The tables were put one below the other. Each token needs a row of *both*, side by side.",
    {_PARTS: "np.concatenate([first, second])"},
)
mistake(
    "repeated",
    "Some positions are the same. Each of the l1 · l2 tokens should get a pair of rows that no "
    "other token has.",
    {"tokens // l2": "tokens // l2 // 2"},
)
mistake(
    "full-table",
    "That is how many numbers all positions hold together. Only those in the two tables are "
    "learned.",
    {_NUMBER: "l1 * l2 * (d1 + d2)"},
)
mistake(
    "product",
    "The tables are separate, so their sizes are added, not multiplied.",
    {_NUMBER: "l1 * d1 * l2 * d2"},
)
mistake(
    "crossed",
    "The widths are swapped: the first table has l1 rows of d1 numbers, the second has l2 rows of "
    "d2.",
    {_NUMBER: "l1 * d2 + l2 * d1"},
)
mistake(
    "all-widths",
    "That counts rows of width d1 + d2. Each table is only as wide as its own part.",
    {_NUMBER: "(l1 + l2) * (d1 + d2)"},
)
mistake("one-table", "That is one of the two tables.", {_NUMBER: "l1 * d1"}, {_NUMBER: "l2 * d2"})

ALSO_RIGHT = {
    "a grid": """
        def axial_positions(first, second, order="row_major"):
            l1, l2 = len(first), len(second)
            one = np.broadcast_to(first[:, None], (l1, l2, first.shape[1]))
            two = np.broadcast_to(second[None], (l1, l2, second.shape[1]))
            grid = np.concatenate([one, two], axis=-1)
            if order == "column_major":
                grid = grid.swapaxes(0, 1)
            return grid.reshape(l1 * l2, -1)

        def num_parameters(l1, d1, l2, d2):
            return d1 * l1 + d2 * l2
    """,
    "repeat and tile": """
        def axial_positions(first, second, order="row_major"):
            if order == "row_major":
                parts = np.repeat(first, len(second), axis=0), np.tile(second, (len(first), 1))
            else:
                parts = np.tile(first, (len(second), 1)), np.repeat(second, len(first), axis=0)
            return np.hstack(parts)

        def num_parameters(l1, d1, l2, d2):
            return sum(length * width for length, width in ((l1, d1), (l2, d2)))
    """,
}

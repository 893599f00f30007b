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
from coursekit import as_array, call_keeping_inputs, check, exercise, expect, expect_close

exercise(
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


MISTAKES = r"""
other-order: `order == "column_major"` → `order == "row_major"`
    These are the positions in the other order. In row-major order the *second* table changes from
    token to token, in column-major order the first.
order-ignored: (also other-order) `order == "column_major"` → `False`
    Both orders give the same positions here, so `order` has no effect.
other-order-reversed: `tokens % l1, tokens // l1` → `rows[0][::-1], rows[1][::-1]`
    This is the other order read backwards. The two orders number the same grid line by line and
    column by column; both begin with row 0 of each table.
wrong-length: (also repeated) `tokens // l2` → `tokens // l1 % l1`
or (also repeated) `tokens // l1` → `tokens // l2 % l2`
    A length was swapped with the other table's. In row-major order a line has l2 tokens, in
    column-major order a column has l1: use that length twice, for the division and for the
    remainder.
folded-wrongly: `tokens % l1, tokens // l1` → `[row.reshape(l2, l1).T.ravel() for row in rows]`
    These are the row-major positions, folded into a grid of l2 by l1 that was then transposed. They
    fill l1 lines of l2 tokens: fold them into a grid of l1 by l2.
two-remainders: (also repeated, order-ignored) `tokens // l2` → `tokens % l1`,
  `tokens // l1` → `tokens % l2`
    Both rows were taken by a remainder, so some tokens share a position. One of the two rows needs
    the integer division.
repeated: `np.arange(l1 * l2)` → `np.arange(l1 * l2) // 2`
    Some positions are the same. Each of the l1 · l2 tokens should get a pair of rows that no other
    token has.
tables-exchanged: `[first[rows[0]], second[rows[1]]]` → `[second[rows[1]], first[rows[0]]]`
    Here the part from the second table comes first. In both orders the row of `first` comes first.
added: `np.concatenate([first[rows[0]], second[rows[1]]], axis=-1)` →
  `first[rows[0]] + second[rows[1]]`
    The two rows were added. They stand side by side, so the tables may have different widths.
multiplied: `np.concatenate([first[rows[0]], second[rows[1]]], axis=-1)` →
  `first[rows[0]] * second[rows[1]]`
    The two rows were multiplied. They stand side by side, so the tables may have different widths.
interleaved: `np.concatenate([first[rows[0]], second[rows[1]]], axis=-1)` →
  `np.stack([first[rows[0]], second[rows[1]]], axis=-1).reshape(l1 * l2, -1)`
    The numbers of the two rows alternate. All of the first row come first, then all of the second.
whole-numbers: `axis=-1)` → `axis=-1).astype(int)`
    The positions are stored as whole numbers, which cuts off everything after the decimal point.
    Make an array of floats for them.
number-of-positions: `l1 * d1 + l2 * d2` → `l1 * l2`
    That is the number of positions. The question is how many numbers the two tables hold.
sizes-added: `l1 * d1 + l2 * d2` → `l1 + d1 + l2 + d2`
    That is the sum of the four sizes. A table of l rows and d columns holds l · d numbers.
tables-stacked: `np.concatenate([first[rows[0]], second[rows[1]]], axis=-1)` →
  `np.concatenate([first, np.resize(second, (l2, first.shape[1]))])`
    The tables stand one below the other. Each token needs a row of *both*, side by side.
full-table: `l1 * d1 + l2 * d2` → `l1 * l2 * (d1 + d2)`
    That is how many numbers all positions hold together. Only those in the two tables are learned.
product: `l1 * d1 + l2 * d2` → `l1 * d1 * l2 * d2`
    The tables are separate, so their sizes are added, not multiplied.
crossed: `l1 * d1 + l2 * d2` → `l1 * d2 + l2 * d1`
    The widths are exchanged: the first table has l1 rows of d1 numbers, the second l2 rows of d2.
all-widths: `l1 * d1 + l2 * d2` → `(l1 + l2) * (d1 + d2)`
    That counts rows of width d1 + d2. Each table is only as wide as its own part.
one-table: ` + l2 * d2` → ``
    That is one of the two tables.
"""


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
    expect_close(
        seen, _right(first, second, order), what=f'axial_positions(first, second, "{order}")'
    )


def _expect_number(num_parameters, right, l1, d1, l2, d2):
    what = f"num_parameters({l1}, {d1}, {l2}, {d2})"
    seen = as_array(num_parameters(l1, d1, l2, d2), what)
    expect_close(seen, right, what=what)


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
        if given[0].shape == (15, sum(dims)):
            is_same = np.array_equal(*given)
            expect(not is_same, "Both orders gave the same positions.", "order-ignored")
        _expect_positions(axial_positions, first, second, "column_major")


@check(points=1, success_message="Each pair of rows occurs once.")
def all_rows_differ(axial_positions):
    """No two of the 128 tokens share a position, in either order; twice the tables, twice as far"""
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

"""The position of a token is made of a row of `first`, shape $(l_1, d_1)$, and a row of `second`,
shape $(l_2, d_2)$, side by side. That makes $l_1 l_2$ positions. Which token gets which pair of
rows? There are two ways, as there are two ways to number the cells of a grid:

- `order="row_major"`: token $j$ gets rows $j \\div l_2$ and $j \\bmod l_2$, line by line. The
  second table changes from token to token, the first from line to line.
- `order="column_major"`: token $j$ gets rows $j \\bmod l_1$ and $j \\div l_1$.

($\\div$ is division without remainder, `//`.) Write `axial_positions`, which returns the positions
of all $l_1 l_2$ tokens, and `num_parameters`, which counts the numbers in both tables.
"""

import numpy as np

from attn import AxialPositions
from coursekit import as_array, check, exercise, expect, expect_shape, wrong

exercise(
    id="axial-positions",
    chapter="hashing",
    title="Two tables for many positions",
    withhold=["attn.AxialPositions", "attn.axial.axial_indices"],
    hints=[
        "Write down the pairs of rows for $l_1 = 2$, $l_2 = 3$ and the six tokens, once in each "
        "order.",
        "`np.arange(l1 * l2) // l2` and `np.arange(l1 * l2) % l2` are the two columns of your "
        "list.",
        "`first[rows]` takes the rows of a table; `np.concatenate([…, …], axis=-1)` puts two parts "
        "side by side.",
    ],
    misconceptions={
        "orders-exchanged": "The two orders are exchanged. In row-major order the *second* table "
        "changes from token to token.",
        "order-ignored": "Both orders give the same here.",
        "wrong-length": "You divided by the length of the other table. In row-major order a line "
        "has l2 tokens, in column-major order a column has l1.",
        "tables-exchanged": "The part of the second table stands first. The first table's comes "
        "first, in both orders.",
        "added": "The two rows stand side by side; they are not added. So the tables may have "
        "different widths.",
        "repeated": "Some positions are the same. Each of the l1 · l2 tokens should get a pair of "
        "rows that no other has.",
        "full-table": "That is how many numbers the positions have. Learned are only those in the "
        "two tables.",
        "product": "The tables stand beside each other, so their numbers are added.",
        "crossed": "The first table has l1 rows of d1 numbers, the second l2 rows of d2.",
    },
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


def _expect_positions(axial_positions, first, second, order):
    l1, l2, tokens = len(first), len(second), np.arange(len(first) * len(second))
    what = f'axial_positions(first, second, "{order}")'
    seen = expect_shape(
        axial_positions(first.copy(), second.copy(), order),
        (l1 * l2, first.shape[1] + second.shape[1]),
        what=what,
        mistakes={"added": (l1 * l2, first.shape[1]), "repeated": (l1 + l2, first.shape[1])},
    )
    right, other = (_right(first, second, name) for name in (order, *set(ORDERS) - {order}))
    width = first.shape[1]
    by_wrong = (
        (tokens // l1 % l1, tokens % l2) if order == ORDERS[0] else (tokens % l1, tokens // l2 % l2)
    )
    mistakes = {
        "orders-exchanged": other,
        "tables-exchanged": np.concatenate([right[:, width:], right[:, :width]], axis=-1),
        "wrong-length": np.concatenate([first[by_wrong[0]], second[by_wrong[1]]], axis=-1),
    }
    if not np.allclose(seen, right):
        known = next((name for name, one in mistakes.items() if np.allclose(seen, one)), None)
        if known is None and len(np.unique(seen.round(9), axis=0)) < l1 * l2:
            known = "repeated"
        token = int((~np.isclose(seen, right)).any(axis=1).argmax())
        expect(False, f"{what}: the position of token {token} is another one.", known)


@check(points=2)
def row_major(axial_positions):
    """Line by line: 3 lines of 5 tokens"""
    first, second = _tables(np.random.default_rng(0), (3, 5), (2, 7))
    _expect_positions(axial_positions, first, second, "row_major")


@check(points=2)
def column_major(axial_positions):
    """Column by column, with the same tables"""
    first, second = _tables(np.random.default_rng(0), (3, 5), (2, 7))
    given = [axial_positions(first.copy(), second.copy(), order) for order in ORDERS]
    same = np.array_equal(as_array(given[0]), as_array(given[1]))
    expect(not same, "Both orders gave the same positions.", "order-ignored")
    _expect_positions(axial_positions, first, second, "column_major")


@check(points=1)
def all_rows_differ(axial_positions):
    """No two of the 128 tokens share a position, in either order"""
    first, second = _tables(np.random.default_rng(1), (8, 16), (24, 40))
    for order in ORDERS:
        seen = as_array(axial_positions(first.copy(), second.copy(), order))
        expect(seen.shape == (128, 64), f"The shape is {seen.shape}; expected (128, 64).")
        distinct = len(np.unique(seen, axis=0))
        expect(distinct == 128, f"{order}: {distinct} different positions of 128.", "repeated")


@check(points=1)
def parameters(num_parameters):
    """832 numbers for 128 positions that are 64 wide"""
    for (l1, d1, l2, d2), right in (((8, 24, 16, 40), 832), ((3, 2, 5, 7), 41)):
        seen = as_array(num_parameters(l1, d1, l2, d2))
        mistakes = {
            "full-table": l1 * l2 * (d1 + d2),
            "product": l1 * d1 * l2 * d2,
            "crossed": l1 * d2 + l2 * d1,
        }
        known = (name for name, value in mistakes.items() if seen.ndim == 0 and seen == value)
        says = f"num_parameters({l1}, {d1}, {l2}, {d2}) is {seen}; expected {right}."
        expect(seen.ndim == 0 and seen == right, says, next(known, None))


@check(points=1, hidden=True)
def other_sizes(axial_positions, num_parameters, rng):
    """Other shapes, a single line and a single column among them"""
    for shape, dims in (((1, 7), (3, 2)), ((7, 1), (5, 1)), ((11, 2), (3, 3)), ((4, 9), (1, 6))):
        first, second = _tables(rng, shape, dims)
        for order in ORDERS:
            _expect_positions(axial_positions, first, second, order)
        right = first.size + second.size
        expect(num_parameters(shape[0], dims[0], shape[1], dims[1]) == right, "Wrong number.")


WRONG = {
    "the orders exchanged": wrong(
        replace={'if order == "column_major"': 'if order == "row_major"'},
        rejected_by=["row_major", "column_major"],
        misconception="orders-exchanged",
    ),
    "always line by line": wrong(
        replace={'if order == "column_major"': "if False"},
        rejected_by=["column_major"],
        misconception="order-ignored",
    ),
    "the length of the other table": wrong(
        replace={"rows = tokens // l2, tokens % l2": "rows = tokens // l1 % l1, tokens % l2"},
        rejected_by=["row_major"],
        misconception="wrong-length",
    ),
    "divided by the wrong length in columns": wrong(
        replace={"rows = tokens % l1, tokens // l1": "rows = tokens % l1, tokens // l2 % l2"},
        rejected_by=["column_major"],
        misconception="wrong-length",
    ),
    "the second table first": wrong(
        replace={"[first[rows[0]], second[rows[1]]]": "[second[rows[1]], first[rows[0]]]"},
        rejected_by=["row_major", "column_major"],
        misconception="tables-exchanged",
    ),
    "both by the remainder": wrong(
        replace={
            "rows = tokens // l2, tokens % l2": "rows = tokens % l1, tokens % l2",
            "rows = tokens % l1, tokens // l1": "rows = tokens % l1, tokens % l1 % l2",
        },
        rejected_by=["column_major", "all_rows_differ"],
        misconception="repeated",
    ),
    "one table after the other": wrong(
        """
        def axial_positions(first, second, order="row_major"):
            width = first.shape[1]
            return np.concatenate([first, np.resize(second, (len(second), width))])

        def num_parameters(l1, d1, l2, d2):
            return l1 * d1 + l2 * d2
        """,
        rejected_by=["row_major"],
        misconception="repeated",
    ),
    "added": wrong(
        """
        def axial_positions(first, second, order="row_major"):
            width = first.shape[1]
            tokens = np.arange(len(first) * len(second))
            lines, places = tokens // len(second), tokens % len(second)
            return first[lines] + second[places][:, :width]

        def num_parameters(l1, d1, l2, d2):
            return l1 * d1 + l2 * d2
        """,
        rejected_by=["row_major"],
        misconception="added",
    ),
    "counts the full table": wrong(
        replace={"return l1 * d1 + l2 * d2": "return l1 * l2 * (d1 + d2)"},
        rejected_by=["parameters"],
        misconception="full-table",
    ),
    "multiplies": wrong(
        replace={"return l1 * d1 + l2 * d2": "return l1 * d1 * l2 * d2"},
        rejected_by=["parameters"],
        misconception="product",
    ),
    "rows with the other width": wrong(
        replace={"return l1 * d1 + l2 * d2": "return l1 * d2 + l2 * d1"},
        rejected_by=["parameters"],
        misconception="crossed",
    ),
}

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

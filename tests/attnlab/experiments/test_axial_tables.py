"""Axial tables: counts by hand, and the stored result."""

import pytest

from attn import AxialPositions
from attnlab.experiments import axial


@pytest.mark.parametrize("order", ["row_major", "column_major"])
def test_rows_are_distinct_in_both_orders(order):
    assert axial.distinct_rows(AxialPositions((3, 5), (2, 7), order, rng=0)) == 1


def test_equal_rows_of_a_table_are_counted_as_equal():
    made = AxialPositions((2, 5), (2, 7), rng=0)
    made.tables[0][1] = made.tables[0][0]
    assert axial.distinct_rows(made) == 0.5


def test_quick_run_counts_what_can_be_counted_by_hand():
    result = axial.run(seeds=(0,), quick=True)
    assert result["two tables"].at(128) == 8 * 24 + 16 * 40
    assert result["one table"].at(128) == 128 * 64
    assert result["two tables, by the first length"].at(1) == 24 + 16384 * 40

"""Positions: sinusoidal, rotary, ALiBi and axial."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from attn import AxialPositions, alibi_bias, rotary, sinusoidal_positions


@pytest.mark.parametrize("width", [1, 6, 7])
def test_sinusoids_as_the_paper_writes_them(width: int) -> None:
    table = sinusoidal_positions(11, width)
    assert table.shape == (11, width)
    for t, feature in np.ndindex(11, width):
        angle = t / 10000 ** (2 * (feature // 2) / width)
        turn = math.sin(angle) if feature % 2 == 0 else math.cos(angle)
        assert table[t, feature] == pytest.approx(turn, abs=1e-12)


def test_no_tokens_or_features() -> None:
    assert sinusoidal_positions(0, 6).shape == (0, 6)
    assert sinusoidal_positions(6, 0).shape == (6, 0)
    assert sinusoidal_positions(2, 3, dtype=np.float32).dtype == np.float32


@pytest.mark.parametrize(
    ("layout", "pairs"),
    [("interleaved", [(0, 1), (2, 3), (4, 5)]), ("half_split", [(0, 3), (1, 4), (2, 5)])],
)
def test_rotary_turns_each_pair_by_its_angle(
    rng: np.random.Generator, layout: Any, pairs: list[tuple[int, int]]
) -> None:
    x = rng.normal(size=(2, 5, 6))
    turned = rotary(x, base=100.0, layout=layout)
    for t, (n, (first, second)) in product(range(5), enumerate(pairs)):
        number = complex(x[1, t, first], x[1, t, second])
        expected = number * np.exp(1j * t * 100.0 ** (-2 * n / 6))
        assert turned[1, t, first] == pytest.approx(expected.real)
        assert turned[1, t, second] == pytest.approx(expected.imag)


def test_rotary_positions_may_differ_between_sequences(rng: np.random.Generator) -> None:
    x = rng.normal(size=(5, 6))
    both = rotary(x, positions=[[0, 1, 2, 3, 4], [7, 8, 9, 10, 11]])
    assert both.shape == (2, 5, 6)
    np.testing.assert_array_equal(both[1], rotary(x, positions=np.arange(7, 12)))


@pytest.mark.parametrize(
    ("num_heads", "slopes"),
    [
        (1, [2**-8]),
        (8, [2**-h for h in range(1, 9)]),
        # Not a power of two: the slopes of 4 heads, then every second one of 8.
        (6, [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3]),
    ],
)
def test_alibi_slopes(num_heads: int, slopes: list[float]) -> None:
    bias = alibi_bias(num_heads, 3, 5)
    assert bias.shape == (num_heads, 3, 5)
    for h, i, j in np.ndindex(num_heads, 3, 5):
        assert bias[h, i, j] == pytest.approx(-slopes[h] * abs(i + 2 - j))


@pytest.mark.parametrize("order", ["row_major", "column_major"])
def test_axial_rows_come_from_both_tables(order: str) -> None:
    axial = AxialPositions((3, 5), (2, 7), order, rng=0)  # type: ignore[arg-type]
    table = axial()
    assert table.shape == (15, 9)
    for j in range(15):
        first, second = (j // 5, j % 5) if order == "row_major" else (j % 3, j // 3)
        np.testing.assert_array_equal(table[j, :2], axial.tables[0][first])
        np.testing.assert_array_equal(table[j, 2:], axial.tables[1][second])
    assert len(np.unique(table, axis=0)) == 15
    assert axial.num_parameters == 3 * 2 + 5 * 7
    np.testing.assert_array_equal(axial(4), table[:4])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sinusoidal_positions(-1, 4), "num_tokens is -1"),
        (lambda: rotary(np.zeros((5, 7))), r"x has shape \(5, 7\).*even"),
        (lambda: rotary(np.zeros((5, 6)), [0, 1]), r"positions has shape \(2,\).*5"),
        (lambda: alibi_bias(0, 2, 2), "num_heads is 0"),
        (lambda: AxialPositions((3, 5), (2, 7))(16), r"num_tokens is 16.*3 \* 5 = 15"),
        (lambda: AxialPositions((3, 0), (2, 7)), r"shape\[1\] is 0"),
        (lambda: AxialPositions((3, 5, 1), (2, 7)), "two integers"),  # type: ignore[arg-type]
        (lambda: AxialPositions((3, 5), (2, 7), "diagonal"), "'diagonal'"),  # type: ignore[arg-type]
    ],
)
def test_errors_say_what_was_seen(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_unknown_layout() -> None:
    message = "layout is 'neox'; expected 'interleaved' or 'half_split'"
    with pytest.raises(ValueError, match=message):
        rotary(np.zeros((2, 4)), layout="neox")  # type: ignore[arg-type]

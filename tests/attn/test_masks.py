"""Masks: True = may attend."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attn import causal_mask, global_mask, padding_mask, sliding_window_mask

counts = st.integers(0, 9)


@given(st.lists(st.integers(0, 7), max_size=5))
def test_padding_shows_as_many_keys_as_there_are_tokens(lengths: list[int]) -> None:
    mask = padding_mask(np.array(lengths, dtype=int), 7)
    assert mask.shape == (len(lengths), 1, 7)
    assert mask.sum(axis=(1, 2)).tolist() == lengths
    assert all((np.diff(row[0].astype(int)) <= 0).all() for row in mask)  # real tokens first


@given(counts, counts)
def test_causal_lets_the_last_query_see_the_last_key(num_queries: int, num_keys: int) -> None:
    mask = causal_mask(num_queries, num_keys)
    for i in range(num_queries):
        seen = max(0, num_keys - (num_queries - 1 - i))
        assert mask[i].tolist() == [True] * seen + [False] * (num_keys - seen)


@given(counts, counts, counts)
def test_window_reaches_equally_far_to_both_sides(n: int, m: int, window: int) -> None:
    mask = sliding_window_mask(n, m, window)
    assert mask.tolist() == [[abs(i + m - n - j) <= window for j in range(m)] for i in range(n)]


@given(st.integers(1, 9), st.data())
def test_global_tokens_see_and_are_seen(n: int, data: st.DataObject) -> None:
    tokens = data.draw(st.lists(st.integers(0, n - 1), unique=True))
    mask = global_mask(n, tokens)
    assert mask.tolist() == [[i in tokens or j in tokens for j in range(n)] for i in range(n)]
    marks = np.isin(np.arange(n), tokens)
    np.testing.assert_array_equal(global_mask(n, marks), mask)


def test_marks_may_differ_between_sequences() -> None:
    marks = np.array([[True, False, False], [False, False, True]])
    mask = global_mask(3, marks)
    assert mask.shape == (2, 3, 3)
    np.testing.assert_array_equal(mask[1], global_mask(3, [2]))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: padding_mask([3, 8], 7), ValueError, r"lengths are \[3, 8\].*0 to num_keys = 7"),
        (
            lambda: padding_mask([[1, 1, 0], [1, 0, 0]], 3),
            ValueError,
            r"\(2, 3\).*\(bool\)\[:, None",
        ),
        (lambda: padding_mask(3, 7), ValueError, r"lengths have shape \(\)"),
        (lambda: global_mask(4, [1, 0, 0, 0]), ValueError, r"each once.*marks\.astype\(bool\)"),
        (lambda: padding_mask([-1], 7), ValueError, r"\[-1\]"),
        (lambda: padding_mask([1.5], 7), TypeError, "float64.*integers"),
        (lambda: causal_mask(-1, 2), ValueError, "num_queries is -1"),
        (lambda: causal_mask(2.0, 2), TypeError, "num_queries is 2.0"),  # type: ignore[arg-type]
        (lambda: causal_mask(True, 2), TypeError, "num_queries is True"),
        (lambda: sliding_window_mask(2, 2, -1), ValueError, "window is -1"),
        (lambda: global_mask(5, [1, 5]), ValueError, r"\[1, 5\]; expected positions 0 to 4"),
        (lambda: global_mask(5, [[1]]), ValueError, r"shape \(1, 1\)"),
        (lambda: global_mask(5, [True, False]), ValueError, r"shape \(2,\).*5"),
        (lambda: global_mask(5, [1.0]), TypeError, "float64"),
    ],
)
def test_errors_say_what_was_seen(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()

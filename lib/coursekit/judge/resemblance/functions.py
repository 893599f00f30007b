"""Recognise numbers that are a function of the right ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from coursekit.judge.resemblance.arrays import Numbers, is_close


def of_functions(value: Numbers, right: Numbers, atol: float) -> Iterator[str]:
    """Yield which function of the right numbers these are."""
    if right.size < 2 or np.ptp(right) <= atol:
        return  # of one number, any other is a function
    pairs = {
        "They are the exponentials of what is expected.": np.exp(right),
        "They are the logarithms of what is expected.": np.log(right),
        "They are the squares of what is expected.": right**2,
        "They are the square roots of what is expected.": np.sqrt(right),
        "They are the reciprocals of what is expected.": 1 / right,
        "They are 1 minus what is expected.": 1 - right,
        "They are the absolute values of what is expected.": np.abs(right),
        "Negative numbers became 0; the others are right.": np.maximum(right, 0),
    }
    for sentence, other in pairs.items():
        if np.isfinite(other).all() and is_close(value, other, atol):
            yield sentence
    for axis in range(right.ndim):
        if right.shape[axis] > 2 and is_close(value, right.cumsum(axis), atol):
            along = "" if right.ndim == 1 else f" along axis {axis}"
            yield f"They are the running sums of what is expected{along}."


def of_sums(value: Numbers, right: Numbers) -> Iterator[str]:
    """Yield whether the numbers could be weights where others are asked for."""
    if not right.ndim or right.shape[-1] < 2 or np.isclose(right.sum(axis=-1), 1).any():
        return  # weights are what is asked for; a hidden row of them sums to 0
    if (value == value.round()).all():
        return  # whole numbers, such as those of tokens, sum to 1 by chance
    if np.allclose(value.sum(axis=-1), 1) and (value >= 0).all():
        subject = "The numbers sum" if right.ndim == 1 else "Each row sums"
        yield f"{subject} to 1, as weights do: are these the weights?"

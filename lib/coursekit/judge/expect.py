"""Compare values in checks: each comparison fails with one message that helps.

A failed expectation raises :class:`CheckFailed`. Its message says what was seen and what was
expected. Where the seen value is the one that a known mistake gives, and no other mistake gives the
same, it also carries the mistake's id: see `coursekit.bank.mistakes`. Where no mistake is known,
the message says how the value is related to the right one, if it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coursekit.judge.comparisons import compared, goes_on, mistake_in
from coursekit.judge.drawn import Drawing, drawing_of
from coursekit.judge.not_numbers import not_numbers
from coursekit.judge.numpy_only import TorchRefusedError
from coursekit.judge.resemblance import resemblance
from coursekit.judge.verdict import NOT_DEFINED

#: Longest array that a message prints in full (elements).
_PRINTED = 24


class CheckFailed(AssertionError):  # noqa: N818  (a verdict, not an error)
    """A check's verdict that an answer is wrong.

    Parameters
    ----------
    message : str, optional
        What was seen and what was expected; plain text. Left out, the check's ``failure_message``
        is used.
    misconception : str, optional
        What this very answer has been shown to reveal: the id of a mistake that the exercise
        declares, or one with an ``explanation`` of its own.
    explanation : str, optional
        The text for the learner, where the exercise has no text for it.
    credit : float
        The share of the check's points that the answer earns all the same, 0 to below 1.
    drawing : Drawing, optional
        A picture of the answer's value.
    """

    def __init__(
        self,
        message: str = "",
        misconception: str | None = None,
        explanation: str = "",
        credit: float = 0.0,
        drawing: Drawing | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.misconception = misconception
        self.explanation = explanation
        self.credit = credit
        self.drawing = drawing

    def _render_traceback_(self) -> list[str]:
        # IPython prints this in place of a traceback: a learner needs the message, not our frames.
        return [self.message]


def as_array(actual: Any, what: str = "the result", *, is_one: bool = False) -> NDArray[Any]:
    """Return ``actual`` as a numeric array, or raise `CheckFailed`.

    Torch tensors are detached. Booleans stay boolean. ``is_one`` says that one number is expected.
    """
    if actual is None:
        raise CheckFailed(
            f"{what} is None. Does the function return its result?", "returns-nothing"
        )
    if actual is Ellipsis:
        raise CheckFailed(f"{what} is still `...`: nothing is filled in yet.", "not-started")
    try:
        array = np.asarray(actual.detach().cpu() if hasattr(actual, "detach") else actual)
    except TorchRefusedError:
        raise
    except Exception:  # Ragged lists, and objects whose conversion is broken.
        array = np.asarray(None)
    if array.dtype.kind not in "bifuc":
        raise CheckFailed(f"{what} is {not_numbers(actual, is_one=is_one)}")
    return array


def show(value: Any, digits: int = 4) -> str:
    """Return ``value`` as a message prints it: short arrays in full, long ones as their shape."""
    array = np.asarray(value)
    if array.dtype.kind not in "bifuc":
        return repr(value)
    if array.size > _PRINTED:
        return f"an array of shape {array.shape}"
    if array.ndim == 0:
        number = array.item()
        return f"{number:.6g}" if isinstance(number, float) else str(number)
    with np.printoptions(precision=digits, suppress=True, floatmode="maxprec"):
        return np.array2string(array, separator=", ").replace("\n", "")


def not_defined(name: str) -> CheckFailed:
    """Return the verdict on an answer that lacks a name."""
    text = f"`{name}` is not defined. Keep the name that the exercise gives."
    return CheckFailed(text, NOT_DEFINED)


def expect(condition: Any, message: str = "", misconception: str | None = None) -> None:
    """Raise `CheckFailed` unless ``condition`` is true.

    Without a ``message`` the check's ``failure_message`` is used.
    """
    if not condition and not goes_on():
        raise CheckFailed(message, misconception)


def expect_integer(
    actual: Any,
    low: int,
    high: int,
    *,
    what: str = "the result",
    misconception: str | None = None,
) -> int:
    """Return ``actual`` as a whole number from ``low`` to ``high``, or raise `CheckFailed`."""
    number = as_array(actual, what, is_one=True)
    expected = f"expected a whole number from {low} to {high}."
    is_whole = number.shape == () and number.dtype.kind in "iuf" and float(number).is_integer()
    expect(
        is_whole and low <= number <= high, f"{what} is {show(number)}; {expected}", misconception
    )
    return int(number)


def expect_shape(
    actual: Any,
    shape: Sequence[int],
    *,
    what: str = "the result",
) -> NDArray[Any]:
    """Return ``actual`` as an array of exactly ``shape``, or raise `CheckFailed`."""
    array = as_array(actual, what, is_one=not shape)
    seen = compared(np.array(array.shape, int), np.array(shape, int))
    if seen.is_right or goes_on():
        return array
    raise CheckFailed(_wrong_shape(array, tuple(shape), what), mistake_in(seen))


def expect_close(
    actual: Any,
    expected: ArrayLike,
    *,
    atol: float = 1e-6,
    rtol: float = 0.0,
    what: str = "the result",
    message: str = "",
) -> NDArray[Any]:
    """Return ``actual`` as an array equal to ``expected`` within tolerance, or raise `CheckFailed`.

    Parameters
    ----------
    actual : array_like
        What the learner's code returned.
    expected : array_like
        The correct values; their shape is the expected shape.
    atol, rtol : float
        Absolute and relative tolerance, in the units of ``expected``.
    what : str
        Names the value in the message: ``"context_vector([1, 0], …)"``.
    message : str
        What is said in place of what was seen and what was expected.
    """
    correct = np.asarray(expected)
    array = as_array(actual, what, is_one=not correct.ndim)
    seen = compared(array, correct, atol, rtol)
    if seen.is_right or goes_on():
        return array
    known = mistake_in(seen)
    told = [message or difference(array, correct, what)]
    if known is None:
        told.append(resemblance(array, correct, atol))
    picture = drawing_of(array, correct, atol, rtol)
    raise CheckFailed(" ".join(told).strip(), known, drawing=picture)


def difference(array: NDArray[Any], correct: NDArray[Any], what: str) -> str:
    """Return what was seen and what was expected; long arrays at the worst place."""
    if array.shape != correct.shape:
        return _wrong_shape(array, correct.shape, what)
    if array.dtype.kind in "fc" and np.isnan(array).any() and not np.isnan(correct).any():
        return f"{what} contains {int(np.isnan(array).sum())} NaN of {array.size} numbers."
    if correct.size <= _PRINTED:
        return f"{what} is {_told_apart(array, correct)}."
    with np.errstate(invalid="ignore"):
        gap = np.abs(np.asarray(array, float) - np.asarray(correct, float))
    gap = np.where(np.isnan(gap), np.inf, gap)
    worst = tuple(int(i) for i in np.unravel_index(int(np.argmax(gap)), gap.shape))
    return (
        f"{what} differs from what is expected, most at {list(worst)}: "
        f"{_apart(array[worst], correct[worst])}."
    )


def _wrong_shape(array: NDArray[Any], shape: tuple[int, ...], what: str) -> str:
    return f"{what} has shape {array.shape}; expected {shape}."


def _told_apart(array: NDArray[Any], correct: NDArray[Any]) -> str:
    """Return both short arrays with as many digits as it takes to see that they differ."""
    for digits in (4, 7, 11):
        seen, right = show(array, digits), show(correct, digits)
        if seen != right:
            break
    return f"{seen}; expected {right}"


def _apart(seen: Any, right: Any) -> str:
    """Return both numbers with as many digits as it takes to see that they differ."""
    for digits in (4, 7, 11):
        pair = f"{seen:.{digits}g} instead of {right:.{digits}g}"
        if f"{seen:.{digits}g}" != f"{right:.{digits}g}":
            break
    return pair

"""The comparisons that checks are made of: each fails with one message that helps.

A failed expectation raises :class:`CheckFailed`. Its message says what was seen and what was
expected. Where the seen value is the one that a known mistake produces, and no other mistake
produces the same, it also carries the mistake's id, which the exercise's ``misconceptions`` turn
into an explanation. Where no mistake is known, the message says how the value is related to the
right one, if it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from coursekit.known import current, print_of, shape_print
from coursekit.not_numbers import not_numbers
from coursekit.numpy_only import TorchRefusedError
from coursekit.resemblance import is_close, resemblance

#: Longest array that a message prints in full (elements).
_PRINTED = 24


class Refusal(NamedTuple):
    """A wrong value that a check has met, and the right one."""

    value: NDArray[Any]
    right: NDArray[Any]


_refused: ContextVar[list[Refusal] | None] = ContextVar("refused", default=None)


@contextmanager
def refusals() -> Iterator[list[Refusal]]:
    """Collect the wrong values that checks meet."""
    values: list[Refusal] = []
    token = _refused.set(values)
    try:
        yield values
    finally:
        _refused.reset(token)


class CheckFailed(AssertionError):  # noqa: N818  (a verdict, not an error)
    """A check's verdict that an answer is wrong.

    Parameters
    ----------
    message : str, optional
        What was seen and what was expected; plain text. Left out, the check's ``failure_message``
        is used.
    misconception : str, optional
        What this very answer has been shown to reveal: an id in the exercise's ``misconceptions``,
        or one with an ``explanation`` of its own.
    explanation : str, optional
        The text for the learner, where the exercise has no text for it.
    credit : float
        The share of the check's points that the answer earns all the same, 0 to below 1.
    """

    def __init__(
        self,
        message: str = "",
        misconception: str | None = None,
        explanation: str = "",
        credit: float = 0.0,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.misconception = misconception
        self.explanation = explanation
        self.credit = credit

    def _render_traceback_(self) -> list[str]:
        # IPython prints this in place of a traceback: a learner needs the message, not our frames.
        return [self.message]


def as_array(actual: Any, what: str = "the result") -> NDArray[Any]:
    """Return ``actual`` as a numeric array, or raise `CheckFailed`.

    Torch tensors are detached. Booleans stay boolean.
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
        raise CheckFailed(f"{what} is {not_numbers(actual)}")
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


def expect(condition: Any, message: str = "", misconception: str | None = None) -> None:
    """Raise `CheckFailed` unless ``condition`` is true.

    Without a ``message`` the check's ``failure_message`` is used.
    """
    if not condition:
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
    number = as_array(actual, what)
    expected = f"expected a whole number from {low} to {high}."
    is_whole = number.shape == () and number.dtype.kind in "iuf" and float(number).is_integer()
    expect(
        is_whole and low <= number <= high, f"{what} is {show(number)}; {expected}", misconception
    )
    return int(number)


def expect_parts(
    actual: Any, count: int, message: str, misconception: str | None = None
) -> Sequence[Any]:
    """Return ``actual`` if it is a tuple or a list of so many parts, or raise `CheckFailed`."""
    if isinstance(actual, tuple | list) and len(actual) == count:
        return actual
    raise CheckFailed(message, misconception or ("returns-nothing" if actual is None else None))


def expect_shape(
    actual: Any,
    shape: Sequence[int],
    *,
    what: str = "the result",
) -> NDArray[Any]:
    """Return ``actual`` as an array of exactly ``shape``, or raise `CheckFailed`."""
    array, run = as_array(actual, what), current()
    run.seen.append((shape_print(array.shape), shape_print(shape), 0.0))
    if array.shape != tuple(shape) and not run.is_noted:
        message = f"{what} has shape {array.shape}; expected {tuple(shape)}."
        raise CheckFailed(message, run.named())
    return array


def expect_close(
    actual: Any,
    expected: ArrayLike,
    *,
    atol: float = 1e-6,
    rtol: float = 0.0,
    what: str = "the result",
    message: str | None = None,
    misconception: str | None = None,
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
    message : str, optional
        Said in place of what was seen and expected, where the numbers are not the answer's own.
    misconception : str, optional
        What a value shows that no known mistake gives.
    """
    array, correct = as_array(actual, what), np.asarray(expected)
    run, tolerance = current(), atol + rtol * _largest(correct)
    run.seen.append((print_of(array, tolerance), print_of(correct, tolerance), tolerance))
    if run.is_noted or is_close(array, correct, atol, rtol):
        return array
    id = run.named() or misconception
    if message is not None:
        raise CheckFailed(message, id)
    if (refused := _refused.get()) is not None:
        refused.append(Refusal(array, correct))
    alike = "" if id else resemblance(array, correct, atol)
    raise CheckFailed(f"{difference(array, correct, what)} {alike}".strip(), id)


def _largest(array: NDArray[Any]) -> float:
    return float(np.abs(array[np.isfinite(array)]).max(initial=0.0))


def difference(array: NDArray[Any], correct: NDArray[Any], what: str) -> str:
    """Return what was seen and what was expected; long arrays at the worst place."""
    if array.shape != correct.shape:
        return f"{what} has shape {array.shape}; expected {correct.shape}."
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

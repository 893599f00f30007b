"""Call a learner's function with whole numbers, and tell where an array of them cut a fraction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from coursekit.judge.expect import CheckFailed, as_array, difference
from coursekit.judge.inputs import call_keeping_inputs
from coursekit.judge.resemblance import is_close

#: The misconception of a function that is right for floats and wrong for whole numbers.
CUT_TO_WHOLE_NUMBERS = "cut-to-whole-numbers"

_CUT = (
    "With the same numbers as floats the result is right. On the way something was stored in an "
    "array of whole numbers, which cuts off what stands after the decimal point: make an array of "
    "floats for it."
)
_IN_PLACE = (
    "With the same numbers as floats the call works. An operation such as `/=` or `+=` "
    "stores its result in the array that it starts from, and an array of whole numbers cannot hold "
    "fractions. Begin with an array of floats, or make a new array: `a = a / b`."
)


def call_with_whole_numbers(
    function: Callable[..., Any],
    *args: Any,
    right: ArrayLike,
    what: str = "the result",
    atol: float = 1e-6,
) -> Any:
    """Return ``function(*args)``, where some of the arguments are arrays of whole numbers.

    Parameters
    ----------
    function : callable
        The learner's; it must not change its arguments.
    *args
        Its arguments. Those that are arrays of whole numbers are tried as floats as well.
    right : array_like
        The right result.
    what : str
        Names the call in the message.
    atol : float
        Absolute tolerance, in the unit of ``right``.

    Raises
    ------
    CheckFailed
        The result is right for the same numbers as floats, and as whole numbers it is not.
    """
    try:
        seen = call_keeping_inputs(function, *args)
    except TypeError as error:
        if "output from" in str(error) and _is_right_for_floats(function, args, right, atol):
            message = f"With whole numbers, {what} raised TypeError: {error}"
            raise CheckFailed(message, CUT_TO_WHOLE_NUMBERS, _IN_PLACE) from None
        raise
    array, expected = as_array(seen, what), np.asarray(right)
    if not is_close(array, expected, atol) and _is_right_for_floats(function, args, right, atol):
        message = difference(array, expected, f"With whole numbers, {what}")
        raise CheckFailed(message, CUT_TO_WHOLE_NUMBERS, _CUT)
    return seen


def _is_right_for_floats(
    function: Callable[..., Any], args: tuple[Any, ...], right: ArrayLike, atol: float
) -> bool:
    floats = [arg.astype(float) if _holds_whole_numbers(arg) else arg for arg in args]
    return is_close(as_array(call_keeping_inputs(function, *floats)), np.asarray(right), atol)


def _holds_whole_numbers(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "iu"

"""Call a learner's function, and check that it does not change its arguments."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coursekit._expect import CheckFailed, expect_close
from coursekit.verdict import CHANGES_ARGUMENTS


def call_keeping_inputs(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return ``function(*args, **kwargs)``, or raise `CheckFailed` if it changed an argument.

    In a notebook the function gets copies, which are compared afterwards. In batch grading the
    copies are a confined process's. It is asked what they hold after the call, which is compared
    here; its own word on whether anything changed counts nothing.

    What is trusted: nothing but the values. A process that learner code has patched may send others
    than its arguments hold. For that it must have kept the right ones, and to keep a copy is all
    that is asked of the function, which could have done so itself.
    """
    values = (*args, *kwargs.values())
    call = getattr(function, "call_and_read_arguments", None)
    if call is None:
        copies = [copy.deepcopy(value) for value in values]
        count = len(args)
        result = function(*copies[:count], **dict(zip(kwargs, copies[count:], strict=True)))
    else:
        result, copies = call(*args, **kwargs)
    changed = [i for i, value in enumerate(values) if not _same(value, copies[i])]
    names = [*(f"argument {i}" for i in range(1, len(args) + 1)), *(f"`{name}`" for name in kwargs)]
    if changed:
        which = " and ".join(names[i] for i in changed)
        message = f"The call changed {which}. Work on a copy: the caller still needs its arrays."
        raise CheckFailed(message, CHANGES_ARGUMENTS)
    return result


def expect_same(
    function: Callable[..., Any],
    reference: Callable[..., Any],
    *args: Any,
    what: str = "the result",
    atol: float = 1e-6,
    rtol: float = 0.0,
    **kwargs: Any,
) -> NDArray[Any]:
    """Return what a learner's function returns where ``reference`` returns the same.

    Both get the same arguments, which the learner's must not change; see `expect_close`.
    """
    seen = call_keeping_inputs(function, *args, **kwargs)
    return expect_close(seen, reference(*args, **kwargs), atol=atol, rtol=rtol, what=what)


def _same(a: Any, b: Any) -> bool:
    """Whether ``b`` holds what ``a`` does; ``b`` may be anything."""
    if hasattr(a, "detach"):
        return hasattr(b, "detach") and a.shape == b.shape and _bytes(a) == _bytes(b)
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, list | tuple):
        return isinstance(b, list | tuple) and len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(_same(a[k], b[k]) for k in a)
    if isinstance(b, np.ndarray) or hasattr(b, "detach"):
        return False
    return bool(a == b or (a != a and b != b))


def _bytes(tensor: Any) -> bytes:
    flat = tensor.detach().reshape(-1).contiguous()
    return bytes(flat.view(sys.modules["torch"].uint8).numpy())

"""Call a learner's function and insist that it leaves its arguments alone."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from coursekit.expect import expect


def call_keeping_inputs(
    function: Callable[..., Any], *args: Any, misconception: str | None = None, **kwargs: Any
) -> Any:
    """Return ``function(*args, **kwargs)``, or raise `CheckFailed` if it changed an argument.

    In a notebook the function gets copies, which are compared afterwards. In batch the arguments
    cross into a confined process anyway, and that side says which of them changed there.

    Parameters
    ----------
    function : callable
        The learner's.
    misconception : str, optional
        The id to report when an argument was changed.
    """
    report = getattr(function, "call_reporting", None)
    if report is None:
        given = [copy.deepcopy(value) for value in (*args, *kwargs.values())]
        count = len(args)
        result = function(*given[:count], **dict(zip(kwargs, given[count:], strict=True)))
        before = (*args, *kwargs.values())
        changed = [i for i, value in enumerate(before) if not _same(value, given[i])]
    else:
        result, changed = report(*args, **kwargs)
    names = [*(f"argument {i}" for i in range(1, len(args) + 1)), *(f"`{name}`" for name in kwargs)]
    told = " and ".join(names[i] for i in changed if i < len(names))
    expect(
        not changed, f"The call changed {told}; a function leaves its inputs alone.", misconception
    )
    return result


def _same(a: Any, b: Any) -> bool:
    if hasattr(a, "detach"):
        a, b = a.detach().numpy(), b.detach().numpy()
    if isinstance(a, np.ndarray):
        return a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b)

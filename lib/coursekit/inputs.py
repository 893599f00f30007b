"""Call a learner's function and check that it does not change its arguments."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from coursekit._expect import CheckFailed
from coursekit.verdict import CHANGES_ARGUMENTS


def call_keeping_inputs(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Return ``function(*args, **kwargs)``, or raise `CheckFailed` if it changed an argument.

    In a notebook the function gets copies, which are compared afterwards. In batch grading the
    arguments are sent to a confined process, which reports the ones that changed there.

    """
    report = getattr(function, "call_reporting", None)
    if report is None:
        values = (*args, *kwargs.values())
        copies = [copy.deepcopy(value) for value in values]
        count = len(args)
        result = function(*copies[:count], **dict(zip(kwargs, copies[count:], strict=True)))
        changed = [i for i, value in enumerate(values) if not _same(value, copies[i])]
    else:
        result, changed = report(*args, **kwargs)
    names = [*(f"argument {i}" for i in range(1, len(args) + 1)), *(f"`{name}`" for name in kwargs)]
    which = " and ".join(names[i] for i in changed if i < len(names))
    if changed:
        message = f"The call changed {which}. Work on a copy: the caller still needs its arrays."
        raise CheckFailed(message, CHANGES_ARGUMENTS)
    return result


def _same(a: Any, b: Any) -> bool:
    if hasattr(a, "detach"):
        a, b = a.detach().numpy(), b.detach().numpy()
    if isinstance(a, np.ndarray):
        return a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    return bool(a == b)

"""Run the code of a check cell apart from the learner's names.

A check cell defines one function, which makes its checks. It runs here with globals of its own, so
what it imports and defines is not the learner's, and what the learner has called `sum` or
`total` is not the check's: page, class and notebook judge one answer alike.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping, MutableMapping
from types import FunctionType
from typing import Any

#: What the function of a check cell is called.
CELL = "__checks__"


def made_apart(made: Any, names: Mapping[str, Any]) -> Any:
    """Return what a check cell's function makes, and take the function out of ``names``.

    Parameters
    ----------
    made : function or object
        The function, without parameters; anything else is returned as it is.
    names : mapping of str to object
        What the learner has defined: ``globals()``.
    """
    if not isinstance(made, FunctionType):
        return made
    if isinstance(names, MutableMapping) and names.get(CELL) is made:
        del names[CELL]
    return FunctionType(made.__code__, {"__builtins__": builtins, "__name__": CELL})()

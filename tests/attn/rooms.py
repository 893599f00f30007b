"""Through which functions of attn an argument passes, followed while a call runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import attn

HOME = Path(attn.__file__).parent
#: What hides keys, by the names it has on its way.
NAMES = ("mask", "causal", "visible")
#: Doors and their checks: they return the argument and pass it no further.
CHECKS = ("_arguments.py", "_door.py", "_framework.py", "_hints.py")


def rooms(call: Callable[[], Any]) -> list[str]:
    """Return the files, in order, in which a function holds a mask or is asked to be causal."""
    passed: list[str] = []

    def enter(frame: FrameType, event: str, argument: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event != "call" or HOME not in path.parents or path.name in CHECKS:
            return
        code = frame.f_code
        arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        held = [frame.f_locals.get(name) for name in NAMES if name in arguments]
        if any(value is not None and value is not False for value in held):
            passed.append(str(path.relative_to(HOME)))

    sys.setprofile(enter)
    try:
        call()
    finally:
        sys.setprofile(None)
    return list(dict.fromkeys(passed))

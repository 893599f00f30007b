"""An exception of the learner's code, raised on the grader's side as its nearest builtin."""

from __future__ import annotations

import builtins
from typing import Any, NoReturn

#: Nothing more than `RemoteError` says already, or not to be made from a text alone.
_PLAIN = (Exception, ExceptionGroup)


class RemoteError(Exception):
    """What the learner's code raised; ``remote_type`` is its own class name."""

    def __init__(self, message: str, remote_type: str, line: str = "") -> None:
        # Not super(): a builtin's own would give its arguments a meaning, or refuse their number.
        Exception.__init__(self, message)
        self.message, self.remote_type, self.line = message, remote_type, line

    def __str__(self) -> str:
        return self.message


def raise_remote(told: dict[str, Any]) -> NoReturn:
    """Raise an error that was told as data; a check may catch it as ``ValueError`` and the like."""
    name, message, line = (_text(told.get(key)) for key in ("type", "message", "line"))
    bases = told.get("bases")
    if name == "TimeUpError":
        name, bases = "TimeoutError", ["TimeoutError"]
    raise _class_for(bases if isinstance(bases, list) else [])(message, name or "Exception", line)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    return value[:2000].encode("utf-8", "replace").decode("utf-8")


def _class_for(names: list[Any]) -> type[RemoteError]:
    """Return a class that is a `RemoteError` and the first ordinary builtin exception named."""
    for name in names:
        found = getattr(builtins, name, None) if isinstance(name, str) else None
        if isinstance(found, type) and issubclass(found, Exception) and found not in _PLAIN:
            return _combined(found)
    return RemoteError


def _combined(builtin: type[Exception]) -> type[RemoteError]:
    made = type(builtin.__name__, (RemoteError, builtin), {"__new__": _new})
    assert issubclass(made, RemoteError)
    return made


def _new(cls: type[RemoteError], *args: Any) -> RemoteError:
    # Some builtins (OSError, UnicodeError) give their arguments a meaning of their own.
    builtin: Any = cls.__mro__[2]
    try:
        made = builtin.__new__(cls)
    except TypeError:  # MemoryError keeps its own store of instances, and shares it with no other
        made = Exception.__new__(cls)
    assert isinstance(made, RemoteError)
    return made

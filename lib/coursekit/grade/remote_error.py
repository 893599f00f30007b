"""An exception of the learner's code, raised on the grader's side as its nearest builtin."""

from __future__ import annotations

import builtins
from typing import Any, NoReturn

from coursekit.judge.stopped import TimeUpError

#: Types that add nothing to `RemoteError`, or cannot be made from a text alone.
_PLAIN = (Exception, ExceptionGroup)


class RemoteError(Exception):
    """What the learner's code raised; ``remote_type`` is its own class name."""

    def __init__(self, message: str, remote_type: str, line: str = "") -> None:
        # Not super(): a builtin's own __init__ may interpret or refuse these arguments.
        Exception.__init__(self, message)
        self.message, self.remote_type, self.line = message, remote_type, line

    def __str__(self) -> str:
        return self.message


class RemoteTimeUpError(TimeUpError):
    """The learner's code ran too long. As elsewhere, a check that catches errors lets it pass."""

    def __init__(self, message: str, line: str = "") -> None:
        super().__init__(message)
        self.message, self.remote_type, self.line = message, TimeUpError.__name__, line


#: What a request to a submission raises where the learner's code did.
RAISED = (RemoteError, RemoteTimeUpError)


def raise_remote(fields: dict[str, Any]) -> NoReturn:
    """Raise an error that came as data; a check may catch it as ``ValueError`` and the like."""
    name, message, line = (_text(fields.get(key)) for key in ("type", "message", "line"))
    bases = fields.get("bases")
    if name == TimeUpError.__name__:
        raise RemoteTimeUpError(message, line)
    raise _class_for(bases if isinstance(bases, list) else [])(message, name or "Exception", line)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    return value[:2000].encode("utf-8", "replace").decode("utf-8")


def _class_for(names: list[Any]) -> type[RemoteError]:
    """Return a class that is a `RemoteError` and the first ordinary builtin exception named."""
    for name in names:
        builtin = getattr(builtins, name, None) if isinstance(name, str) else None
        if isinstance(builtin, type) and issubclass(builtin, Exception) and builtin not in _PLAIN:
            return _combined(builtin)
    return RemoteError


def _combined(builtin: type[Exception]) -> type[RemoteError]:
    combined = type(builtin.__name__, (RemoteError, builtin), {"__new__": _new})
    assert issubclass(combined, RemoteError)
    return combined


def _new(cls: type[RemoteError], *args: Any) -> RemoteError:
    # Some builtins (OSError, UnicodeError) interpret their arguments.
    builtin: Any = cls.__mro__[2]
    try:
        error = builtin.__new__(cls)
    except TypeError:  # MemoryError keeps a store of instances, which other classes cannot use
        error = Exception.__new__(cls)
    assert isinstance(error, RemoteError)
    return error

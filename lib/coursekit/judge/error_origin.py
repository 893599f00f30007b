"""Decide whether an exception came from the learner's code or from the check that called it."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import CodeType, MethodType
from typing import Any

from coursekit.judge.checks import Check

_UNCALLABLE = re.compile(r"'(?:[^']*\.)?([^'.]+)' object is not callable")


def text_of(error: BaseException) -> str:
    """Return what an error says on one line; "" where its own ``__str__`` fails."""
    try:
        return " ".join(str(error).split())
    except Exception:
        return ""


def comes_from_answer(error: BaseException, check: Check, names: Mapping[str, Any]) -> bool:
    """Return whether ``error`` was raised in the learner's code, or because it refused a call.

    Parameters
    ----------
    error : BaseException
        The exception that ended the check.
    check : Check
        The check that called the learner's code.
    names : mapping of str to object
        What the learner defined; in a notebook, all names of its cells.
    """
    # A confined process reports only what the learner's code raised, and marks it.
    if hasattr(error, "remote_type"):
        return True
    values = [names[name] for name in check.names]
    if any(hasattr(type(value), "_handle") for value in values):
        return False  # A proxy of batch grading, whose errors are marked (see above).
    codes = [set(_codes(value)) for value in values]
    return (
        _enters(error, set().union(*codes), names)
        or _is_miscalled(error, values)
        # A function written in C leaves no frame in the traceback, so it cannot be ruled out.
        or any(callable(value) and not code for value, code in zip(values, codes, strict=True))
    )


def is_assertion_of(check: Check, error: BaseException, names: Mapping[str, Any]) -> bool:
    """Return whether an ``assert`` of the check, or of what it calls, refused the answer."""
    if not isinstance(error, AssertionError):
        return False
    codes = {code for name in check.names for code in _codes(names[name])}
    return not _enters(error, codes, names)


def uncallable(error: BaseException, check: Check, names: Mapping[str, Any]) -> str | None:
    """Return the name that the check called although its value is not callable, if it did so."""
    said = _UNCALLABLE.fullmatch(text_of(error)) if isinstance(error, TypeError) else None
    if said is None:
        return None
    is_remote = hasattr(error, "remote_type")
    if not is_remote and comes_from_answer(error, check, names):
        return None
    for name in check.names:
        value = names[name]
        # A proxy can always be called; the confined process then says what is not callable there.
        is_suspect = hasattr(type(value), "_handle") if is_remote else not callable(value)
        if is_suspect and type(value).__name__ == said[1]:
            return name
    return None


def _enters(error: BaseException, codes: Iterable[CodeType], names: Mapping[str, Any]) -> bool:
    for frame, _ in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if code in codes:
            return True
        if frame.f_globals is names:  # in a notebook, a function of another of the learner's cells
            return True
    return False


def _codes(value: Any) -> Iterator[CodeType]:
    """Yield the code objects of a function, or of the methods of a class or an instance."""
    for function in _functions(value):
        while function is not None:
            if isinstance(code := getattr(function, "__code__", None), CodeType):
                yield from _with_inner(code)
            function = getattr(function, "__wrapped__", None)


def _functions(value: Any) -> Iterator[Callable[..., Any] | None]:
    if isinstance(value, partial | MethodType):
        yield from _functions(value.func if isinstance(value, partial) else value.__func__)
        return
    if hasattr(value, "__code__") or hasattr(value, "__wrapped__"):
        yield value
        return
    kind = value if isinstance(value, type) else type(value)
    for base in kind.__mro__:
        for member in vars(base).values():
            yield getattr(member, "__func__", None) or getattr(member, "fget", None) or member


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_inner(constant)


def _is_miscalled(error: BaseException, values: Iterable[Any]) -> bool:
    """Return whether the learner's function could not take the check's arguments."""
    if not isinstance(error, TypeError):
        return False
    names = [getattr(value, "__qualname__", "") for value in values]
    names += [type(value).__qualname__ for value in values]
    return any(name and text_of(error).startswith((f"{name}(", f"{name}.")) for name in names)

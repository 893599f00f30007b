"""Did an exception come from the learner's code, or from the check that looked at its result?"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import CodeType, MethodType
from typing import Any

from coursekit.model import Check


def comes_from_answer(error: BaseException, check: Check, names: Mapping[str, Any]) -> bool:
    """Return whether ``error`` was raised in the learner's code, or by calling it wrongly.

    Parameters
    ----------
    error : BaseException
        What the check let through.
    check : Check
        The check that called the learner's code.
    names : mapping of str to object
        What the learner has defined; in a notebook, all that its cells have.
    """
    # A confined process reports only what the learner's code raised, and marks it so.
    if hasattr(error, "remote_type"):
        return True
    values = [names[name] for name in check.names]
    if any(hasattr(type(value), "_handle") for value in values):
        return False  # A stand-in of batch grading; what it reports is marked, see above.
    codes = [set(_codes(value)) for value in values]
    return (
        _enters(error, set().union(*codes), check, names)
        or _is_miscalled(error, values)
        # What is written in C leaves no frame, so nothing shows that it was not the one.
        or any(callable(value) and not own for value, own in zip(values, codes, strict=True))
    )


def uncallable(error: BaseException, check: Check, names: Mapping[str, Any]) -> str | None:
    """Return the name that the check called and that holds no function, if that is the error."""
    if not isinstance(error, TypeError) or not str(error).endswith("object is not callable"):
        return None
    held = ((name, names[name]) for name in check.names)
    kind = str(error).split("'")[1].rpartition(".")[2]
    return next((n for n, v in held if not callable(v) and type(v).__name__ == kind), None)


def _enters(
    error: BaseException, codes: Iterable[CodeType], check: Check, names: Mapping[str, Any]
) -> bool:
    file = check.function.__code__.co_filename
    for frame, _ in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if code in codes:
            return True
        # A notebook's checks share the learner's names, but not the cell.
        if frame.f_globals is names and code.co_filename != file:
            return True
    return False


def _codes(value: Any) -> Iterator[CodeType]:
    """Yield the code of a function, or of the methods of a class or of an object's class."""
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
    """Return whether the learner's function refused the check's arguments, so was not entered."""
    if not isinstance(error, TypeError):
        return False
    called = [getattr(value, "__qualname__", "") for value in values]
    called += [type(value).__qualname__ for value in values]
    return any(name and str(error).startswith((f"{name}(", f"{name}.")) for name in called)

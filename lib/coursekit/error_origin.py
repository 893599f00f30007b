"""What an exception says, and whether it came from the learner's code or from the check."""

from __future__ import annotations

import re
import traceback
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import CodeType, MethodType
from typing import Any

from coursekit.checks import Check

#: What Python says of a value that is called; its type's name is the group.
UNCALLABLE = re.compile(r"'(?:[^']*\.)?([^'.]+)' object is not callable")
_UNREAD = re.compile(r"invalid (?:non-printable )?character .*U\+([0-9A-F]+)")
#: What is typed for characters that phones, word processors and books put in its place.
_TYPED: dict[int, Any] = {
    **str.maketrans("“”„‟«»″‘’‚‛‹›′´‐‑‒–—―−×·÷", '"' * 7 + "'" * 8 + "-" * 7 + "**/"),
    **str.maketrans({"≤": "<=", "≥": ">=", "≠": "!=", "→": "->", "²": "**2", "³": "**3"}),
}


def text_of(error: BaseException) -> str:
    """Return what an error says on one line, at most 300 characters; "" where ``__str__`` fails.

    Of a syntax error it is the message alone, or what to type for a character that Python does not
    read: page, notebook and class say that in the same words.
    """
    try:
        text = (_unread(error) or error.msg) if isinstance(error, SyntaxError) else str(error)
        return " ".join(text.split())[:300]
    except Exception:
        return ""


def _unread(error: SyntaxError) -> str:
    """Return what to type for the character that Python stumbled over; "" if it was none."""
    char = ""
    if found := _UNREAD.match(error.msg):
        char = chr(int(found[1], 16))
    elif error.msg.startswith("unterminated string"):
        rest = (error.text or "")[(error.offset or 1) - 1 :]
        opened = next(c for c in rest if c in "'\"")
        char = next((c for c in rest if c.translate(_TYPED) == opened != c), "")
    if not char:
        return ""
    typed = unicodedata.normalize("NFKC", char.translate(_TYPED))
    cure = f": type `{typed}` in its place" if typed.isascii() else ""
    if not char.isprintable():
        cure = ": type an ordinary space in its place" if typed == " " else ": delete it"
    shown = char if char.isprintable() else "the invisible character"
    name = unicodedata.name(char, "without a name").lower()
    return f"Python does not read {shown} ({name}, U+{ord(char):04X}){cure}"


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
    said = UNCALLABLE.fullmatch(text_of(error)) if isinstance(error, TypeError) else None
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

"""Names that fit at the cursor, and what a name is: its signature or shape, and documentation."""

from __future__ import annotations

import builtins
import inspect
import keyword
import re
from collections.abc import Mapping
from typing import Any, TypedDict

_IMPORT = re.compile(r"^(?:import|from)\s.+$", re.MULTILINE)
_MARKUP = re.compile(r":[\w:]+:(?=`)|`+_?")  # roles and quotes of reStructuredText
_ROOM = 2000  # characters of documentation


class Explained(TypedDict):
    """What a name is: a line, and its documentation."""

    head: str
    doc: str


def with_imports(names: Mapping[str, Any], code: str) -> dict[str, Any]:
    """Return ``names`` and what the import lines in ``code`` bring, where they can be run."""
    space: dict[str, Any] = {}
    for match in _IMPORT.finditer(code):
        try:
            exec(match[0], space)
        except Exception:
            continue  # half written, or not here
    return {**space, **names}


def complete(names: Mapping[str, Any], dotted: str) -> list[str]:
    """Return the names that may stand for the last part of a name such as "np.lina"."""
    head, dot, start = dotted.rpartition(".")
    try:
        found = dir(_value(names, head)) if dot else {*dir(builtins), *keyword.kwlist, *names}
    except Exception:  # not known, or a reader's property that fails
        return []
    public = "" if start.startswith("_") else "(?!_)"
    return sorted(name for name in found if re.match(public + re.escape(start), name))


def explain(names: Mapping[str, Any], dotted: str) -> Explained | None:
    """Return what a dotted name is, or None for one that is not known."""
    try:
        value = _value(names, dotted)
        if callable(value) or inspect.ismodule(value):
            doc = _MARKUP.sub("", inspect.getdoc(value) or "")
            return Explained(head=dotted + _signature(value), doc=doc[:_ROOM])
        kind = f"{type(value).__name__} {getattr(value, 'shape', '')}".rstrip()
        return Explained(head=f"{dotted}: {kind}", doc=repr(value)[:_ROOM])
    except Exception:  # not known, or a reader's property or object that fails
        return None


def _value(names: Mapping[str, Any], dotted: str) -> Any:
    first, *rest = dotted.split(".")
    value = {**vars(builtins), **names}[first]
    for name in rest:
        value = getattr(value, name)
    return value


def _signature(value: Any) -> str:
    """Return how a function is called, by names and defaults; "" where that is not known."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    plain = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
    return str(signature.replace(parameters=plain, return_annotation=signature.empty))

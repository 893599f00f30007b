"""Complete names from a namespace, and describe them: signature, shape, documentation."""

from __future__ import annotations

import ast
import builtins
import inspect
import keyword
import re
import unicodedata
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, TypedDict

import numpy as np

_AT_CURSOR = re.compile(r"(?P<head>(?:[A-Za-z_]\w*\.)*)(?P<start>[A-Za-z_]\w*)?$")
_IMPORT = re.compile(r"^(?:import|from)\s.+$", re.MULTILINE)
#: Sections of a docstring that a reader needs while writing a call.
_SECTION = re.compile(r"\n(?P<title>[A-Z][a-z]+(?: [A-Z][a-z]+)?)\n-+\n")
_MOST = 200


class Option(TypedDict):
    """A name that fits; ``detail`` is its signature or its shape."""

    label: str
    type: str
    detail: str


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
    space.pop("__builtins__", None)
    return {**space, **names}


def complete(names: Mapping[str, Any], before: str) -> list[Option]:
    """Return the names that may follow the text ``before`` the cursor."""
    match = _AT_CURSOR.search(before)
    if match is None or before[: match.start()].endswith("."):
        return []
    start = match["start"] or ""
    if not match["head"]:
        if not start:
            return []
        found = {**vars(builtins), **names}
        options = [_option(name, value) for name, value in _fitting(found.items(), start)]
        keys = (word for word in keyword.kwlist if word.startswith(start))
        return [*options, *(Option(label=word, type="keyword", detail="") for word in keys)][:_MOST]
    found_object = _value(names, match["head"].rstrip("."))
    if found_object is None:
        return []
    return [_option(name, value) for name, value in _fitting(_members(found_object), start)][:_MOST]


def explain(names: Mapping[str, Any], dotted: str) -> Explained | None:
    """Return what a dotted name is, or None for a name that is not known."""
    value = _value({**vars(builtins), **names}, dotted)
    if value is None:
        return None
    head = f"{dotted}{_detail(value)}" if callable(value) else f"{dotted}: {_detail(value)}"
    return Explained(head=head, doc=_doc(value))


def _value(names: Mapping[str, Any], dotted: str) -> Any:
    """Return what a dotted name stands for, without running a reader's property."""
    first, *rest = dotted.split(".")
    value = names.get(first)
    for name in rest:
        if isinstance(value, (ModuleType, type, np.ndarray)):
            value = getattr(value, name, None)
        else:
            value = getattr(value, "__dict__", {}).get(name)
    return value


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    public = value.__all__ if isinstance(value, ModuleType) and hasattr(value, "__all__") else None
    for name in public or dir(value):
        try:
            yield name, inspect.getattr_static(value, name)
        except AttributeError:
            if isinstance(value, ModuleType):
                yield name, getattr(value, name, None)


def _fitting(members: Any, start: str) -> Iterator[tuple[str, Any]]:
    for name, value in sorted(members):
        if name.startswith(start) and (start.startswith("_") or not name.startswith("_")):
            yield name, value


def _option(name: str, value: Any) -> Option:
    kinds = {ModuleType: "namespace", type: "class"}
    kind = next((word for each, word in kinds.items() if isinstance(value, each)), "")
    kind = kind or ("function" if callable(value) else "variable")
    return Option(label=name, type=kind, detail=_detail(value))


def _detail(value: Any) -> str:
    """Return a signature, a shape, or a type."""
    if isinstance(value, np.ndarray):
        return f"{value.shape} {value.dtype}"
    if isinstance(value, ModuleType):
        return "module"
    if callable(value):
        try:
            return _without_types(inspect.signature(value))
        except (TypeError, ValueError):
            return "(…)"
    return type(value).__name__


def _without_types(signature: inspect.Signature) -> str:
    """Return a signature as a reader calls it: names and defaults."""
    plain = [
        each.replace(annotation=inspect.Parameter.empty)
        for each in signature.parameters.values()
        if each.name != "self"
    ]
    return str(signature.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def _doc(value: Any) -> str:
    """Return the beginning of a docstring, with its parameters and returns."""
    if isinstance(value, (np.ndarray, int, float, str, list, dict, tuple)):
        text = repr(value)
        return text if len(text) <= 400 else f"{text[:400]} …"
    doc = plain_text(inspect.getdoc(value) or "")
    parts = _SECTION.split(doc)
    head = parts[0].strip().split("\n\n")[0]
    wanted = [
        f"{title}\n{body.rstrip()}"
        for title, body in zip(parts[1::2], parts[2::2], strict=True)
        if title in ("Parameters", "Returns")
    ]
    return "\n\n".join([head, *wanted])[:2000]


def dotted_at(code: str, offset: int) -> str:
    """Return the dotted name around a place in ``code``; "" where there is none."""
    begin = re.search(r"[\w.]*$", code[:offset])
    end = re.match(r"\w*", code[offset:])
    name = (begin[0] if begin else "") + (end[0] if end else "")
    try:
        ast.parse(name, mode="eval")
    except SyntaxError:
        return ""
    return name if re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", name) else ""


_MARKUP = re.compile(
    r":[\w:]*math:`(?P<tex>[^`]*)`"
    r"|:[\w:]+:`(?P<role>[^`]*)`"
    r"|``(?P<literal>.+?)``"
    r"|`(?P<name>[^`]+)`_{0,2}"
    r"|(?<![\w*])\*{1,2}(?P<stress>\w[^*\n]*)(?<=\w)\*{1,2}(?![\w*])"
    r"|\s?\[\w+\]_(?!\w)"  # a citation
)
#: What is not shown of "the title <target>" and of "~module.name".
_TARGET = re.compile(r"\s*<[^>]*>$|^~(?:\w+\.)*(?=\w+$)")
_SYMBOLS = {
    **{"sum": "Σ", "prod": "Π", "partial": "∂", "nabla": "∇", "infty": "∞", "lambda": "λ"},
    **{"cdot": "·", "times": "×", "div": "÷", "pm": "±", "le": "≤", "leq": "≤", "ge": "≥"},
    **{"geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "in": "∈", "to": "→", "top": "ᵀ"},
    **{"ldots": "…", "dots": "…", "cdots": "…", "bmod": "mod", "quad": " ", "qquad": " "},
}
#: Commands that only set how their argument looks.
_LOOKS = re.compile(r"\\(?:mathrm|mathbf|mathit|mathcal|operatorname|text|bar|hat|left|right)\b\s*")
_GROUP = r"\{([^{}]*)\}"


def plain_text(doc: str) -> str:
    """Return a docstring's text without reStructuredText's marks and with readable formulas."""
    return _MARKUP.sub(_plain, doc)


def _plain(match: re.Match[str]) -> str:
    if match["tex"] is not None:
        return plain_formula(match["tex"])
    if titled := match["role"] or match["name"]:
        return _TARGET.sub("", titled)
    return match["literal"] or match["stress"] or ""


def plain_formula(tex: str) -> str:
    """Return a short formula in one line, such as "e^s_j / Σ_k e^s_k"."""
    text = re.sub(r"\\[,;:! ]", " ", _LOOKS.sub("", tex))
    before = ""
    while before != text:  # from the innermost braces outwards
        before = text
        text = re.sub(rf"\\[td]?frac\s*{_GROUP}\s*{_GROUP}", _fraction, text)
        text = re.sub(rf"(\\sqrt|[\^_])\s*{_GROUP}", _argument, text)
        text = re.sub(rf"(?<![\w^]){_GROUP}", r"\1", text)
    text = re.sub(r"\^\s*\\top\b", "ᵀ", text)
    text = re.sub(r"\\([A-Za-z]+)", _symbol, text)
    text = re.sub(r"([∂∇]) ", r"\1", text)
    return " ".join(re.sub(r"[{}\\]", "", text).split())


def _fraction(match: re.Match[str]) -> str:
    return f"{_one(match[1])}/{_one(match[2])}"


def _argument(match: re.Match[str]) -> str:
    return match[1].replace("\\sqrt", "√") + _one(match[2])


def _one(text: str) -> str:
    """Return a text as one thing: in brackets, unless it is a name, a number or indexed."""
    return text if re.fullmatch(r"\s*[-−]?(\w|\\[A-Za-z]+)*\s*", text) else f"({text.strip()})"


def _symbol(match: re.Match[str]) -> str:
    name = match[1]
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {name.upper()}")
    except KeyError:
        return name  # a function such as tanh

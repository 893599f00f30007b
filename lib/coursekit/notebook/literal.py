"""Write values as Python source that people can read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

WIDTH = 96


@dataclass(frozen=True)
class Call:
    """A call to be written: of ``function``, with these arguments."""

    function: str
    args: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Code:
    """An expression to be written as it is."""

    text: str


def literal(value: Any, indent: int = 0, used: int = 0) -> str:
    """Return source whose value is ``value``: on one line where it fits, else one item a line.

    ``indent`` is where its lines start, ``used`` how much of the first line stands before it;
    both in characters.
    """
    line = _one_line(value)
    if indent + used + len(line) <= WIDTH:
        return line
    inner = indent + 4
    pad = "\n" + " " * inner
    if isinstance(value, str):
        pieces = _wrapped(value, WIDTH - inner - 2)
        if len(pieces) == 1:
            return line
        return "(" + "".join(pad + _one_line(piece) for piece in pieces) + _close(indent, ")")
    if isinstance(value, Mapping):
        items = [_item(_one_line(key) + ": ", item, inner) for key, item in value.items()]
        return "{" + "".join(pad + item + "," for item in items) + _close(indent, "}")
    if isinstance(value, list | tuple):
        items = [_item("", item, inner) for item in value]
        return "[" + "".join(pad + item + "," for item in items) + _close(indent, "]")
    if isinstance(value, Call):
        items = [_item("", item, inner) for item in value.args]
        items += [_item(f"{key}=", item, inner) for key, item in value.keywords.items()]
        return f"{value.function}(" + "".join(pad + i + "," for i in items) + _close(indent, ")")
    return line


def _item(before: str, value: Any, indent: int) -> str:
    return before + literal(value, indent, len(before) + 1)


def _close(indent: int, bracket: str) -> str:
    return "\n" + " " * indent + bracket


def _one_line(value: Any) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Code):
        return value.text
    if isinstance(value, Mapping):
        items = [f"{_one_line(key)}: {_one_line(item)}" for key, item in value.items()]
        return "{" + ", ".join(items) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_one_line, value)) + "]"
    if isinstance(value, Call):
        items = [_one_line(item) for item in value.args]
        items += [f"{key}={_one_line(item)}" for key, item in value.keywords.items()]
        return f"{value.function}({', '.join(items)})"
    return repr(value)


def _wrapped(text: str, width: int) -> list[str]:
    """Return pieces of ``text``, cut after spaces, that together are ``text``."""
    pieces = [""]
    for word in text.split(" "):
        if pieces[-1] and len(_one_line(pieces[-1] + word)) > width:
            pieces.append("")
        pieces[-1] += word + " "
    pieces[-1] = pieces[-1].removesuffix(" ")
    return [piece for piece in pieces if piece]

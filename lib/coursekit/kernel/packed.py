"""What a check cell knows of its exercise, as one word that nobody reads by accident.

The word is JSON, compressed and in Base64. That hides nothing from a reader who wants to know; it
keeps the right option of a quiz from being read on the way to the next cell. A notebook that is
handed out as graded work has no right answers in it in the first place.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from coursekit._parsons import Parsons
from coursekit.questions import AutoGraded, Choice, Numeric, Option

_LEFT_OUT = frozenset({"statement", "unit", "works", "picture"})
_KINDS: dict[str, type[AutoGraded]] = {kind.kind: kind for kind in (Choice, Numeric, Parsons)}


class ChangedCellError(ValueError):
    """A check cell that was changed, or that another version of coursekit has written."""

    def __init__(self) -> None:
        super().__init__(
            "this check cell has been changed, or is of another version than the course's library "
            "here: take the notebook again, as it was published, with the library beside it"
        )

    def _render_traceback_(self) -> list[str]:  # Jupyter shows this in place of a traceback.
        return [str(self)]


def pack(about: Mapping[str, Any]) -> str:
    """Return a JSON object as one word."""
    text = json.dumps(about, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def unpack(word: str) -> dict[str, Any]:
    """Return the object that `pack` was given.

    Raises
    ------
    ChangedCellError
        The word has been changed.
    """
    try:
        data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(word)))
    except (ValueError, zlib.error):
        raise ChangedCellError from None
    return data


def question_data(question: AutoGraded) -> dict[str, Any]:
    """Return all that grades a question, ready for JSON."""
    data: dict[str, Any] = {"kind": question.kind}
    for field in fields(question):
        if field.name not in _LEFT_OUT:
            data[field.name] = _plain(getattr(question, field.name))
    return data


def question_of(data: Mapping[str, Any]) -> AutoGraded:
    """Return the question that `question_data` was given, without its text.

    Raises
    ------
    ChangedCellError
        The data are another version's.
    """
    try:
        return _question(data)
    except (KeyError, TypeError):
        raise ChangedCellError from None


def _question(data: Mapping[str, Any]) -> AutoGraded:
    given = {key: value for key, value in data.items() if key != "kind"}
    if data["kind"] == Choice.kind:
        given["options"] = {key: Option(**option) for key, option in data["options"].items()}
    elif data["kind"] == Parsons.kind:
        given["orders"] = tuple(map(tuple, data["orders"]))
        given["mistakes"] = {id: tuple(pattern) for id, pattern in data["mistakes"].items()}
    return _KINDS[data["kind"]](statement="", **given)


def _plain(value: Any) -> Any:
    """Return numbers of any array library, options and tuples as JSON has them."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, Option):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value

"""Pack what a check cell knows of its exercise into one word that nobody reads by accident.

The word is JSON, compressed and in Base64. That hides nothing from a reader who wants to know; it
keeps the right option of a quiz from being read on the way to the next cell. A notebook that is
handed out as graded work has no right answers in it in the first place.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any


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
    """Return a JSON object, which may have dataclasses, as one word."""
    text = json.dumps(about, ensure_ascii=False, separators=(",", ":"), default=asdict)
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

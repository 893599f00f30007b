"""Bring students' ids into one form, wherever they come from."""

from __future__ import annotations

import hashlib
import unicodedata

_LONGEST = 200


def printable(name: str) -> str:
    """Return a student's id without separators and invisible characters, as files can hold it.

    A longer one than any real id ends with a digest: two that begin alike stay two.
    """
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() and c not in "/\\" else f"%{ord(c):02x}" for c in text)
    id = shown.strip() or "%"
    if len(id) > _LONGEST:
        id = f"{id[: _LONGEST - 17]}~{hashlib.sha256(id.encode()).hexdigest()[:16]}"
    return name if id == name else id  # the same string where possible: a class has many names


def identifier(name: str) -> str:
    """Return the one form in which a student's id is compared and stored, wherever it comes from.

    A Mac's file system and an LMS may spell one name with other characters: *ë* is one or two.
    """
    return printable(unicodedata.normalize("NFC", name))

"""Read the tables that an LMS exports."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from coursekit.errors import CoursekitError

_SEPARATORS = ",;\t"


def read_table(exported: Path) -> tuple[list[list[str]], str]:
    """Return the file's lines, the header first, and what separates its cells."""
    csv.field_size_limit(1 << 26)  # feedback comments are long
    try:
        text = exported.read_text(encoding="utf-8-sig")  # both systems may write a byte order mark
        header = text.split("\n", 1)[0]
        separator = max(_SEPARATORS, key=header.count)
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        table = [row for row in lines if row]
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise CoursekitError(f"cannot read {exported}: {reason}") from None
    except csv.Error as error:
        raise CoursekitError(f"cannot read {exported}: {error}") from None
    if not table:
        raise CoursekitError(f"{exported} is empty")
    return table, separator

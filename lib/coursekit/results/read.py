"""Read the file of results that ``coursekit grade`` writes: one JSON object a line."""

from __future__ import annotations

import codecs
import json
from pathlib import Path

from coursekit.errors import CoursekitError
from coursekit.private_files import make_private
from coursekit.row import Row


def read_results(file: Path) -> list[Row]:
    """Return the rows of a file, by assignment and student.

    Where an assignment was graded again, the last line counts.

    Raises
    ------
    CoursekitError
        The file is missing, empty, or has a line that is not a result; the message names the line.
    """
    if file.is_file():
        make_private(file, keep=0o055)  # its owner decides who may read it
    try:
        # Half a character at the end is the rest of a row, too.
        text = codecs.getincrementaldecoder("utf-8")().decode(file.read_bytes())
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise CoursekitError(f"cannot read the results in {file}: {reason}") from None
    rows: dict[tuple[str, str], Row] = {}
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if line.strip():
            row = _row(line, f"{file}, line {number}")
            rows[row.assignment, row.student] = row
    if not rows:
        raise CoursekitError(f"{file} holds no results; `coursekit grade` writes them")
    return [rows[key] for key in sorted(rows)]


def _row(line: str, where: str) -> Row:
    try:
        return Row.from_json(json.loads(line))
    except KeyError as error:
        raise CoursekitError(f"{where} is not a result: it lacks {error}") from None
    except (ValueError, TypeError, AttributeError):
        if line.startswith("{") and not line.endswith("\n"):
            raise CoursekitError(
                f"{where} ends in the middle: the run that wrote it was stopped. Run the same "
                "`coursekit grade` again, which mends the line and goes on from there"
            ) from None
        raise CoursekitError(
            f"{where} is not a result; expected a line that `coursekit grade` wrote"
        ) from None

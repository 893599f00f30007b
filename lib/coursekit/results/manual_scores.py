"""Points that a person gave: read from nbgrader's gradebook, where formgrader keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from coursekit.errors import CoursekitError
from coursekit.inert import plain_name
from coursekit.results.read import Result

_SQLITE = "sqlite:///"


def with_gradebook(results: Sequence[Result], url: str) -> list[Result]:
    """Return the results with the gradebook's scores: prose graded, penalties taken off.

    Raises
    ------
    CoursekitError
        There is no such gradebook, or it lacks one of the results.
    """
    from coursekit.grade.gradebook import open_gradebook

    file = url.removeprefix(_SQLITE)
    if file != url and not Path(file).is_file():  # it would be made, and be empty
        raise CoursekitError(f"{url}: no such gradebook; `coursekit grade --gradebook` makes it")
    with open_gradebook(url) as gradebook:
        return [_scored(gradebook, result) for result in results]


def _scored(gradebook: Any, result: Result) -> Result:
    from nbgrader.api import MissingEntry

    try:
        found = gradebook.find_submission(result.assignment, plain_name(result.student))
    except MissingEntry:
        raise CoursekitError(
            f"the gradebook has no grades of {result.student} for {result.assignment}; "
            "run `coursekit grade --gradebook` first"
        ) from None
    score = max(found.score - found.late_submission_penalty, 0.0)
    return replace(result, score=score, needs_manual=bool(found.needs_manual_grade))

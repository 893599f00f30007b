"""Formgrader's list tells the truth about what was graded, by nbgrader's own interface."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from coursekit.cli import main
from coursekit.grade.gradebook import open_gradebook

from .conftest import BANK, CHAPTER, FULL
from .test_gradebook import course, database, grade, released

__all__ = ["course", "released"]  # fixtures
pytestmark = pytest.mark.usefixtures("unconfined")

#: What nbgrader's exchange may have noted, and the zone that its settings name.
RECORDS = {
    "anton": "2025-11-02 22:59:00.123456 UTC\n",
    "berta": "2025-07-02 22:59:00.5 CEST\n",
    "carla": None,
}


def noted(course: Path, records: dict[str, str | None]) -> None:
    for student, text in records.items():
        record = course / "submitted" / student / CHAPTER / "timestamp.txt"
        record.unlink(missing_ok=True)
        if text is not None:
            record.write_text(text)


def listed(course: Path) -> dict[str, tuple[Any, ...]]:
    """Return what formgrader's list shows of each student, by nbgrader's own interface."""
    config = Config()
    config.CourseDirectory.root = str(course)
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    assert api.get_autograded_students(CHAPTER) == set(RECORDS)
    names = ("autograded", "score", "max_score", "needs_manual_grade")
    return {s["student"]: tuple(s[name] for name in names) for s in api.get_submissions(CHAPTER)}


GRADED = {
    "anton": (True, FULL, FULL + 2, True),
    "berta": (True, 0.0, FULL + 2, False),
    "carla": (True, 0.0, FULL + 2, False),
}


def test_everybody_is_shown_as_graded_whatever_was_noted(course):
    for records in (
        dict.fromkeys(RECORDS),
        RECORDS,
        {**RECORDS, "anton": "2025-11-05 00:00:00 Europe/Berlin", "carla": "2025-11-01T10:00:00"},
        dict.fromkeys(RECORDS),
    ):
        noted(course, records)
        grade(course)
        assert listed(course) == GRADED


def test_a_gradebook_that_comes_later_is_right_as_well(course):
    noted(course, RECORDS)
    grade(course, "sqlite://")
    grade(course)
    assert listed(course) == GRADED


def test_another_time_leaves_a_persons_points_alone(course):
    grade(course)
    with open_gradebook(database(course)) as gradebook:
        cell_grade = gradebook.find_grade("questions-text-why", CHAPTER, CHAPTER, "anton")
        cell_grade.manual_score, cell_grade.needs_manual_grade = 1.5, False
        gradebook.db.commit()
    noted(course, RECORDS)
    grade(course)
    with open_gradebook(database(course)) as gradebook:
        cell_grade = gradebook.find_grade("questions-text-why", CHAPTER, CHAPTER, "anton")
        assert (cell_grade.manual_score, cell_grade.needs_manual_grade) == (1.5, False)
        time = gradebook.find_submission(CHAPTER, "anton").timestamp
    assert time == datetime(2025, 11, 2, 22, 59, 0, 123456)
    assert listed(course)["anton"] == (True, FULL + 1.5, FULL + 2, False)


def test_export_has_the_row_s_time_where_the_gradebook_s_is_older(course, capsys):
    noted(course, RECORDS)
    grade(course)
    noted(course, {"anton": "2025-11-05 10:00:00 UTC"})
    words = ["grade", CHAPTER, str(course / "submitted"), "--results"]
    words += [str(course / "results.jsonl"), "--exercises", str(BANK), "--jobs", "1"]
    assert main(words) == 0
    assert "(1 with another time of submission)" in capsys.readouterr().out
    words = ["export", str(course / "results.jsonl"), "--format", "nbgrader"]
    times = []
    for more in ([], ["--gradebook", database(course)]):
        assert main([*words, *more]) == 0
        table = csv.DictReader(io.StringIO(capsys.readouterr().out))
        times.append([row["timestamp"] for row in table])
    assert times[0] == times[1]
    assert times[0][0] == "2025-11-05 10:00:00"


def test_work_that_cannot_be_graded_is_shown_as_graded(course):
    noted(course, RECORDS)
    folder = course / "submitted" / "carla" / CHAPTER
    for name in ("one.ipynb", "two.ipynb"):
        (folder / name).write_text("{}")
    (folder / f"{CHAPTER}.ipynb").unlink()
    noted(course, {"carla": "2025-11-02 22:59:00.7 UTC"})
    grade(course)
    assert listed(course) == GRADED


def test_who_handed_in_nothing_is_not_in_the_gradebook(course, capsys):
    (course / "submitted" / "dora").mkdir()
    grade(course)
    assert "dora: not_submitted (it has no arithmetic.ipynb)" in capsys.readouterr().out
    assert listed(course) == GRADED
    assert not (course / "autograded" / "dora").exists()
    words = ["export", str(course / "results.jsonl"), "--gradebook", database(course)]
    assert main([*words, "--format", "totals"]) == 0
    assert "dora,,0\n" in capsys.readouterr().out

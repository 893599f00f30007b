"""Exercises change over the years: rows of several versions, and rows from before versions."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coursekit.cli import main
from coursekit.define import DefinitionError
from coursekit.results import read_results
from coursekit.results.items import items
from coursekit.row import Row

from .conftest import row

MIXED = (
    "numbers: double was graded in version 1 (1 submission), version 2 (2 submissions); "
    "each counts by the points of its own version\n"
)
CANVAS = "Student,ID,SIS Login ID,numbers (7)\n{points}Ada,1,ada,\nBob,2,bob,\nEve,3,eve,\n"


def of_version(version: int, student: str, *points: float, **changes: Any) -> dict[str, Any]:
    return row(
        student, *points, course=f"sums {version}.0", versions={"double": version}, **changes
    )


def larger(student: str, small: float) -> dict[str, Any]:
    """Return a row of version 2, in which the check ``small`` has eight points."""
    made = of_version(2, student, small, 1.0, max_score=9.0)
    made["checks"][0] |= {"max_points": 8.0}
    return made


def test_an_exercise_says_its_version(write_exercise: Callable[..., Any]) -> None:
    assert write_exercise().version == 1
    changed = write_exercise(edits={"exercise(": "exercise(version=2,"})
    assert changed.version == 2


@pytest.mark.parametrize("version", ["0", "-1", "1.5", "True", '"2"'])
def test_a_version_is_a_whole_number(write_exercise: Callable[..., Any], version: str) -> None:
    with pytest.raises(DefinitionError, match="expected a whole number, 1 or more"):
        write_exercise(edits={"exercise(": f"exercise(version={version},"})


def test_a_quiz_has_one_version_for_all_its_questions(write_exercise: Callable[..., Any]) -> None:
    from .conftest import QUIZ

    assert write_exercise(QUIZ, "twice", {"quiz(": "quiz(version=3,"}).version == 3


def test_a_row_from_before_versions_is_of_version_1(results) -> None:
    (old,) = read_results(results(row("ada", 2, 1)))
    assert (old.course, old.version_of("double")) == ("", 1)
    (new,) = read_results(results(of_version(4, "ada", 2, 1)))
    assert (new.course, new.version_of("double"), new.version_of("other")) == ("sums 4.0", 4, 1)
    assert Row.from_json(new.as_json()) == new


@pytest.mark.parametrize("versions", [{"double": 0}, {"double": "2"}, {"double": True}, [2], 2])
def test_a_version_that_is_none_is_no_result(results, capsys, versions: Any) -> None:
    assert main(["stats", str(results(row("ada", 2, 1, versions=versions)))]) == 2
    assert "line 1 is not a result" in capsys.readouterr().err


def test_feedback_says_the_version_and_the_course(results, capsys) -> None:
    assert main(["feedback", str(results(of_version(2, "ada", 0, 0))), "-o", "out"]) == 0
    page = Path("out/ada.html").read_text(encoding="utf-8")
    assert "<small>version 2</small>" in page
    assert "graded as version 2 of the exercise; the course has version 1 now" in page
    assert "Graded by sums 2.0." in page
    assert "Hints" not in page  # those of version 1


def test_feedback_of_the_present_version_says_nothing_more(results) -> None:
    assert main(["feedback", str(results(row("ada", 0, 0))), "-o", "out"]) == 0
    page = Path("out/ada.html").read_text(encoding="utf-8")
    assert "version" not in page
    assert "Hints" in page


def test_several_versions_are_named_in_one_line(results, capsys) -> None:
    rows = row("ada", 2, 1), of_version(2, "bob", 2, 1), of_version(2, "eve", 2, 1)
    assert main(["export", str(results(*rows)), "--format", "totals"]) == 0
    assert capsys.readouterr().err == MIXED
    assert main(["export", str(results(rows[1], rows[2])), "--format", "totals"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ("    Points Possible,,,9\n", ""),
        ("", "points to earn differ between submissions: scores are scaled to 9"),
    ],
)
def test_points_of_several_versions_are_comparable(results, capsys, points, said) -> None:
    # All points are all points, whether there are 3 or 9.
    Path("canvas.csv").write_text(CANVAS.format(points=points), encoding="utf-8")
    file = results(row("ada", 2, 1), larger("bob", 8.0), larger("eve", 0.0))
    command = ["export", str(file), "--format", "canvas", "--lms-file", "canvas.csv"]
    assert main(command) == 0
    shown = capsys.readouterr()
    grades = {r["SIS Login ID"]: r["numbers (7)"] for r in csv.DictReader(io.StringIO(shown.out))}
    assert {name: grades[name] for name in ("ada", "bob", "eve")} == {
        "ada": "9",
        "bob": "9",
        "eve": "1",
    }
    assert said in shown.err


def test_totals_are_shares_of_each_versions_points(results, capsys) -> None:
    file = results(row("ada", 2, 1), larger("bob", 8.0), larger("eve", 0.0))
    assert main(["export", str(file), "--format", "totals"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.rpartition(",")[2] for line in lines[1:]] == ["100", "100", "11.1111"]


def test_statistics_keep_versions_apart(results, capsys) -> None:
    file = results(row("ada", 2, 1), larger("bob", 8.0), larger("eve", 0.0))
    shares = {(i.assignment, i.check): i.share for i in items(read_results(file))}
    assert shares == {
        ("numbers (double version 1)", "small"): 1.0,
        ("numbers (double version 1)", "negative"): 1.0,
        ("numbers (double version 2)", "small"): 0.5,
        ("numbers (double version 2)", "negative"): 1.0,
    }
    assert main(["stats", str(file), "--figure", "stats.svg"]) == 0
    shown = capsys.readouterr().out
    assert "numbers (double version 1): 1 submission" in shown
    assert "numbers (double version 2): 2 submissions" in shown

"""What a person gave in nbgrader's gradebook is in feedback, statistics and every export."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from coursekit.assignment.course import nbgrader
from coursekit.cli import main
from coursekit.grade.gradebook import open_gradebook, write_gradebook
from coursekit.row import Row

from .conftest import row

URL = "sqlite:///gradebook.db"
COMMENT = "Well <b>argued</b>.\nName an example."


def with_prose(student: str, *points: float, **changes: Any) -> dict[str, Any]:
    """Return the row of a student whose prose, three points of six, waits for a person."""
    made = row(student, *points, reason="", max_score=6.0, needs_manual=True)
    prose = {"exercise": "twice", "check": "why", "points": 0.0, "max_points": 3.0}
    prose |= {"hidden": False, "status": "manual", "message": "A person reads it."}
    made["checks"].append({**prose, "misconception": None, "explanation": ""})
    return made | changes


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty gradebook: nbgrader takes seconds to make one."""
    file = tmp_path_factory.mktemp("empty") / "gradebook.db"
    with open_gradebook(f"sqlite:///{file}"):
        return file


@pytest.fixture
def graded(results, numbers, empty: Path) -> Callable[..., str]:
    """Return a function that writes rows into a results file and into a gradebook."""
    shutil.copy(empty, "gradebook.db")

    def write(*rows: dict[str, Any]) -> str:
        exercises = [e for e in numbers.chapter("numbers") if e.id in ("double", "twice")]
        made = [Row.from_json(row) for row in rows]
        write_gradebook(URL, "numbers", exercises, made, fresh=[row.student for row in made])
        return str(results(*rows))

    return write


def by_hand(student: str, cell: str, **values: Any) -> None:
    """Change a grade, or with ``comment`` what stands below an answer, as formgrader does."""
    with open_gradebook(URL) as gradebook:
        place = (cell, "numbers", "numbers", student)
        if "comment" in values:
            gradebook.find_comment(*place).manual_comment = values.pop("comment")
        if values:
            grade = gradebook.find_grade(*place)
            for name, value in values.items():
                setattr(grade, name, value)
            grade.needs_manual_grade = False
        gradebook.db.commit()


def export(capsys: pytest.CaptureFixture[str], file: str, *words: str) -> str:
    """Return what an export prints."""
    capsys.readouterr()
    assert main(["export", file, *words, "--gradebook", URL]) == 0
    return capsys.readouterr().out


@pytest.fixture
def ada(graded) -> str:
    """Return the results of a class in which a person has graded Ada's prose, and not Bob's."""
    file = graded(with_prose("ada", 2, 0), with_prose("bob", 2, 1))
    by_hand("ada", "twice-text-why", manual_score=2.5, comment=COMMENT)
    by_hand("ada", "double-check-negative", manual_score=1.0, extra_credit=0.5)
    by_hand("ada", "double-answer", comment="Nearly.")
    return file


def test_feedback_shows_points_and_comments(ada) -> None:
    assert main(["feedback", ada, "-o", "out", "--gradebook", URL]) == 0
    page, bob = (Path(f"out/{name}.html").read_text(encoding="utf-8") for name in ("ada", "bob"))
    assert "numbers: 6 of 6 points" in page
    assert "2.5 / 3" in page
    assert "1.5 / 1" in page
    assert "<b>Comment:</b> Well &lt;b&gt;argued&lt;/b&gt;.\nName an example." in page
    assert "<b>Comment:</b> Nearly." in page
    assert "still to be graded" not in page
    assert "numbers: 3 of 6 points" in bob
    assert "Prose answers are still to be graded." in bob
    assert "Comment:" not in bob


def test_statistics_count_them(ada, capsys) -> None:
    assert main(["stats", ada, "--gradebook", URL]) == 0
    said = capsys.readouterr()
    assert "mean of all 4.50 of 6 points" in said.out
    assert "twice · why" not in said.out  # Bob's still waits
    assert "1 submission with prose to be graded: bob" in said.err
    by_hand("bob", "twice-text-why", manual_score=0.5)
    assert main(["stats", ada, "--gradebook", URL]) == 0
    assert "twice · why          50%" in capsys.readouterr().out


def test_every_export_has_them(ada, capsys) -> None:
    rows = csv.DictReader(io.StringIO(export(capsys, ada, "--format", "nbgrader")))
    assert [(r["raw_score"], r["score"]) for r in rows] == [("6.0", "6.0"), ("3.0", "3.0")]
    rows = csv.DictReader(io.StringIO(export(capsys, ada, "--format", "totals")))
    assert [r["total (%)"] for r in rows] == ["100", "50"]
    Path("canvas.csv").write_text("Student,SIS Login ID\nA,ada\nB,bob\n", encoding="utf-8")
    assert "A,ada,6\nB,bob,3\n" in export(
        capsys, ada, "--format", "canvas", "--lms-file", "canvas.csv"
    )


def test_comments_go_where_moodle_has_a_place_for_them(ada, capsys) -> None:
    Path("moodle.csv").write_text(
        "Username,Grade,Maximum Grade,Feedback comments\nada,,6,\nbob,,6,Written there.\n",
        encoding="utf-8",
    )
    by_hand("bob", "double-answer", comment="Written here.")
    words = ["--format", "moodle", "--lms-file", "moodle.csv"]
    ada_s, bob_s = csv.DictReader(io.StringIO(export(capsys, ada, *words)))
    assert ada_s["Grade"] == "6"
    assert ada_s["Feedback comments"] == (
        "double: Nearly.<br>twice · why: Well &lt;b&gt;argued&lt;/b&gt;.<br>Name an example."
    )
    assert bob_s["Feedback comments"] == "Written there."


def test_our_table_is_nbgrader_s_own(ada, capsys) -> None:
    ours = {
        r["student_id"]: (float(r["raw_score"]), float(r["score"]), r["timestamp"])
        for r in csv.DictReader(io.StringIO(export(capsys, ada, "--format", "nbgrader")))
    }
    Path("nbgrader_config.py").touch()
    nbgrader(Path(), "export", "--to", "theirs.csv", f"--CourseDirectory.db_url={URL}")
    with Path("theirs.csv").open(encoding="utf-8", newline="") as file:
        theirs = {
            r["student_id"]: (float(r["raw_score"]), float(r["score"]), r["timestamp"])
            for r in csv.DictReader(file)
        }
    assert ours == theirs


def test_a_regrade_keeps_what_a_person_gave(ada, graded, capsys) -> None:
    better = with_prose("ada", 0, 1, key="newer")
    graded(better, with_prose("bob", 2, 1))
    with open_gradebook(URL) as gradebook:
        place = ("numbers", "numbers", "ada")
        given = {
            cell: gradebook.find_grade(cell, *place)
            for cell in ("twice-text-why", "double-check-negative", "double-check-small")
        }
        assert [g.manual_score for g in given.values()] == [2.5, 1.0, None]
        assert [g.auto_score for g in given.values()] == [None, 1.0, 0.0]
        assert [g.needs_manual_grade for g in given.values()] == [True, True, False]
        assert given["double-check-negative"].extra_credit == 0.5
        assert gradebook.find_comment("twice-text-why", *place).manual_comment == COMMENT
        assert gradebook.find_comment("double-answer", *place).manual_comment == "Nearly."
    rows = csv.DictReader(io.StringIO(export(capsys, "results.jsonl", "--format", "nbgrader")))
    assert next(rows)["raw_score"] == "4.0"


def test_a_manual_score_that_outlives_a_better_hand_in_is_named(ada, graded, capsys) -> None:
    by_hand("ada", "double-check-negative", manual_score=0.5, extra_credit=None)
    graded(with_prose("ada", 2, 1, key="newer"), with_prose("bob", 2, 1))
    capsys.readouterr()
    assert main(["feedback", "results.jsonl", "-o", "out", "--gradebook", URL]) == 0
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "1 submission with prose to be graded: bob"
    assert said[1].startswith("1 submission with manual scores of an earlier version")
    assert "still count: ada (negative, why); confirm or clear them in formgrader" in said[1]
    page = Path("out/ada.html").read_text(encoding="utf-8")
    assert "0.5 / 1" in page
    assert "given by a person for an earlier version of your work" in page
    assert "Prose answers" not in page
    by_hand("ada", "double-check-negative", manual_score=1.0)  # a look in formgrader confirms
    by_hand("ada", "twice-text-why", manual_score=3.0)
    assert main(["feedback", "results.jsonl", "-o", "out", "--gradebook", URL]) == 0
    assert "earlier version" not in capsys.readouterr().err


def test_a_message_goes_with_the_verdict_that_a_person_changed(ada) -> None:
    assert main(["feedback", ada, "-o", "out", "--gradebook", URL]) == 0
    page = Path("out/ada.html").read_text(encoding="utf-8")
    negative = next(line for line in page.splitlines() if "1.5 / 1" in line)
    assert "sign is lost" not in negative


def test_results_that_are_newer_than_the_gradebook_are_told(ada, results, capsys) -> None:
    file = str(results(with_prose("ada", 0, 0), with_prose("bob", 2, 1)))
    assert main(["export", file, "--format", "nbgrader", "--gradebook", URL]) == 0
    said = capsys.readouterr()
    assert "1 result newer than the gradebook, whose points count" in said.err
    assert ",6.0,0.0,6.0,6.0" in said.out


def test_points_for_a_cell_of_one_s_own_count(graded, capsys) -> None:
    file = graded(with_prose("ada", 2, 1), with_prose("bob", 2, 1))
    by_hand("ada", "twice-check-pair", manual_score=1.0)  # which no row knows
    rows = list(csv.DictReader(io.StringIO(export(capsys, file, "--format", "nbgrader"))))
    assert [(r["raw_score"], r["max_score"]) for r in rows] == [("4.0", "7.0"), ("3.0", "7.0")]


def test_nbgrader_s_dates_and_penalty_count_unless_rules_say_otherwise(graded, capsys) -> None:
    late = with_prose("ada", 2, 1, timestamp="2026-11-04T00:00:00+01:00")
    file = graded(late)
    with open_gradebook(URL) as gradebook:
        gradebook.find_assignment("numbers").duedate = datetime(2026, 11, 2)
        submission = gradebook.find_submission("numbers", "ada")
        assert submission.timestamp == datetime(2026, 11, 3, 23)
        submission.extension = timedelta(days=1)
        submission.notebooks[0].late_submission_penalty = 1.0
        gradebook.db.commit()
    (ada,) = csv.DictReader(io.StringIO(export(capsys, file, "--format", "nbgrader")))
    assert (ada["duedate"], ada["timestamp"]) == ("2026-11-03 00:00:00", "2026-11-03 23:00:00")
    assert (ada["late_submission_penalty"], ada["score"]) == ("1.0", "2.0")
    Path("policy.toml").write_text("[late]\npercent_per_day = 50\n")
    words = ["--format", "nbgrader", "--policy", "policy.toml"]
    (ada,) = csv.DictReader(io.StringIO(export(capsys, file, *words)))
    assert (ada["late_submission_penalty"], ada["score"]) == ("1.5", "1.5")


def test_who_handed_in_no_longer_need_not_be_in_the_gradebook(graded, results, capsys) -> None:
    graded(with_prose("ada", 2, 1))
    file = str(results(with_prose("ada", 2, 1), with_prose("eve", 0, 0, withdrawn=True)))
    assert "eve" not in export(capsys, file, "--format", "nbgrader")


@pytest.mark.parametrize(
    "words", [["stats"], ["feedback", "-o", "out"], ["export", "--format", "totals"]]
)
def test_a_gradebook_that_is_not_there_is_one_line_everywhere(results, capsys, words) -> None:
    assert main([*words, str(results(row("a", 2, 1))), "--gradebook", "sqlite:///none.db"]) == 2
    assert "no such gradebook; `coursekit grade --gradebook`" in capsys.readouterr().err
    assert not Path("none.db").exists()


def test_an_earlier_attempt_has_the_points_for_prose_and_no_others(graded, capsys) -> None:
    time = "2026-11-0{}T10:00:00+00:00".format
    first = with_prose("ada", 2, 1, work="first", timestamp=time(1))
    file = graded(with_prose("ada", 2, 0, work="last", timestamp=time(2), attempts=[first]))
    by_hand("ada", "twice-text-why", manual_score=2.5)
    by_hand("ada", "double-check-negative", manual_score=0.5)
    Path("policy.toml").write_text("[assignments.numbers]\nattempts = 'best'\n")
    words = ["--format", "nbgrader", "--policy", "policy.toml"]
    (ada,) = csv.DictReader(io.StringIO(export(capsys, file, *words)))
    assert (ada["score"], ada["timestamp"]) == ("5.5", "2026-11-01 10:00:00")
    # What a person gives may make the last attempt the better one again.
    by_hand("ada", "double-check-negative", manual_score=1.0, extra_credit=0.5)
    (ada,) = csv.DictReader(io.StringIO(export(capsys, file, *words)))
    assert (ada["score"], ada["timestamp"]) == ("6.0", "2026-11-02 10:00:00")

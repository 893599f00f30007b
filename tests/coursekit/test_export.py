"""Grades in the form in which an LMS or nbgrader takes them."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import row

Fill = Callable[..., str]


@pytest.fixture
def fill(results, run) -> Fill:
    """Return a function that fills rows into an LMS's file; it returns what was printed."""

    def filled(lms: str, text: str, *rows: dict[str, Any], more: str = "", status: int = 0) -> str:
        Path(f"{lms}.csv").write_text(text, encoding="utf-8")
        words = ["export", results(*rows), "--format", lms, "--lms-file", f"{lms}.csv"]
        said = run(*words, *shlex.split(more), status=status)
        return said.err if status == 2 else said.out + said.err

    return filled


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def column(text: str, name: str) -> list[str]:
    """Return the cells of a table's column; what was said below it has none."""
    return [line[name] for line in table(text) if line[name] is not None]


def test_nbgrader_columns(results, run) -> None:
    file = results(row("ada", 2, 1), row("=cmd()", 0, 1))
    rows = table(run("export", file, "--format", "nbgrader").out)
    assert list(rows[0]) == [
        "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
        "raw_score", "late_submission_penalty", "score", "max_score",
    ]  # fmt: skip
    assert [(r["student_id"], r["score"]) for r in rows] == [("'=cmd()", "1.0"), ("ada", "3.0")]


CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,numbers (77),Other (78)
    Points Possible,,,,,3,5
"Lovelace, Ada",11,s11,ada@a.b,One,,4
"Babbage, Bob",12,s12,bob@a.b,One,1,
"""


def test_canvas_is_filled_in(fill: Fill) -> None:
    done = fill("canvas", "\ufeff" + CANVAS, row("ADA@a.b", 2, 1), row("bob@a.b", 2, 0))
    filled = CANVAS.replace("One,,4", "One,3,4").replace("One,1,", "One,2,")
    assert done == f"\ufeff{filled}"  # for Excel, as it was


def test_canvas_points_are_scaled_and_that_is_said(fill: Fill) -> None:
    said = fill("canvas", CANVAS.replace(",,,,,3,5", ",,,,,30,5"), row("ada@a.b", 2, 0))
    assert column(said, "numbers (77)") == ["30", "20", "1"]
    assert "canvas.csv has 30 points: scores are scaled to them" in said


def test_a_student_in_two_sections_has_the_grade_in_both(fill: Fill) -> None:
    twice = CANVAS + CANVAS.splitlines()[2].replace("One", "Two") + "\n"
    done = fill("canvas", twice, row("ada@a.b", 2, 1))
    assert column(done, "numbers (77)") == ["3", "3", "1", "3"]


def test_a_number_that_is_two_students_is_no_guess(fill: Fill) -> None:
    swapped = MOODLE.replace("Ada,ada@a.b", "Ada,302").replace("Bob,bob@a.b", "Bob,301")
    filled = ("moodle", swapped.replace("Email address", "ID number"), row("301", 2, 1))
    assert "name the column that counts, with --id-column" in fill(*filled, row("302"), status=2)
    done = fill(*filled, row("302", 0, 0), more="--id-column Identifier")
    assert column(done, "Grade") == ["100", "0"]


def test_one_student_s_login_that_is_another_s_id_is_no_guess(fill: Fill) -> None:
    filled = ("canvas", CANVAS.replace("ada@a.b", "s12"), row("s12", 2, 1))
    said = fill(*filled, status=2)
    assert "line 3 is s12 by 'SIS Login ID' and nobody by 'SIS User ID'" in said
    done = fill(*filled, more="--id-column 'SIS User ID'")
    assert column(done, "numbers (77)") == ["3", "", "3"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Other (78)", "numbers (78)", "has 'numbers (77)' and 'numbers (78)'"),
        (",One,,4", ',One,"4', "cannot read canvas.csv: "),
        (",One,,4", ",One,,4,5", "line 3 has 8 cells; expected 7"),
        ("SIS Login ID", "Login", "has none of the columns SIS Login ID"),
    ],
)
def test_a_file_that_could_be_misread_is_refused(fill: Fill, old, new, message) -> None:
    only = "--id-column 'SIS Login ID'"
    said = fill("canvas", CANVAS.replace(old, new), row("ada@a.b", 2, 1), more=only, status=2)
    assert message in said


def test_the_assignment_may_have_another_name_in_canvas(fill: Fill) -> None:
    filled = ("canvas", CANVAS, row("s11", 2, 1))
    assert column(fill(*filled, more="--column other"), "Other (78)") == ["5", "5", ""]
    said = fill(*filled, more="--column Oher", status=2)
    assert "canvas.csv has no column 'Oher'; it has 'Student', " in said


def test_canvas_gets_a_column_where_it_has_none(fill: Fill) -> None:
    done = fill("canvas", CANVAS.replace("numbers (77)", "sums (77)"), row("s11", 2, 1))
    assert column(done, "numbers")[:3] == ["3", "3", ""]


MOODLE = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments
Participant 301,Ada,ada@a.b,Submitted,,"100,00",
Participant 302,Bob,bob@a.b,No submission,,"100,00",
"""


def test_moodle_is_filled_in_its_own_points(fill: Fill) -> None:
    said = fill("moodle", MOODLE, row("301", 2, 0), row("eve", 2, 1), status=1)
    assert column(said, "Grade") == ["66.6667", ""]
    assert said.endswith("\n1 not in moodle.csv: eve\n")


@pytest.mark.parametrize(
    ("headings", "who"),
    [
        ("ID,Name,E-Mail-Adresse,Bewertung,Bestwertung,Feedback als Kommentar", "Teilnehmer/in"),
        ("Identifiant,Nom,Adresse de courriel,Note,Note maximale,Commentaires", "Participant "),
        ("ID,Name,E-Mail-Adresse,Bewertung,Bestwertung,Feedback als Kommentar", "Deelnemer "),
    ],
)
def test_moodle_in_another_language_is_filled_in(fill: Fill, headings: str, who: str) -> None:
    done = fill("moodle", f'{headings}\n{who}301,Ada,,"-","100,00",\n', row("301", 2, 0))
    assert done == f'{headings}\n{who}301,Ada,,66.6667,"100,00",\n'


@pytest.mark.parametrize(
    ("saved", "written"),
    [
        (MOODLE.replace("Ada", "Zoë").encode("cp1252"), None),
        (MOODLE.replace(",", "\t").replace("100\t00", "100,00").encode("utf-16"), None),
        (f"sep=,\n{MOODLE}".encode(), None),
        (MOODLE.replace("\n", "\r\n").encode("utf-8-sig"), "\r\n"),
    ],
)
def test_a_list_that_excel_has_saved_is_read(results, run, saved: bytes, written) -> None:
    Path("moodle.csv").write_bytes(saved)
    words = ["--format", "moodle", "--lms-file", "moodle.csv", "-o", "upload.csv"]
    run("export", results(row("301", 2, 1)), *words)
    text = Path("upload.csv").read_bytes().decode("utf-8")
    assert "Submitted,100," in text.replace("\t", ",")
    if written:
        assert text.startswith("\ufeffIdentifier")
        assert text.count("\r\n") == text.count("\n") == 3


@pytest.mark.parametrize(
    ("saved", "message"),
    [
        (b"PK\3\4 workbook", "it is an Excel workbook; save it as *CSV UTF-8*"),
        (b"\xd0\xcf\x11\xe0 its elder", "it is an Excel workbook; save it as *CSV UTF-8*"),
        (MOODLE.replace("Participant 301", "3.01E+02").encode(), "a number of an id, 3.01E+02; "),
        (MOODLE.replace("Participant 301", "301.0").encode(), "export the list again"),
        (b"Identificador,Nota\nParticipante 301,\n", "English, German or French headings"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused_with_what_to_do(results, run, saved, message):
    Path("moodle.csv").write_bytes(saved)
    words = ["export", results(row("301", 2, 1)), "--format", "moodle", "--lms-file", "moodle.csv"]
    assert message in run(*words, status=2).err


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_file_with_another_separator_keeps_it(fill: Fill, separator: str) -> None:
    text = MOODLE.replace(",", separator).replace(f'"100{separator}00"', "100,00")
    done = fill("moodle", text, row("301", 2, 0), row("302", 2, 1))
    cells = [line.split(separator) for line in done.splitlines()]
    assert [line[4] for line in cells] == ["Grade", "66,6667", "100"]
    assert [line[5] for line in cells[1:]] == ["100,00", "100,00"]


def test_a_canvas_file_with_semicolons_and_points_keeps_both(fill: Fill) -> None:
    text = CANVAS.replace("Lovelace, Ada", "Lovelace Ada").replace("Babbage, Bob", "Babbage Bob")
    text = text.replace(",", ";").replace(";3;", ";4.5;")
    rows = fill("canvas", text, row("ada@a.b", 2, 1), row("bob@a.b", 2, 0)).splitlines()[1:4]
    assert [line.split(";")[5] for line in rows] == ["4.5", "4.5", "3"]


def test_an_lms_takes_one_assignment(fill: Fill) -> None:
    rows = (row("ada", 2, 0), row("ada", 1, 0, assignment="others"))
    filled = ("canvas", "Student,SIS Login ID\nA,ada\n", *rows)
    assert "name one with --assignment" in fill(*filled, status=2)
    fill(*filled, more="--assignment numbers")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "canvas"], "give the file exported from Canvas, with --lms-file"),
        (["--format", "moodle", "--lms-file", "none.csv"], "cannot read none.csv: No such file"),
        (
            ["--format", "moodle", "--lms-file", "exercises/numbers/double.py"],
            "cannot read exercises/numbers/double.py",
        ),
        (["--format", "nbgrader", "--lms-file", "x.csv"], "--lms-file is for canvas and moodle"),
        (["--format", "nbgrader", "--id-column", "ID"], "leave it out with --format nbgrader"),
        (["--format", "nbgrader", "--assignment", "x"], "no results for 'x'; known: numbers"),
    ],
)
def test_bad_exports(results, arguments: list[str], message: str, run) -> None:
    assert message in run("export", results(row("ada", 2, 1)), *arguments, status=2).err


def test_prose_that_waits_is_told(results, run) -> None:
    waits = row("a", 2, 0)
    waits["checks"][1]["status"] = "manual"
    said = run("export", results(waits), "--format", "nbgrader").err
    assert said == "1 submission with prose to be graded: a\n"


NBGRADER = """\
assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,max_score
numbers,2026-11-02 22:59:00,2026-11-03 12:00:00,ada,,,,2.5,1.0,1.5,3.0
numbers,2026-11-02 22:59:00,,bob,,,,0.0,0.0,0.0,3.0
"""


@pytest.mark.parametrize(
    ("policy", "ada"),
    [
        ("", "1.5"),  # nbgrader's own penalty
        ("percent_per_day = 20\n", "2"),  # by its due date
        ("percent_per_day = 20\n[duedates]\nnumbers = 2026-11-01T10:00:00Z\n", "1"),
    ],
)
@pytest.mark.usefixtures("numbers")
def test_the_table_of_nbgrader_is_filled_in_as_results_are(run, policy, ada) -> None:
    Path("marks.csv").write_text(NBGRADER)
    Path("policy.toml").write_text(policy)
    Path("canvas.csv").write_text("Student,SIS Login ID,numbers (7)\nAda,ada,\nBob,bob,\n")
    words = ["export", "marks.csv", "--format", "canvas", "--lms-file", "canvas.csv"]
    said = run(*words, "--policy", "policy.toml")
    assert said.out.splitlines()[1:] == [f"Ada,ada,{ada}", "Bob,bob,"]
    # Whether he has handed in nothing, or earned nothing, the table does not say.
    assert said.err == "1 without a notebook, not graded: bob\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("assignment,duedate\n", "lacks the column timestamp; expected the table of `nbgrader"),
        (NBGRADER.replace("2.5", "many"), "marks.csv, line 2: could not convert string to float"),
        (NBGRADER.replace("2026-11-03", "soon"), "marks.csv, line 2: Invalid isoformat string"),
        (NBGRADER[: NBGRADER.index("numbers")], "marks.csv holds no marks"),
    ],
)
@pytest.mark.usefixtures("numbers")
def test_a_table_that_is_none_is_one_line(run, text: str, message: str) -> None:
    Path("marks.csv").write_text(text)
    (line,) = run("export", "marks.csv", "--format", "nbgrader", status=2).err.splitlines()
    assert message in line

"""Grades in the form in which an LMS or nbgrader takes them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from coursekit.cli import main

from .conftest import row


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_nbgrader_columns(results, capsys: pytest.CaptureFixture[str]) -> None:
    file = results(row("ada", 2, 1), row("=cmd()", 0, 1))
    assert main(["export", str(file), "--format", "nbgrader"]) == 0
    rows = table(capsys.readouterr().out)
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


def test_canvas_is_filled_in(results, capsys: pytest.CaptureFixture[str]) -> None:
    Path("canvas.csv").write_text("\ufeff" + CANVAS, encoding="utf-8")
    file = results(row("ADA@a.b", 2, 1), row("bob@a.b", 2, 0))
    command = ["export", str(file), "--format", "canvas", "--lms-file", "canvas.csv"]
    assert main(command) == 0
    filled = CANVAS.replace("One,,4", "One,3,4").replace("One,1,", "One,2,")
    assert capsys.readouterr().out == f"\ufeff{filled}"  # for Excel, as it was


def test_a_file_of_another_lms_is_refused(results, capsys) -> None:
    german = "ID,E-Mail-Adresse,Bewertung,Zuletzt geändert (Abgabe)\n11,ada@a.b,,-\n"
    Path("canvas.csv").write_text(german, encoding="utf-8")
    command = ["export", str(results(row("11", 2, 1))), "--format", "canvas"]
    assert main([*command, "--lms-file", "canvas.csv"]) == 2
    assert "canvas.csv is a list from Moodle" in capsys.readouterr().err


def test_canvas_points_are_scaled_and_that_is_said(results, capsys) -> None:
    Path("canvas.csv").write_text(CANVAS.replace(",,,,,3,5", ",,,,,30,5"), encoding="utf-8")
    command = ["export", str(results(row("ada@a.b", 2, 0))), "--format", "canvas"]
    assert main([*command, "--lms-file", "canvas.csv"]) == 0
    said = capsys.readouterr()
    assert [r["numbers (77)"] for r in table(said.out)] == ["30", "20", "1"]
    assert "canvas.csv has 30 points: scores are scaled to them" in said.err


def test_a_student_in_two_sections_has_the_grade_in_both(results, capsys) -> None:
    twice = CANVAS + CANVAS.splitlines()[2].replace("One", "Two") + "\n"
    Path("canvas.csv").write_text(twice, encoding="utf-8")
    command = ["export", str(results(row("ada@a.b", 2, 1))), "--format", "canvas"]
    assert main([*command, "--lms-file", "canvas.csv"]) == 0
    grades = [r["numbers (77)"] for r in table(capsys.readouterr().out)]
    assert grades == ["3", "3", "1", "3"]


def test_a_number_that_is_two_students_is_no_guess(results, capsys) -> None:
    swapped = MOODLE.replace("Ada,ada@a.b", "Ada,302").replace("Bob,bob@a.b", "Bob,301")
    swapped = swapped.replace("Email address", "ID number")
    Path("moodle.csv").write_text(swapped, encoding="utf-8")
    command = ["export", str(results(row("301", 2, 1), row("302", 0, 0))), "--format", "moodle"]
    command += ["--lms-file", "moodle.csv"]
    assert main(command) == 2
    assert "name the column that counts, with --id-column" in capsys.readouterr().err
    assert main([*command, "--id-column", "Identifier"]) == 0
    assert [r["Grade"] for r in table(capsys.readouterr().out)] == ["100", "0"]


def test_one_student_s_login_that_is_another_s_id_is_no_guess(results, capsys) -> None:
    Path("canvas.csv").write_text(CANVAS.replace("ada@a.b", "s12"), encoding="utf-8")
    command = ["export", str(results(row("s12", 2, 1))), "--format", "canvas"]
    command += ["--lms-file", "canvas.csv"]
    assert main(command) == 2
    assert "line 3 is s12 by 'SIS Login ID' and nobody by 'SIS User ID'" in capsys.readouterr().err
    assert main([*command, "--id-column", "SIS User ID"]) == 0
    assert [r["numbers (77)"] for r in table(capsys.readouterr().out)] == ["3", "", "3"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Other (78)", "numbers (78)", "has 'numbers (77)' and 'numbers (78)'"),
        (",One,,4", ',One,"4', "cannot read canvas.csv: "),
        (",One,,4", ",One,,4,5", "line 3 has 8 cells; expected 7"),
        ("SIS Login ID", "Login", "no column"),
    ],
)
def test_a_file_that_could_be_misread_is_refused(results, capsys, old, new, message) -> None:
    Path("canvas.csv").write_text(CANVAS.replace(old, new), encoding="utf-8")
    command = ["export", str(results(row("ada@a.b", 2, 1))), "--format", "canvas"]
    done = main([*command, "--lms-file", "canvas.csv", "--id-column", "SIS Login ID"])
    assert done == 2
    said = capsys.readouterr().err
    assert message in said or (message == "no column" and "none of the columns" in said)


def test_the_assignment_may_have_another_name_in_canvas(results, capsys) -> None:
    Path("canvas.csv").write_text(CANVAS, encoding="utf-8")
    words = ["export", str(results(row("s11", 2, 1))), "--format", "canvas"]
    words += ["--lms-file", "canvas.csv", "--column"]
    assert main([*words, "other"]) == 0
    assert [r["Other (78)"] for r in table(capsys.readouterr().out)] == ["5", "5", ""]
    assert main([*words, "Oher"]) == 2
    assert "canvas.csv has no column 'Oher'; it has 'Student', " in capsys.readouterr().err


def test_canvas_gets_a_column_where_it_has_none(results) -> None:
    Path("canvas.csv").write_text(CANVAS.replace("numbers (77)", "sums (77)"), encoding="utf-8")
    command = ["export", str(results(row("s11", 2, 1))), "--format", "canvas"]
    assert main([*command, "--lms-file", "canvas.csv", "-o", "new.csv"]) == 0
    rows = table(Path("new.csv").read_text(encoding="utf-8"))
    assert [r["numbers"] for r in rows] == ["3", "3", ""]


MOODLE = """\
Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments
Participant 301,Ada,ada@a.b,Submitted,,"100,00",
Participant 302,Bob,bob@a.b,No submission,,"100,00",
"""


def test_moodle_is_filled_in_its_own_points(results, capsys: pytest.CaptureFixture[str]) -> None:
    Path("moodle.csv").write_text(MOODLE, encoding="utf-8")
    file = results(row("301", 2, 0), row("eve", 2, 1))
    assert main(["export", str(file), "--format", "moodle", "--lms-file", "moodle.csv"]) == 1
    said = capsys.readouterr()
    assert [r["Grade"] for r in table(said.out)] == ["66.6667", ""]
    assert said.err == "1 not in moodle.csv: eve\n"


@pytest.mark.parametrize(
    ("headings", "who"),
    [
        ("ID,Name,E-Mail-Adresse,Bewertung,Bestwertung,Feedback als Kommentar", "Teilnehmer/in"),
        ("Identifiant,Nom,Adresse de courriel,Note,Note maximale,Commentaires", "Participant "),
        ("ID,Name,E-Mail-Adresse,Bewertung,Bestwertung,Feedback als Kommentar", "Deelnemer "),
    ],
)
def test_moodle_in_another_language_is_filled_in(results, capsys, headings: str, who: str) -> None:
    Path("moodle.csv").write_text(f'{headings}\n{who}301,Ada,,"-","100,00",\n', encoding="utf-8")
    file = results(row("301", 2, 0))
    assert main(["export", str(file), "--format", "moodle", "--lms-file", "moodle.csv"]) == 0
    assert capsys.readouterr().out == f'{headings}\n{who}301,Ada,,66.6667,"100,00",\n'


@pytest.mark.parametrize(
    ("saved", "written"),
    [
        (MOODLE.replace("Ada", "Zoë").encode("cp1252"), None),
        (MOODLE.replace(",", "\t").replace("100\t00", "100,00").encode("utf-16"), None),
        (f"sep=,\n{MOODLE}".encode(), None),
        (MOODLE.replace("\n", "\r\n").encode("utf-8-sig"), "\r\n"),
    ],
)
def test_a_list_that_excel_has_saved_is_read(results, saved: bytes, written: str | None) -> None:
    Path("moodle.csv").write_bytes(saved)
    words = ["--format", "moodle", "--lms-file", "moodle.csv", "-o", "upload.csv"]
    assert main(["export", str(results(row("301", 2, 1))), *words]) == 0
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
def test_a_list_that_cannot_be_read_is_refused_with_what_to_do(results, capsys, saved, message):
    Path("moodle.csv").write_bytes(saved)
    words = ["--format", "moodle", "--lms-file", "moodle.csv"]
    assert main(["export", str(results(row("301", 2, 1))), *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_file_with_another_separator_keeps_it(results, capsys, separator: str) -> None:
    text = MOODLE.replace(",", separator).replace(f'"100{separator}00"', "100,00")
    Path("moodle.csv").write_text(text, encoding="utf-8")
    file = results(row("301", 2, 0), row("302", 2, 1))
    assert main(["export", str(file), "--format", "moodle", "--lms-file", "moodle.csv"]) == 0
    cells = [line.split(separator) for line in capsys.readouterr().out.splitlines()]
    assert [line[4] for line in cells] == ["Grade", "66,6667", "100"]
    assert [line[5] for line in cells[1:]] == ["100,00", "100,00"]


def test_a_canvas_file_with_semicolons_and_points_keeps_both(results, capsys) -> None:
    text = CANVAS.replace("Lovelace, Ada", "Lovelace Ada").replace("Babbage, Bob", "Babbage Bob")
    Path("canvas.csv").write_text(text.replace(",", ";").replace(";3;", ";4.5;"), encoding="utf-8")
    file = results(row("ada@a.b", 2, 1), row("bob@a.b", 2, 0))
    assert main(["export", str(file), "--format", "canvas", "--lms-file", "canvas.csv"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    assert [line.split(";")[5] for line in rows] == ["4.5", "4.5", "3"]


def test_an_lms_takes_one_assignment(results, capsys) -> None:
    Path("canvas.csv").write_text("Student,SIS Login ID\nA,ada\n", encoding="utf-8")
    file = results(row("ada", 2, 0), row("ada", 1, 0, assignment="others"))
    command = ["export", str(file), "--format", "canvas", "--lms-file", "canvas.csv"]
    assert main(command) == 2
    assert "name one with --assignment" in capsys.readouterr().err
    assert main([*command, "--assignment", "numbers"]) == 0


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
def test_bad_exports(
    results, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = results(row("ada", 2, 1))
    assert main(["export", str(file), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_prose_that_waits_is_told(results, capsys: pytest.CaptureFixture[str]) -> None:
    waits = row("a", 2, 0)
    waits["checks"][1]["status"] = "manual"
    main(["export", str(results(waits)), "--format", "nbgrader"])
    assert capsys.readouterr().err == "1 submission with prose to be graded: a\n"


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
def test_the_table_of_nbgrader_is_filled_in_as_results_are(results, capsys, policy, ada) -> None:
    results()
    Path("marks.csv").write_text(NBGRADER)
    Path("policy.toml").write_text(policy)
    Path("canvas.csv").write_text("Student,SIS Login ID,numbers (7)\nAda,ada,\nBob,bob,\n")
    words = ["export", "marks.csv", "--format", "canvas", "--lms-file", "canvas.csv"]
    assert main([*words, "--policy", "policy.toml"]) == 0
    said = capsys.readouterr()
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
def test_a_table_that_is_none_is_one_line(results, capsys, text: str, message: str) -> None:
    results()
    Path("marks.csv").write_text(text)
    assert main(["export", "marks.csv", "--format", "nbgrader"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line

"""What becomes of a file of results: pages, exports, an analysis."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from coursekit.cli import main
from coursekit.errors import CoursekitError
from coursekit.results import read_results
from coursekit.results.export import as_text
from coursekit.results.feedback import file_name
from coursekit.results.stats import items

CHECKS = (("double", "small", 2.0, False), ("double", "negative", 1.0, True))
EVIL = "<script>alert(1)</script>&\"'"


def row(student: str, *points: float, **changes: Any) -> dict[str, Any]:
    """Return a results line of a student who earned these points, check by check."""
    checks = [
        {
            "exercise": exercise,
            "check": check,
            "points": earned,
            "max_points": most,
            "hidden": hidden,
            "message": "" if earned == most else "double(x) is 9; expected 6.",
            "misconception": None if earned == most else ("sign" if hidden else "squares"),
        }
        for (exercise, check, most, hidden), earned in zip(CHECKS, points, strict=False)
    ]
    return {
        "key": f"key of {student}",
        "student": student,
        "assignment": "numbers",
        "status": "graded",
        "score": sum(points),
        "max_score": 3.0,
        "needs_manual": False,
        "isolation": "none",
        "seconds": 0.1,
        "checks": checks,
    } | changes


@pytest.fixture
def results(numbers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Return a function that writes rows into a file of results."""
    monkeypatch.chdir(tmp_path)

    def write(*rows: dict[str, Any]) -> Path:
        file = tmp_path / "results.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return Path("results.jsonl")

    return write


def test_the_last_line_counts(results) -> None:
    file = results(row("ada", 0, 0), row("bob", 2, 0), row("ada", 2, 1))
    assert [(r.student, r.score) for r in read_results(file)] == [("ada", 3), ("bob", 2)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no results"),
        ("\n\n", "holds no results"),
        ("{\n", "line 1 is no result; expected a line that `coursekit grade` wrote"),
        ('{"student": "a"}\n', "line 1 is no result: it lacks 'assignment'"),
        ("[]\n", "line 1 is no result"),
        ("\udcff", "it is not text"),
    ],
)
def test_bad_results(results, text: str, message: str) -> None:
    file = results()
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(CoursekitError, match=message):
        read_results(file)


def test_feedback_tells_what_was_seen_and_hints(results) -> None:
    assert main(["feedback", str(results(row("ada", 2, 0), row("bob", 0, 0))), "--to", "out"]) == 0
    ada, bob = (Path("out", f"{name}.html").read_text(encoding="utf-8") for name in ("ada", "bob"))
    assert "numbers: 2 of 3 points" in ada
    assert "Small numbers" in ada
    assert "double(x) is 9" not in ada
    assert "double(x) is 9; expected 6." in bob
    assert "<li>Use <code>*</code>.</li>" in bob


def test_feedback_of_a_hidden_check_keeps_its_secret(results) -> None:
    main(["feedback", str(results(row("ada", 2, 0))), "--to", "out"])
    page = Path("out/ada.html").read_text(encoding="utf-8")
    assert "A hidden check" in page
    assert "The sign is lost." in page
    for secret in ("expected 6", "Negative numbers", "negative"):
        assert secret not in page


def test_feedback_escapes_everything(results) -> None:
    evil = row(EVIL, 0, 0, assignment=EVIL, status=EVIL, reason=EVIL, needs_manual=True)
    for check in evil["checks"]:
        check |= {"exercise": EVIL, "check": EVIL, "message": EVIL, "misconception": EVIL}
    main(["feedback", str(results(evil)), "--to", "out"])
    (file,) = Path("out").iterdir()
    page = file.read_text(encoding="utf-8")
    assert "<script" not in page
    assert "alert(1)" in page
    assert "Content-Security-Policy" in page
    assert "Prose answers are still to be graded." in page


@pytest.mark.parametrize(
    "student", ["..", ".", "../../etc/passwd", "a/b", "a\\b", "a\0b", "x" * 500, ".hidden", "é"]
)
def test_no_student_s_name_leaves_the_folder(student: str) -> None:
    name = file_name(student)
    assert Path(name).name == name
    assert not name.startswith(".")
    assert len(name) < 150
    assert "\0" not in name


def test_names_stay_apart() -> None:
    names = ["a/b", "a%2Fb", "x" * 200, "x" * 201, ".a", "%2Ea"]
    assert len({file_name(name) for name in names}) == len(names)


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
    command = ["export", str(file), "--format", "canvas", "--into", "canvas.csv"]
    assert main(command) == 0
    assert capsys.readouterr().out == CANVAS.replace("One,,4", "One,3,4").replace(
        "One,1,", "One,2,"
    )


def test_canvas_points_are_scaled_and_that_is_said(results, capsys) -> None:
    Path("canvas.csv").write_text(CANVAS.replace(",,,,,3,5", ",,,,,30,5"), encoding="utf-8")
    command = ["export", str(results(row("ada@a.b", 2, 0))), "--format", "canvas"]
    assert main([*command, "--into", "canvas.csv"]) == 0
    said = capsys.readouterr()
    assert [r["numbers (77)"] for r in table(said.out)] == ["30", "20", "1"]
    assert "canvas.csv has 30 points for it: scores are scaled to them" in said.err


def test_a_student_in_two_sections_has_the_grade_in_both(results, capsys) -> None:
    twice = CANVAS + CANVAS.splitlines()[2].replace("One", "Two") + "\n"
    Path("canvas.csv").write_text(twice, encoding="utf-8")
    command = ["export", str(results(row("ada@a.b", 2, 1))), "--format", "canvas"]
    assert main([*command, "--into", "canvas.csv"]) == 0
    grades = [r["numbers (77)"] for r in table(capsys.readouterr().out)]
    assert grades == ["3", "3", "1", "3"]


def test_a_number_that_is_two_students_is_no_guess(results, capsys) -> None:
    swapped = MOODLE.replace("Ada,ada@a.b", "Ada,302").replace("Bob,bob@a.b", "Bob,301")
    swapped = swapped.replace("Email address", "ID number")
    Path("moodle.csv").write_text(swapped, encoding="utf-8")
    command = ["export", str(results(row("301", 2, 1), row("302", 0, 0))), "--format", "moodle"]
    command += ["--into", "moodle.csv"]
    assert main(command) == 2
    assert "name the column that counts, with --by" in capsys.readouterr().err
    assert main([*command, "--by", "Identifier"]) == 0
    assert [r["Grade"] for r in table(capsys.readouterr().out)] == ["100", "0"]


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
    done = main([*command, "--into", "canvas.csv", "--by", "SIS Login ID"])
    assert done == 2
    said = capsys.readouterr().err
    assert message in said or (message == "no column" and "none of the columns" in said)


def test_canvas_gets_a_column_where_it_has_none(results) -> None:
    Path("canvas.csv").write_text(CANVAS.replace("numbers (77)", "sums (77)"), encoding="utf-8")
    command = ["export", str(results(row("s11", 2, 1))), "--format", "canvas"]
    assert main([*command, "--into", "canvas.csv", "--to", "new.csv"]) == 0
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
    assert main(["export", str(file), "--format", "moodle", "--into", "moodle.csv"]) == 1
    said = capsys.readouterr()
    assert [r["Grade"] for r in table(said.out)] == ["66.6667", ""]
    assert said.err == "1 not in moodle.csv: eve\n"


def test_gradescope_takes_one_assignment(results, capsys) -> None:
    file = results(row("ada", 2, 0), row("ada", 1, 0, assignment="others"))
    command = ["export", str(file), "--format", "gradescope", "--to", "scope"]
    assert main(command) == 2
    assert "name one with --assignment" in capsys.readouterr().err
    assert main([*command, "--assignment", "numbers"]) == 0


def test_gradescope(results) -> None:
    file = results(row("ada", 2, 0))
    assert main(["export", str(file), "--format", "gradescope", "--to", "scope"]) == 0
    made = json.loads(Path("scope/ada/results.json").read_text(encoding="utf-8"))
    assert made["score"] == 2
    assert [(t["name"], t["score"], t["visibility"]) for t in made["tests"]] == [
        ("double: small", 2, "visible"),
        ("double: negative", 0, "hidden"),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--format", "canvas"], "give the file that you exported from Canvas, with --into"),
        (["--format", "moodle", "--into", "none.csv"], "cannot read none.csv: No such file"),
        (["--format", "moodle", "--into", "exercises/numbers/double.py"], "none of the columns"),
        (["--format", "gradescope"], "say where the folder is to be, with --to DIR"),
        (["--format", "nbgrader", "--assignment", "x"], "no results for 'x'; the file has numbers"),
    ],
)
def test_bad_exports(
    results, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = results(row("ada", 2, 1))
    assert main(["export", str(file), *arguments]) == 2
    assert message in capsys.readouterr().err


def test_prose_that_waits_is_told(results, capsys: pytest.CaptureFixture[str]) -> None:
    main(["export", str(results(row("a", 2, 1, needs_manual=True))), "--format", "nbgrader"])
    assert capsys.readouterr().err == "1 still have prose for a person to grade\n"


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\tx"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert as_text(text) == f"'{text}"
    assert as_text("ada") == "ada"


def test_items_are_analysed(results) -> None:
    earned = [(2, 1), (2, 0), (0, 0), (0, 1), (2, 1)]
    rows = [row(f"s{i}", *points) for i, points in enumerate(earned)]
    lost = row("lost", status="unreadable", score=0.0)
    small, negative = items(read_results(results(*rows, lost)))
    assert (small.check, small.students, small.share) == ("small", 5, 0.6)
    assert (negative.check, negative.share) == ("negative", 0.6)
    points = np.array(earned)
    assert small.discrimination == pytest.approx(np.corrcoef(points.T)[0, 1])
    assert small.misconceptions == (("squares", 2),)


def test_an_item_that_all_solve_discriminates_nothing(results) -> None:
    (small, negative) = items(read_results(results(row("a", 2, 1), row("b", 2, 0))))
    assert np.isnan(small.discrimination)
    assert np.isnan(negative.discrimination)


def test_who_did_not_try_has_no_misconception(results) -> None:
    idle = row("idle", 0, 0)
    for check in idle["checks"]:
        check["misconception"] = "not-started"
    (small, _) = items(read_results(results(idle, row("a", 0, 1))))
    assert (small.not_tried, small.misconceptions) == (1, (("squares", 1),))


def test_stats_prints_a_table_and_draws(results, capsys: pytest.CaptureFixture[str]) -> None:
    file = results(row("a", 2, 1), row("b", 0, 0), row("c", 2, 0, status="timeout"))
    assert main(["stats", str(file), "--figure", "stats.svg"]) == 0
    out = capsys.readouterr().out
    assert "numbers: 3 submissions (2 graded, 1 timeout); mean 1.67 of 3 points" in out
    assert "double · small       67%    0.50          0  squares (1)" in out
    assert "double · negative    33%    0.50          0  sign (2)" in out
    assert Path("stats.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_stats_refuses_other_pictures(results, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(results(row("a", 2, 1))), "--figure", "stats.doc"]) == 2
    assert "expected a name that ends in .svg, .png or .pdf" in capsys.readouterr().err

"""A course's rules: late work, extensions, extra credit, weights, applied when marks go out."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from coursekit.cli import main
from coursekit.results.policy import read_policy

from .conftest import row

DUE = """
[late]
percent_per_day = 10
grace_minutes = 15
max_percent = 50

[assignments.numbers]
duedate = 2026-11-02T23:59:00+01:00
"""

Table = list[dict[str, str]]


@pytest.fixture
def exported(results, capsys) -> Callable[..., Table]:
    """Return a function that writes rules and rows, and exports them."""

    def export(policy: str, *rows: dict, format: str = "nbgrader") -> Table:
        Path("policy.toml").write_text(policy, encoding="utf-8")
        file = results(*rows)
        before = file.read_bytes()
        words = ["export", str(file), "--format", format, "--policy", "policy.toml"]
        assert main(words) == 0
        assert file.read_bytes() == before  # rules never change what was stored
        return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))

    return export


def handed_in(student: str, time: str | None, *points: float, **changes) -> dict:
    return row(student, *(points or (2, 1)), timestamp=time, **changes)


@pytest.mark.parametrize(
    ("time", "penalty"),
    [
        ("2026-11-02T22:58:59+00:00", 0),
        ("2026-11-02T23:14:00+00:00", 0),  # fifteen minutes of grace
        ("2026-11-02T23:14:01+00:00", 0.3),
        ("2026-11-03T22:59:00+00:00", 0.3),  # one day, to the second
        ("2026-11-03T22:59:01+00:00", 0.6),
        ("2026-11-03T23:59:01+01:00", 0.6),
        ("2027-11-03T00:00:00+00:00", 1.5),  # no more than half
        (None, 0),
    ],
)
def test_late_work_loses_a_share_for_each_day_begun(exported, time, penalty) -> None:
    (ada,) = exported(DUE, handed_in("ada", time))
    assert float(ada["raw_score"]) == 3
    assert float(ada["late_submission_penalty"]) == pytest.approx(penalty)
    assert float(ada["score"]) == pytest.approx(3 - penalty)
    assert ada["duedate"] == "2026-11-02 22:59:00"
    assert ada["timestamp"] == ("" if time is None else ada["timestamp"])


def test_who_has_no_time_is_named(results, capsys) -> None:
    Path("policy.toml").write_text(DUE)
    file = results(handed_in("ada", None), handed_in("bob", "2026-11-02T00:00:00+00:00"))
    assert main(["stats", str(file), "--policy", "policy.toml"]) == 0
    said = capsys.readouterr().err
    assert said == "1 submission without a time, counted as on time: ada\n"


def test_an_extension_moves_one_student_s_date(exported) -> None:
    lines = "assignment,student_id,days,why\nnumbers,ada,1.5,ill\nother,bob,9,\n"
    Path("extensions.csv").write_text("\ufeff" + lines, encoding="utf-8")
    late = "2026-11-04T12:00:00+00:00"  # a day and a half, and an hour
    ada, bob = exported(
        'extensions = "extensions.csv"\n' + DUE, handed_in("ada", late), handed_in("bob", late)
    )
    assert (ada["duedate"], ada["score"]) == ("2026-11-04 10:59:00", "2.7")
    assert (bob["duedate"], bob["score"]) == ("2026-11-02 22:59:00", "2.4")


def test_an_assignment_may_have_rules_of_its_own(exported) -> None:
    own = DUE + "late = {percent_per_day = 100}\n"
    late = "2026-11-03T00:00:00+00:00"
    (ada,) = exported(own, handed_in("ada", late))
    assert ada["score"] == "0.0"
    (ada,) = exported(own, handed_in("ada", late, assignment="other"))
    assert (ada["score"], ada["duedate"]) == ("3.0", "")


def test_feedback_says_what_late_work_lost(results) -> None:
    Path("policy.toml").write_text(DUE)
    file = results(handed_in("ada", "2026-11-03T12:00:00+00:00", 2, 0), handed_in("bob", None))
    assert main(["feedback", str(file), "-o", "out", "--policy", "policy.toml"]) == 0
    ada = Path("out/ada.html").read_text(encoding="utf-8")
    assert "numbers: 1.8 of 3 points" in ada
    assert "2 points earned; 1 day late: −0.2 (−10 %); 1.8 count." in ada
    assert "late" not in Path("out/bob.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("extra", "most", "score"),
    [("double", 0, 3), ("double/negative", 2, 3), ("double/small", 1, 3)],
)
def test_extra_credit_counts_and_is_not_expected(exported, extra, most, score) -> None:
    (ada,) = exported(f'[assignments.numbers]\nextra_credit = ["{extra}"]\n', row("ada", 2, 1))
    assert (float(ada["score"]), float(ada["max_score"])) == (score, most)


def test_extra_credit_is_told_apart_in_feedback(results) -> None:
    Path("policy.toml").write_text('[assignments.numbers]\nextra_credit = ["double/negative"]')
    file, rules = str(results(row("ada", 2, 1))), ["--policy", "policy.toml"]
    assert main(["feedback", file, "-o", "out", *rules]) == 0
    page = Path("out/ada.html").read_text(encoding="utf-8")
    assert "3 of 2 points" in page
    assert "1 / 1 extra" in page


def test_totals_are_weighted_means(exported) -> None:
    weights = "[assignments.numbers]\nweight = 3\n[assignments.bonus]\nextra_credit = ['double']\n"
    rows = [
        row("ada", 2, 1),
        row("ada", 2, 0, assignment="words"),
        row("bob", 2, 1),
        row("=eve", 2, 1, assignment="words"),
        row("bob", 2, 1, assignment="bonus"),
    ]
    eve, ada, bob = exported(weights, *rows, format="totals")
    assert eve == {
        "student_id": "'=eve",
        "bonus (3 extra)": "",
        "numbers (of 3)": "",
        "words (of 3)": "3",
        "total (%)": "25",
    }
    assert ada["total (%)"] == "91.6667"  # (3 · 3/3 + 1 · 2/3) / 4
    assert (bob["bonus (3 extra)"], bob["total (%)"]) == ("3", "100")  # 75 + 1 · 3/3 of 4


def test_late_work_is_in_the_totals_and_the_lms_s_file(exported, capsys) -> None:
    late = handed_in("ada", "2026-11-03T12:00:00+00:00")
    (ada,) = exported(DUE, late, format="totals")
    assert (ada["numbers (of 3)"], ada["total (%)"]) == ("2.7", "90")
    Path("canvas.csv").write_text("Student,SIS Login ID\nAda,ada\n", encoding="utf-8")
    words = ["export", "results.jsonl", "--format", "canvas", "--lms-file", "canvas.csv"]
    assert main([*words, "--policy", "policy.toml"]) == 0
    assert "Ada,ada,2.7\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("late = 3", "policy.toml: late: expected a table, found 3"),
        ("[late]", "policy.toml: late: percent_per_day is missing"),
        ("[late]\npercent_per_day = -1", "late.percent_per_day is -1; expected 0 to 1000000"),
        ("[late]\npercent_per_day = nan", "late.percent_per_day is nan; expected 0 to"),
        ("[late]\npercent_per_day = true", "late.percent_per_day is True; expected a number"),
        ("[late]\npercent = 1", "late: 'percent' is not known; expected percent_per_day, grace"),
        ("[lat]", "policy.toml: 'lat' is not known; expected late, extensions, assignments"),
        ("late =", "policy.toml: Invalid value (at end of document)"),
        ("[assignments]\nnumbers = 1", "assignments.numbers: expected a table, found 1"),
        ("[assignments.numbers]\nduedate = 2026-11-02", "duedate is 2026-11-02; expected a time"),
        ("[assignments.numbers]\nduedate = 2026-11-02T10:00:00", "with its offset from UTC"),
        ("[assignments.numbers]\nduedate = '2026-11-02'", "in quotes; expected a time without"),
        ("timezone = 'Europe/Berln'", "timezone: 'Europe/Berln' is not a time zone; expected"),
        ("timezone = 'Europe'", "timezone: 'Europe' is not a time zone; expected a name like"),
        ("timezone = '../UTC'", "timezone: '../UTC' is not a time zone; expected a name like"),
        ("timezone = ''", "timezone: '' is not a time zone; expected a name like Europe/Berlin"),
        ("timezone = 1", "timezone: '1' is not a time zone; expected a name like"),
        ("[assignments.numbers]\nduedate = 9999-12-31T23:59:00Z", "where nothing is due"),
        ("[assignments.numbers]\nweight = '2'", "numbers.weight is '2'; expected a number"),
        ("[assignments.numbers]\nextra_credit = 'double'", "expected a list of exercises"),
        ("[assignments.numbers]\nextra_credit = ['x']", "no result has 'x'; expected an exercise"),
        ("extensions = 1", "extensions: expected the name of a CSV file"),
        ("extensions = 'none.csv'", "cannot read the extensions in none.csv: No such file"),
        ("extensions = 'policy.toml'", "policy.toml lacks the column assignment"),
        ("extensions = 'bad.csv'", "bad.csv, line 2: days is 'two'; expected a number like 2"),
        ("extensions = 'large.csv'", "large.csv, line 2 is 1e+300; expected 0 to 1000000"),
        ("extensions = 'twice.csv'", "twice.csv, line 3: ada has an extension already"),
    ],
)
def test_rules_that_are_not_understood_are_one_line(results, capsys, policy, message) -> None:
    Path("policy.toml").write_text(policy, encoding="utf-8")
    head = "assignment,student_id,days\n"
    Path("bad.csv").write_text(head + "numbers,ada,two\n")
    Path("large.csv").write_text(head + "numbers,ada,1e300\n")
    Path("twice.csv").write_text(head + "numbers,ada,1\nnumbers,ada,2\n")
    file = results(row("ada", 2, 1))
    for words in (["stats"], ["export", "--format", "nbgrader"], ["feedback", "-o", "out"]):
        assert main([*words, str(file), "--policy", "policy.toml"]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert message in line
    assert not Path("out").exists()


@pytest.mark.parametrize(
    "words", [["stats"], ["export", "--format", "nbgrader"], ["feedback", "-o", "out"]]
)
def test_who_handed_in_no_longer_is_left_out_and_named(results, capsys, words) -> None:
    gone = [row(name, 0, 0, withdrawn=True) for name in ("eve", "mallory")]
    file = results(row("ada", 2, 1, withdrawn=False), *gone)
    assert main([*words, str(file)]) == 0
    said = capsys.readouterr()
    assert said.err.splitlines()[0] == "2 no longer handed in, left out: eve, mallory"
    assert "eve" not in said.out
    assert "mallory" not in said.out
    if words[0] == "feedback":
        assert [page.name for page in Path("out").iterdir()] == ["ada.html"]
    if words[0] == "stats":
        assert "1 submission (1 graded); mean of all 3.00" in said.out


def test_when_nobody_is_left_that_is_said(results, capsys) -> None:
    assert main(["stats", str(results(row("eve", 0, 0, withdrawn=True)))]) == 2
    assert "all work in it has been withdrawn" in capsys.readouterr().err


def test_what_matches_nothing_is_named(results, capsys) -> None:
    Path("extensions.csv").write_text("assignment,student_id,days\nnumbers,adda,1\nnumbers,ada,1\n")
    Path("policy.toml").write_text(
        "extensions = 'extensions.csv'\n[assignments.numbrs]\nweight = 2\n[assignments.numbers]\n"
    )
    file = str(results(row("ada", 2, 1), row("ada", 2, 1, assignment="words")))
    words = ["export", file, "--format", "nbgrader", "--assignment", "words"]
    assert main([*words, "--policy", "policy.toml"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "policy.toml: no results for the assignments numbrs; expected names as in results.jsonl",
        "policy.toml: no results for the extensions of adda (numbers); expected names as in "
        "results.jsonl",
    ]


@pytest.mark.parametrize("command", ["feedback", "stats", "export"])
def test_help_shows_a_policy_that_can_be_read(capsys, tmp_path, command: str) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    shown = capsys.readouterr().out.partition("may be left out:\n")[2]
    text = textwrap.dedent(shown).replace("CHAPTER", "numbers")
    (tmp_path / "extensions.csv").write_text("assignment,student_id,days\n")
    (tmp_path / "policy.toml").write_text(text, encoding="utf-8")
    rules = read_policy(tmp_path / "policy.toml").of("numbers")
    assert rules.extra_credit == ("EXERCISE", "EXERCISE/CHECK")
    assert rules.late is not None
    assert rules.late.percent_per_day == 20

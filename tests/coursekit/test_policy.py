"""A course's rules: due dates, extensions and late work, applied when marks go out."""

from __future__ import annotations

import csv
import io
import textwrap
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from coursekit.cli import main
from coursekit.policy import Policy, read_policy

from .conftest import row

DUE = """
percent_per_day = 10
grace_minutes = 15
max_percent = 50
[duedates]
numbers = 2026-11-02T23:59:00+01:00
"""

Table = list[dict[str, str]]


@pytest.fixture
def exported(results, run) -> Callable[..., Table]:
    """Return a function that writes rules and rows, and exports them."""

    def export(policy: str, *rows: dict) -> Table:
        Path("policy.toml").write_text(policy, encoding="utf-8")
        file = results(*rows)
        before = file.read_bytes()
        said = run("export", file, "--format", "nbgrader", "--policy", "policy.toml")
        assert file.read_bytes() == before  # rules never change what was stored
        return list(csv.DictReader(io.StringIO(said.out)))

    return export


def handed_in(student: str, time: str | None, *points: float) -> dict:
    return row(student, *(points or (2, 1)), timestamp=time)


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
    assert (ada["timestamp"] == "") == (time is None)


@pytest.mark.parametrize(
    ("due", "days", "time", "late"),
    [
        ("2026-10-24T23:59:00", 0, "2026-10-24T21:59:00+00:00", 0),
        ("2026-10-24T23:59:00", 2, "2026-10-26T22:30:00+00:00", 0),  # 23:30 there
        ("2026-10-24T23:59:00", 2, "2026-10-26T22:59:01+00:00", 1),
        ("2026-10-24T23:59:00", 0, "2026-10-25T22:59:00+00:00", 1),  # after 25 hours
        ("2026-10-24T23:59:00", 0, "2026-10-25T22:59:01+00:00", 2),
        ("2026-10-25T02:30:00", 0, "2026-10-25T01:29:00+00:00", 1),  # 2:29 once more
        ("2026-03-28T23:59:00", 1, "2026-03-29T21:59:00+00:00", 0),
        ("2026-03-28T23:59:00", 0, "2026-03-29T21:59:00+00:00", 1),  # after 23 hours
        ("2026-03-28T02:30:00", 1, "2026-03-29T01:30:00+00:00", 0),  # no 2:30 that day
    ],
)
def test_days_are_those_of_the_course_s_time_zone(due, days, time, late) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    at = datetime.fromisoformat(due).replace(tzinfo=berlin)
    place = ("numbers", "ada")
    policy = Policy(
        timezone=berlin, duedates={place[0]: at}, extensions={place: timedelta(days=days)}
    )
    moved = policy.duedate(*place)
    assert moved is not None
    assert policy.days_late(datetime.fromisoformat(time), moved) == late


def test_an_extension_moves_one_student_s_date(exported) -> None:
    lines = "assignment;student_id;days;why\nnumbers;ada;1.5;ill\nother;bob;9;\n"  # Excel's
    Path("extensions.csv").write_text("\ufeff" + lines, encoding="utf-8")
    late = "2026-11-04T12:00:00+00:00"  # a day and a half, and an hour
    ada, bob = exported(
        'extensions = "extensions.csv"\n' + DUE, handed_in("ada", late), handed_in("bob", late)
    )
    assert (ada["duedate"], ada["score"]) == ("2026-11-04 10:59:00", "2.7")
    assert (bob["duedate"], bob["score"]) == ("2026-11-02 22:59:00", "2.4")


def test_feedback_and_the_lms_s_file_have_what_late_work_lost(results, run) -> None:
    Path("policy.toml").write_text(DUE)
    file = results(handed_in("ada", "2026-11-03T12:00:00+00:00", 2, 0), handed_in("bob", None))
    said = run("feedback", file, "-o", "out", "--policy", "policy.toml")
    assert "1 submission without a time, counted as on time: bob\n" in said.err
    ada = Path("out/ada.html").read_text(encoding="utf-8")
    assert "numbers: 1.8 of 3 points" in ada
    assert "2 points earned; 1 day late: −0.2 (−10 %); 1.8 count." in ada
    assert "late" not in Path("out/bob.html").read_text(encoding="utf-8")
    Path("canvas.csv").write_text("Student,SIS Login ID\nAda,ada\nBob,bob\n", encoding="utf-8")
    words = ["export", file, "--format", "canvas", "--lms-file", "canvas.csv"]
    assert "Ada,ada,1.8\nBob,bob,3\n" in run(*words, "--policy", "policy.toml").out


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        ("percent_per_day = 101", "percent_per_day is 101; expected 0 to 100"),
        ("grace_minutes = nan", "grace_minutes is nan; expected 0 to"),
        ("max_percent = true", "max_percent is True; expected a number"),
        ("[late]", "policy.toml: 'late' is not known; expected timezone, extensions, percent"),
        ("max_percent =", "policy.toml: Invalid value (at end of document)"),
        ("duedates = 1", "duedates: expected a table, found 1"),
        ("[duedates]\nnumbers = 2026-11-02", "numbers is 2026-11-02; expected a time without"),
        ("[duedates]\nnumbers = 2026-11-02T10:00:00", "nothing says in which time zone"),
        ("[duedates]\nnumbers = '2026-11-02'", "expected a time without quotes"),
        ("timezone = '../UTC'", "timezone: '../UTC' is not a time zone; expected a name like"),
        ("timezone = 1", "timezone: '1' is not a time zone; expected a name like"),
        ("extensions = 1", "extensions: expected the name of a CSV file"),
        ("extensions = 'none.csv'", "cannot read none.csv: No such file"),
        ("extensions = 'policy.toml'", "policy.toml lacks the column assignment"),
        ("extensions = 'bad.csv'", "bad.csv, line 2: days is 'two'; expected a number like 2"),
        ("extensions = 'large.csv'", "large.csv, line 2: days is 1e+300; expected 0 to 1000000"),
        ("extensions = 'twice.csv'", "twice.csv, line 3: ada has an extension already"),
    ],
)
def test_rules_that_are_not_understood_are_one_line(results, run, policy, message) -> None:
    Path("policy.toml").write_text(policy, encoding="utf-8")
    head = "assignment,student_id,days\n"
    Path("bad.csv").write_text(head + "numbers,ada,two\n")
    Path("large.csv").write_text(head + "numbers,ada,1e300\n")
    Path("twice.csv").write_text(head + "numbers,ada,1\nnumbers,ada,2\n")
    words = ["feedback", results(row("ada", 2, 1)), "-o", "out", "--policy", "policy.toml"]
    (line,) = run(*words, status=2).err.splitlines()
    assert message in line
    assert not Path("out").exists()


@pytest.mark.parametrize(
    "words", [["stats"], ["export", "--format", "nbgrader"], ["feedback", "-o", "out"]]
)
def test_who_handed_in_no_longer_is_left_out_and_named(results, run, words) -> None:
    gone = [row(name, 0, 0, withdrawn=True) for name in ("eve", "mallory")]
    said = run(*words, results(row("ada", 2, 1), *gone))
    assert said.err.splitlines()[0] == "2 no longer handed in, left out: eve, mallory"
    assert "eve" not in said.out
    assert "mallory" not in said.out
    if words[0] == "feedback":
        assert [page.name for page in Path("out").iterdir()] == ["ada.html"]
    if words[0] == "stats":
        assert "1 submission (1 graded); mean of all 3.00" in said.out


def test_when_nobody_is_left_that_is_said(results, run) -> None:
    said = run("stats", results(row("eve", 0, 0, withdrawn=True)), status=2).err
    assert "all work in it has been withdrawn" in said


def test_what_matches_nothing_is_named(results, run) -> None:
    Path("extensions.csv").write_text("assignment,student_id,days\nnumbers,adda,1\n")
    Path("policy.toml").write_text(
        "extensions = 'extensions.csv'\npercent_per_day = 1\n"
        "[duedates]\nnumbrs = 2026-11-02T10:00:00Z\n"
    )
    words = ["export", results(row("ada", 2, 1)), "--format", "nbgrader"]
    assert run(*words, "--policy", "policy.toml").err.splitlines() == [
        "policy.toml: no results for the assignments numbrs; expected names as in results.jsonl",
        "policy.toml: no results for the extensions of adda (numbers); expected names as in "
        "results.jsonl",
        "nothing is taken off for late work in numbers: neither the policy nor nbgrader has a due "
        "date for it",
    ]


@pytest.mark.parametrize("command", ["feedback", "export"])
def test_help_shows_a_policy_that_can_be_read(capsys, tmp_path, command: str) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    shown = capsys.readouterr().out.partition("may be left out:\n")[2]
    text = textwrap.dedent(shown).replace("CHAPTER", "numbers")
    (tmp_path / "extensions.csv").write_text("assignment,student_id,days\n")
    (tmp_path / "policy.toml").write_text(text, encoding="utf-8")
    policy = read_policy(tmp_path / "policy.toml")
    assert (policy.percent_per_day, policy.grace_minutes, policy.max_percent) == (10, 15, 50)
    assert policy.duedate("numbers", "ada") is not None

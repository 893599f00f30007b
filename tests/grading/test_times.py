"""The time of submission belongs to the row, whichever run finds it, and in whatever order."""

from __future__ import annotations

import csv
import io
import json
import os
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from coursekit.cli import main

from .conftest import BANK, CHAPTER, FULL, RIGHT, hand_in, notebook

pytestmark = pytest.mark.usefixtures("unconfined")

POLICY = f"""
timezone = "Europe/Berlin"
[late]
percent_per_day = 10
[assignments.{CHAPTER}]
duedate = 2025-11-02T23:59:00
"""
#: One to four days late, in Berlin.
LATE = [f"{day}, {number} November 2025, 11:30 PM" for day, number in
        (("Monday", 3), ("Tuesday", 4), ("Wednesday", 5), ("Thursday", 6))]  # fmt: skip
STUDENTS = ["101", "102", "103", "104"]
ON_TIME, FOUR_DAYS_LATE = 1.0, 0.6
NOVEMBER_2, NOVEMBER_6 = "2025-11-02 22:30:00.25 CET\n", "2025-11-06 23:30:00 CET\n"


@pytest.fixture
def machine_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    def move(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield move
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a class's zip from Moodle, its worksheet, and a policy."""
    monkeypatch.chdir(tmp_path)
    moodle_zip()
    worksheet(LATE)
    Path("policy.toml").write_text(POLICY)
    return tmp_path


def moodle_zip(again: str = "") -> None:
    with zipfile.ZipFile("class.zip", "w") as archive:
        for student in STUDENTS:
            cells = [*RIGHT.values(), *(["# again"] if student == again else [])]
            archive.writestr(f"A_{student}_assignsubmission_file_/a.ipynb", notebook(*cells))


def worksheet(dates: list[str]) -> None:
    lines = ["Identifier,Last modified (submission),Grade,Maximum Grade"]
    rows = zip(STUDENTS, dates, strict=True)
    lines += [f'Participant {student},"{date}",,100' for student, date in rows]
    Path("class.csv").write_text("\n".join(lines))


LIST = ("--lms-file", "class.csv")
LISTED = (*LIST, "--timezone", "Europe/Berlin")
SHARES = [0.9, 0.8, 0.7, 0.6]  # of their points, by LATE


def grade(*more: str, where: str = "class.zip", results: str = "r.jsonl") -> None:
    words = ["grade", CHAPTER, where, "--results", results, "--exercises", str(BANK)]
    assert main([*words, "--jobs", "1", *more]) == 0


def rows(results: str = "r.jsonl") -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(results).read_text().splitlines()]


def shares(capsys: pytest.CaptureFixture[str], *more: str, results: str = "r.jsonl") -> list[float]:
    """Return what share of its points each submission keeps."""
    capsys.readouterr()
    words = ["export", results, "--format", "nbgrader", "--policy", "policy.toml", *more]
    assert main(words) == 0
    table = csv.DictReader(io.StringIO(capsys.readouterr().out))
    return [round(float(row["score"]) / float(row["raw_score"]), 6) for row in table]


def test_a_list_that_comes_later_changes_the_times_and_grades_nothing(course, capsys):
    grade("--timezone", "Europe/Berlin")
    before = rows()
    assert shares(capsys) == [1, 1, 1, 1]
    grade(*LISTED)
    said = capsys.readouterr().out
    assert "0 graded now, 4 kept from an earlier run (4 with another time of submission)" in said
    assert shares(capsys) == SHARES
    time_of = ("timestamp", "time_source")
    assert [{**row, "timestamp": None, "time_source": ""} for row in rows()] == before
    assert [row[time_of[1]] for row in rows()] == ["list"] * 4
    written = Path("r.jsonl").read_bytes()
    grade(*LISTED)
    assert "4 kept from an earlier run\n" in capsys.readouterr().out
    assert Path("r.jsonl").read_bytes() == written  # a third run finds nothing to do
    grade(*LISTED, results="fresh.jsonl")
    differing = {"seconds": 0.0}
    assert [r | differing for r in rows()] == [r | differing for r in rows("fresh.jsonl")]


#: Runs, one after the other: the list's dates, the options, what each student keeps, what is said.
RUNS = {
    "a list that is corrected counts in both directions": [
        (LATE, LISTED, SHARES, ""),
        (LATE[::-1], LISTED, SHARES[::-1], "(4 with another time of submission)"),
        (LATE, LISTED, SHARES, "(4 with another time of submission)"),
    ],
    "only the selected student's time changes": [
        (LATE, (), [1, 1, 1, 1], "4 graded now"),
        (LATE, (*LISTED, "--only", "104"), [1, 1, 1, 0.6], "1 kept from an earlier run (1 with"),
    ],
    "no run takes a time away from the same work": [
        (LATE, LISTED, SHARES, ""),
        (LATE, (), SHARES, "4 kept from an earlier run\n"),
        # Moodle has withdrawn it, and the file is still there.
        (["-", *LATE[1:]], LISTED, SHARES, "4 kept from an earlier run\n"),
        (
            ["maanantai, 3. marraskuuta 2025, 23:30", *LATE[1:]],
            LISTED,
            SHARES,
            "an earlier run stays)",
        ),
        (LATE, ("--again", "graded", "--again", "needs_review"), SHARES, "4 graded now"),
    ],
}


@pytest.mark.parametrize("runs", RUNS.values(), ids=RUNS)
def test_times_change_with_the_list_alone(course, capsys, runs):
    for dates, options, expected, said in runs:
        worksheet(dates)
        capsys.readouterr()
        grade(*options)
        assert said in capsys.readouterr().out
        assert shares(capsys) == expected


def test_other_work_has_a_time_of_its_own(course, capsys):
    grade(*LISTED)
    moodle_zip(again="102")
    grade()
    said = capsys.readouterr().out
    assert "without the time of submission that they had: 102; give the list" in said
    assert shares(capsys) == [0.9, 1, 0.7, 0.6]


@pytest.mark.parametrize(
    ("zone", "share", "said"),
    [
        ("Europe/Berlin", 1.0, "this machine's, CET (UTC+0100); the latest is 2025-11-02 23:30."),
        ("UTC", 0.9, "this machine's, UTC (UTC+0000); the latest is 2025-11-02 23:30."),
        ("America/New_York", 0.9, "this machine's, EST (UTC-0500)"),
    ],
)
def test_the_zone_of_moodle_s_times_is_said_or_given(course, machine_in, capsys, zone, share, said):
    machine_in(zone)
    worksheet(["Sunday, 2 November 2025, 11:30 PM"] * 4)
    grade(*LIST)
    assert said in capsys.readouterr().out
    assert shares(capsys) == [share] * 4
    grade(*LISTED)  # which mends the rows, wherever this machine is
    assert "this machine's" not in capsys.readouterr().out
    assert shares(capsys) == [1, 1, 1, 1]


def test_a_zone_that_does_not_exist_is_one_line(course, capsys):
    words = ["grade", CHAPTER, "class.zip", "--results", "r.jsonl", "--timezone", "Berlin"]
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    line = capsys.readouterr().err.splitlines()[-1]
    assert "'Berlin' is not a time zone; expected a name like Europe/Berlin" in line


def test_what_cannot_be_read_or_be_true_is_named_on_every_path(course, capsys):
    worksheet(
        [
            "maanantai, 3. marraskuuta 2025, 23:30",
            "Saturday, 3 November 2299, 11:30 PM",
            "Thursday, 1 January 1970, 12:00 AM",
            "Monday, November 3, 2025, 11:30 PM",
        ]
    )
    grade(*LISTED)
    said = capsys.readouterr().out
    assert "101 (its date in the LMS's list cannot be read: 'maanantai, 3. marraskuu" in said
    assert "102 (its time of submission was still to come when it was read)" in said
    assert "103 (its time of submission is before any course" in said
    assert shares(capsys) == [1, 1, 1, 0.9]
    for words in (["stats"], ["export", "--format", "totals"], ["feedback", "-o", "pages"]):
        more = ["--exercises", str(BANK)] if words[0] == "feedback" else []
        assert main([*words, "r.jsonl", "--policy", "policy.toml", *more]) == 0
        told = capsys.readouterr().err
        assert "3 submissions with a time in doubt, to be looked at; nothing was taken off" in told
        assert "counted as on time" not in told
    page = Path("pages/102.html").read_text()
    assert f"{FULL:g} of" in page
    assert "A person will look at it; nothing was taken off" in page
    assert "not certain" not in Path("pages/104.html").read_text()


def test_a_time_that_was_to_come_stays_in_doubt_when_it_has_come(course, capsys, monkeypatch):
    worksheet(LATE)
    monkeypatch.setattr("coursekit.grade.timestamps.datetime", _Earlier)
    grade(*LISTED)
    monkeypatch.undo()
    monkeypatch.chdir(course)
    grade(*LISTED)
    assert shares(capsys) == [1, 1, 1, 1]
    worksheet(LATE[::-1])
    grade(*LISTED)
    assert shares(capsys) == SHARES[::-1]


class _Earlier(datetime):
    @classmethod
    def now(cls, tz: Any = None) -> datetime:
        return datetime(2025, 11, 1, tzinfo=tz)


@pytest.fixture
def work(course: Path) -> Path:
    """Return a notebook in nbgrader's layout that was changed four days after it was due."""
    path = hand_in(course / "submitted", "ada", notebook(*RIGHT.values()))
    changed_at(path, "2025-11-06T23:30:00+01:00")
    return path


def changed_at(path: Path, time: str) -> None:
    os.utime(path, (datetime.fromisoformat(time).timestamp(),) * 2)


def test_a_record_counts_whenever_it_comes(course, work, capsys, machine_in):
    machine_in("UTC")

    def share() -> float:
        grade(where="submitted")
        (only,) = shares(capsys)
        return only

    record = work.parent / "timestamp.txt"
    assert share() == FOUR_DAYS_LATE
    record.write_text(NOVEMBER_2)
    assert share() == ON_TIME
    record.write_text(NOVEMBER_6)
    assert share() == FOUR_DAYS_LATE
    record.write_text("soon")
    assert share() == ON_TIME
    assert "'soon'" in rows()[0]["time_doubt"]
    record.write_text(NOVEMBER_2)
    share()
    record.unlink()
    grade(where="submitted")
    assert "their timestamp.txt is gone, so that" in capsys.readouterr().out
    assert share() == FOUR_DAYS_LATE
    changed_at(work, "2025-11-02T22:30:00+01:00")
    assert share() == ON_TIME


def test_canvas_s_mark_is_kept_and_told_at_export(course, capsys):
    with zipfile.ZipFile("canvas.zip", "w") as archive:
        for name in ("ada_LATE_101_9_a.ipynb", "bob_102_8_a.ipynb"):
            archive.writestr(name, notebook(*RIGHT.values()))
    grade(where="canvas.zip")
    assert "marked LATE by Canvas: 101\n" in capsys.readouterr().out
    assert [row["marked_late"] for row in rows()] == [True, False]
    for words in (["stats"], ["feedback", "-o", "pages", "--exercises", str(BANK)]):
        assert main([words[0], "r.jsonl", "--policy", "policy.toml", *words[1:]]) == 0
        told = capsys.readouterr().err
        assert "1 submission marked late by the LMS, without a time: 101; nothing was" in told
        assert "1 submission without a time, counted as on time: 102\n" in told
    assert "Your LMS marked this as late" in Path("pages/101.html").read_text()
    assert "late" not in Path("pages/102.html").read_text()
    Path("bob.zip").unlink(missing_ok=True)
    with zipfile.ZipFile("canvas.zip", "w") as archive:
        for name in ("ada_101_9_a.ipynb", "bob_LATE_102_8_a.ipynb"):
            archive.writestr(name, notebook(*RIGHT.values()))
    grade(where="canvas.zip")
    assert "(2 with another time of submission)" in capsys.readouterr().out
    assert [row["marked_late"] for row in rows()] == [False, True]

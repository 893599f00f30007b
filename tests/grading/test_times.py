"""The time of submission: where it is from, and what runs with and without it do to a row."""

from __future__ import annotations

import json
import os
import shutil
import time
import zipfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from coursekit.cli import main
from coursekit.grade.times import RECORD, of_moodle, of_record

from .conftest import BANK, CHAPTER, RIGHT, grade_words, hand_in, notebook
from .handed_in import times_of


@pytest.mark.parametrize(
    ("noted", "expected"),
    [
        ("2015-02-02 15:58:23.948203 America/Los_Angeles", "2015-02-02T23:58:23.948203+00:00"),
        ("2026-11-02 22:59:00 UTC\n", "2026-11-02T22:59:00+00:00"),
        ("2026-11-02 22:59:00.5", "2026-11-02T22:59:00.500000+00:00"),
        ("2026-11-02T22:59:00+02:00", "2026-11-02T20:59:00+00:00"),
        ("2026-11-02 22:59:00 -03", "2026-11-03T01:59:00+00:00"),  # how São Paulo is abbreviated
        ("2026-11-02 22:59:00 +0545", "2026-11-02T17:14:00+00:00"),
        ("2026-07-02 22:59:00.5 CEST", "2026-07-02T20:59:00.500000+00:00"),
        ("2026-10-25 02:30:00 CEST", "2026-10-25T00:30:00+00:00"),  # this hour comes twice
        ("2026-10-25 02:30:00 CET", "2026-10-25T01:30:00+00:00"),
    ],
)
def test_what_nbgrader_noted_is_read(noted: str, expected: str) -> None:
    assert of_record(noted, ZoneInfo("Europe/Vienna")).isoformat() == expected


@pytest.mark.parametrize(
    "noted",
    [
        *("", "yesterday", "2026-13-02 22:59:00 UTC", "9" * 500, "\N{REPLACEMENT CHARACTER}"),
        "2026-11-02 22:59:00 Nowhere/Town",
        "2026-11-02 22:59:00 ../../etc/passwd",
        "2026-11-02 22:59:00 IST",  # India's, Israel's or Ireland's
        "2026-07-02 10:59:00 CEST",  # not an abbreviation of this clock
        "2026-11-02 22:59:00 +99",
        "0001-01-01 00:00:00+14:00",
    ],
)
def test_a_record_that_cannot_be_read_is_none(noted: str) -> None:
    with pytest.raises((ValueError, OverflowError)):
        of_record(noted, ZoneInfo("Asia/Tokyo"))


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("Monday, 21 September 2026, 4:13 PM", "2026-09-21T14:13:00+00:00"),
        ("Monday, 21 September 2026, 16:13", "2026-09-21T14:13:00+00:00"),
        ("Friday, 5 December 2025, 12:05 AM", "2025-12-04T23:05:00+00:00"),
        ("Monday, September 21, 2026, 4:13\u202fPM", "2026-09-21T14:13:00+00:00"),
        ("Montag, 4. Mai 2026, 16:13", "2026-05-04T14:13:00+00:00"),
        ("lundi 21 septembre 2026, 16:13", "2026-09-21T14:13:00+00:00"),
        ("samedi 1 août 2026, à 09:05", "2026-08-01T07:05:00+00:00"),
        ("-", None),
        ("", None),
    ],
)
def test_moodle_s_dates_are_read(date: str, expected: str | None) -> None:
    read = of_moodle(date, ZoneInfo("Europe/Vienna"))
    assert (read and read.isoformat()) == expected


@pytest.mark.parametrize(
    "date", ["maanantai, 21. syyskuuta 2026, 16.13", "Saturday, 31 February 2026, 12:05 AM", "now"]
)
def test_a_date_in_another_language_is_no_guess(date: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        of_moodle(date)


@pytest.mark.parametrize("is_zipped", [False, True])
def test_the_record_beside_a_notebook_counts_and_a_file_s_change_does_not(
    tmp_path, capsys, is_zipped
) -> None:
    for student, noted in {"ada": "2026-11-02 22:59:00 UTC", "bob": "soon", "eve": None}.items():
        path = hand_in(tmp_path / "submitted", student, notebook(*RIGHT.values()))
        os.utime(path, (1_790_000_000,) * 2)
        if noted:
            (path.parent / RECORD).write_text(noted)
    where = tmp_path / "submitted"
    if is_zipped:
        where = Path(shutil.make_archive(str(where), "zip", where.parent, where.name))
    assert times_of(where) == {"ada": "2026-11-02T22:59:00+00:00", "bob": None, "eve": None}
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("times of submission that cannot be read: bob (")


@pytest.mark.parametrize(
    "name", ["Ada Adason_101_assignsubmission_file_/a.ipynb", "ada_101_2001_a.ipynb"]
)
def test_an_lms_s_download_has_the_time_of_the_download(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo(name, (2026, 9, 21, 16, 13, 20)), notebook("1"))
        note = name.replace("a.ipynb", RECORD)  # a learner may have written it
        archive.writestr(note, "2001-01-01 00:00:00 UTC")
    assert times_of(tmp_path / "class.zip") == {"101": None}


# --- runs, one after the other --------------------------------------------------------------------


@pytest.fixture
def machine_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    def move(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield move
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unconfined: None) -> Path:
    """Return a folder with a class's zip from Moodle, and go there."""
    monkeypatch.chdir(tmp_path)
    moodle_zip()
    return tmp_path


STUDENTS = ["101", "102"]
LISTED = ("--lms-file", "class.csv", "--timezone", "Europe/Berlin")
DATES = ["Monday, 3 November 2025, 11:30 PM", "Tuesday, 4 November 2025, 11:30 PM"]
TIMES = ["2025-11-03T22:30:00+00:00", "2025-11-04T22:30:00+00:00"]


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


def grade(*more: str, where: str = "class.zip") -> list[str | None]:
    assert main(grade_words(Path(where), Path("r.jsonl"), *more)) == 0
    return [row["timestamp"] for row in rows()]


def rows() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("r.jsonl").read_text().splitlines()]


#: Runs, one after the other: the list's dates, the options, the rows' times, what is said.
RUNS = {
    "a list that comes later changes the times, and a third run nothing": [
        (DATES, LISTED[2:], [None, None], "2 graded now"),
        (DATES, LISTED, TIMES, "2 kept from an earlier run (2 with another time of submission)"),
        (DATES, LISTED, TIMES, "2 kept from an earlier run\n"),
    ],
    "a list that is corrected counts": [
        (DATES, LISTED, TIMES, "2 graded now"),
        (DATES[::-1], LISTED, TIMES[::-1], "(2 with another time of submission)"),
    ],
    "only the selected student's time changes": [
        (DATES, (), [None, None], "2 graded now"),
        (DATES, (*LISTED, "--only", "102"), [None, TIMES[1]], "1 kept from an earlier run (1 w"),
    ],
    "no run takes a time away from the same work": [
        (DATES, LISTED, TIMES, "2 graded now"),
        (DATES, (), TIMES, "2 kept from an earlier run\n"),
        # Moodle has withdrawn it, and the file is still there.
        (["-", DATES[1]], LISTED, TIMES, "2 kept from an earlier run\n"),
        (["maanantai, 3.", DATES[1]], LISTED, TIMES, "2 kept from an earlier run\n"),
        (DATES, ("--again", "graded", "--again", "needs_review"), TIMES, "2 graded now"),
    ],
}


@pytest.mark.parametrize("runs", RUNS.values(), ids=RUNS)
def test_times_change_with_the_list_alone(course, capsys, runs):
    for dates, options, expected, said in runs:
        worksheet(dates)
        capsys.readouterr()
        assert grade(*options) == expected
        assert said in capsys.readouterr().out


def test_other_work_has_a_time_of_its_own(course):
    worksheet(DATES)
    assert grade(*LISTED) == TIMES
    moodle_zip(again="102")
    assert grade() == [TIMES[0], None]


@pytest.mark.parametrize(
    ("zone", "hour", "said"),
    [
        ("Europe/Berlin", 22, "this machine's, CET (UTC+0100); the latest is 2025-11-04 23:30."),
        ("America/New_York", 28, "this machine's, EST (UTC-0500)"),
    ],
)
def test_the_zone_of_moodle_s_times_is_said_or_given(course, machine_in, capsys, zone, hour, said):
    machine_in(zone)
    worksheet([DATES[1]] * 2)
    expected = datetime(2025, 11, 4 + hour // 24, hour % 24, 30, tzinfo=UTC).isoformat()
    assert grade(*LISTED[:2]) == [expected] * 2
    assert said in capsys.readouterr().err
    assert grade(*LISTED) == [TIMES[1]] * 2  # which mends the rows, wherever this machine is
    assert "this machine's" not in capsys.readouterr().err


def test_canvas_s_mark_is_kept_and_told_at_export(course, capsys):
    for late in ("101", "102"):
        with zipfile.ZipFile("canvas.zip", "w") as archive:
            for student in STUDENTS:
                mark = "_LATE" * (student == late)
                archive.writestr(f"ada{mark}_{student}_9_a.ipynb", notebook(*RIGHT.values()))
        grade(where="canvas.zip")
        assert f"marked LATE by Canvas: {late}\n" in capsys.readouterr().out
        assert [row["marked_late"] for row in rows()] == [late == "101", late == "102"]
    Path("policy.toml").write_text(
        f"percent_per_day = 10\n[duedates]\n{CHAPTER} = 2025-11-02T23:59:00Z\n"
    )
    words = ["feedback", "r.jsonl", "-o", "pages", "--exercises", str(BANK)]
    assert main([*words, "--policy", "policy.toml"]) == 0
    told = capsys.readouterr().err
    assert "1 submission marked late by the LMS, without a time: 102; nothing was" in told
    assert "1 submission without a time, counted as on time: 101\n" in told
    assert "Your LMS marked this as late" in Path("pages/102.html").read_text()
    assert "late" not in Path("pages/101.html").read_text()

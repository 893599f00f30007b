"""Each row has the time of submission, as far as it is known."""

from __future__ import annotations

import os
import shutil
import struct
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from coursekit.grade.intake import find_submissions
from coursekit.grade.timestamps import AFTER, BEFORE, RECORD, HandIn, as_text

from .conftest import CHAPTER, RIGHT, hand_in, notebook

CHANGED = 1_790_000_000  # 2026-09-21T14:13:20 in UTC
CHANGED_TEXT = "2026-09-21T14:13:20+00:00"


@pytest.fixture(autouse=True)
def _somewhere(monkeypatch: pytest.MonkeyPatch):
    import time

    monkeypatch.setenv("TZ", "Europe/Vienna")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def time_of(where: Path, **options: Any) -> str | None:
    time = hand_in_of(where, **options).time
    return None if time is None else as_text(time)


def hand_in_of(where: Path, **options: Any) -> HandIn:
    (submission,) = find_submissions(where, CHAPTER, 1 << 20, **options)
    return submission.hand_in.judged()


@pytest.fixture
def work(tmp_path: Path) -> Path:
    path = hand_in(tmp_path / "submitted", "ada", notebook(*RIGHT.values()))
    os.utime(path, (CHANGED, CHANGED))
    return path


def test_a_file_was_handed_in_when_it_was_changed(work: Path) -> None:
    assert time_of(work.parents[2]) == CHANGED_TEXT


@pytest.mark.parametrize(
    ("noted", "expected"),
    [
        ("2015-02-02 15:58:23.948203 America/Los_Angeles", "2015-02-02T23:58:23.948203+00:00"),
        ("2026-11-02 22:59:00 UTC\n", "2026-11-02T22:59:00+00:00"),
        ("2026-11-02 22:59:00.5", "2026-11-02T22:59:00.500000+00:00"),
        ("2026-11-02T22:59:00+02:00", "2026-11-02T20:59:00+00:00"),
        ("2026-07-02 22:59:00.5 CEST", "2026-07-02T20:59:00.500000+00:00"),
        ("2026-07-02 10:59:00 EDT", "2026-07-02T14:59:00+00:00"),
        ("2026-11-02 10:59:00 PST", "2026-11-02T18:59:00+00:00"),  # not that of the Philippines
        ("2026-11-02 10:59:00 CST", "2026-11-02T16:59:00+00:00"),  # not China's
        ("2026-11-02 22:59:00 -03", "2026-11-03T01:59:00+00:00"),  # how São Paulo is abbreviated
        ("2026-11-02 22:59:00 +0545", "2026-11-02T17:14:00+00:00"),
        ("2026-10-25 02:30:00 CEST", "2026-10-25T00:30:00+00:00"),  # this hour comes twice
        ("2026-10-25 02:30:00 CET", "2026-10-25T01:30:00+00:00"),
        ("2026-03-29 01:59:00 CET", "2026-03-29T00:59:00+00:00"),
    ],
)
@pytest.mark.parametrize("is_zipped", [False, True])
def test_what_nbgrader_noted_counts(work: Path, noted: str, expected: str, is_zipped: bool) -> None:
    (work.parent / RECORD).write_text(noted)
    where = work.parents[2]
    if is_zipped:
        where = Path(shutil.make_archive(str(where), "zip", where.parent, where.name))
    assert time_of(where) == expected
    assert hand_in_of(where).doubt == ""


@pytest.mark.parametrize(
    ("noted", "shown"),
    [
        ("", "it is empty"),
        ("yesterday", "'yesterday'"),
        ("2026-11-02 22:59:00 Nowhere/Town", "Nowhere/Town"),
        ("2026-11-02 22:59:00 ../../etc/passwd", "passwd"),
        ("2026-13-02 22:59:00 UTC", "2026-13-02"),
        ("2026-11-02 22:59:00 IST", "IST"),  # India's, Israel's or Ireland's
        ("2026-11-02 22:59:00 +99", "+99"),
        ("0001-01-01 00:00:00+14:00", "0001-01-01"),
        ("\udcff", "\N{REPLACEMENT CHARACTER}"),
        ("9" * 500, "it is empty"),
    ],
)
def test_a_record_that_cannot_be_read_is_a_doubt(work: Path, noted: str, shown: str) -> None:
    (work.parent / RECORD).write_bytes(noted.encode("utf-8", "surrogateescape"))
    assert time_of(work.parents[2]) == CHANGED_TEXT
    doubt = hand_in_of(work.parents[2]).doubt
    assert doubt.startswith("its timestamp.txt cannot be read: ")
    assert shown in doubt
    assert len(doubt) < 120


def test_the_course_s_own_abbreviations_come_first(work: Path) -> None:
    (work.parent / RECORD).write_text("2026-11-02 22:59:00 IST")
    kolkata = time_of(work.parents[2], zone=ZoneInfo("Asia/Kolkata"))
    assert kolkata == "2026-11-02T17:29:00+00:00"


@pytest.mark.parametrize(
    ("seconds", "doubt"), [(0, BEFORE), (10_400_000_000, AFTER), (CHANGED, ""), (-1, BEFORE)]
)
def test_times_that_cannot_be_true_are_doubted(work: Path, seconds: int, doubt: str) -> None:
    os.utime(work, (seconds, seconds))
    assert hand_in_of(work.parents[2]).doubt == doubt


def test_clocks_that_differ_a_little_are_believed() -> None:
    soon = datetime.now(UTC) + timedelta(minutes=1)
    assert HandIn(soon).judged().doubt == ""
    assert HandIn(soon + timedelta(hours=1)).judged().doubt == AFTER


@pytest.mark.parametrize(
    "name",
    [
        "Ada Adason_101_assignsubmission_file_/a.ipynb",
        "ada_101_2001_a.ipynb",
        "ada_LATE_101_2_a.ipynb",
    ],
)
@pytest.mark.parametrize("is_unpacked", [False, True])
def test_files_in_a_download_from_an_lms_carry_the_time_of_the_download(
    tmp_path: Path, name: str, is_unpacked: bool
) -> None:
    where = tmp_path / "class.zip"
    with zipfile.ZipFile(where, "w") as archive:
        archive.writestr(zipfile.ZipInfo(name, (2026, 9, 21, 16, 13, 20)), notebook("1"))
        note = name.replace("a.ipynb", RECORD)  # a learner may have written it
        archive.writestr(note, "2001-01-01 00:00:00 UTC")
    if is_unpacked:
        with zipfile.ZipFile(where) as archive:
            archive.extractall(tmp_path / "class")
        where = tmp_path / "class"
    assert time_of(where) is None


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("Monday, 21 September 2026, 4:13 PM", "2026-09-21T14:13:00+00:00"),
        ("Monday, 21 September 2026, 16:13", "2026-09-21T14:13:00+00:00"),
        ("Friday, 5 December 2025, 12:05 AM", "2025-12-04T23:05:00+00:00"),
        ("Monday, September 21, 2026, 4:13 PM", "2026-09-21T14:13:00+00:00"),
        ("Monday, September 21, 2026, 4:13\u202fPM", "2026-09-21T14:13:00+00:00"),
        ("Monday, September 21, 2026, 16:13", "2026-09-21T14:13:00+00:00"),
        ("Montag, 21. September 2026, 16:13", "2026-09-21T14:13:00+00:00"),
        ("Montag, 4. Mai 2026, 16:13", "2026-05-04T14:13:00+00:00"),
        ("lundi 21 septembre 2026, 16:13", "2026-09-21T14:13:00+00:00"),
        ("samedi 1 août 2026, à 09:05", "2026-08-01T07:05:00+00:00"),
        ("maanantai, 21. syyskuuta 2026, 16.13", None),
        ("-", None),
        ("", None),
        ("Saturday, 31 February 2026, 12:05 AM", None),
    ],
)
def test_moodle_s_worksheet_has_the_time(tmp_path: Path, date: str, expected) -> None:
    file = tmp_path / "class.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("Ada Adason_101_assignsubmission_file_/a.ipynb", notebook("1"))
    worksheet = tmp_path / "class.csv"
    header = "Identifier,Full name,Status,Last modified (submission),Grade"
    worksheet.write_text(f'{header}\nParticipant 102,Bob,,"-",\nParticipant 101,Ada,,"{date}",\n')
    assert time_of(file, lms_file=worksheet) == expected
    doubt = hand_in_of(file, lms_file=worksheet).doubt
    if expected is None and date.strip("-"):
        assert doubt == f"its date in the LMS's list cannot be read: {date!r}"
    else:
        assert doubt == ""


@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("Europe/Berlin", "2026-10-25T00:30:00+00:00"),  # the first of two
        ("UTC", "2026-10-25T02:30:00+00:00"),
        ("America/New_York", "2026-10-25T06:30:00+00:00"),
    ],
)
def test_times_without_a_zone_are_read_in_the_course_s(tmp_path: Path, zone, expected) -> None:
    file = tmp_path / "class.zip"
    with zipfile.ZipFile(file, "w") as archive:
        info = zipfile.ZipInfo(f"ada/{CHAPTER}/{CHAPTER}.ipynb", (2026, 10, 25, 2, 30, 0))
        archive.writestr(info, notebook("1"))
    found = hand_in_of(file, zone=ZoneInfo(zone))
    assert found.time is not None
    assert (as_text(found.time), found.is_local) == (expected, True)


def test_no_notebook_has_no_time(tmp_path: Path) -> None:
    (tmp_path / "submitted" / "ada").mkdir(parents=True)
    assert time_of(tmp_path / "submitted") is None


@pytest.mark.parametrize(
    ("date", "extra", "expected"),
    [
        ((2026, 9, 21, 16, 13, 20), b"", CHANGED_TEXT),  # the zip's clock is that of Vienna
        ((1999, 1, 1, 0, 0, 0), struct.pack("<HHBi", 0x5455, 5, 1, CHANGED), CHANGED_TEXT),
        ((1980, 1, 1, 0, 0, 0), b"", None),
        ((2026, 0, 0, 0, 0, 0), b"", None),
        ((2026, 9, 21, 16, 13, 20), struct.pack("<HHB", 0x5455, 1, 0), CHANGED_TEXT),
    ],
)
def test_a_zip_s_members_have_times(tmp_path: Path, date, extra: bytes, expected) -> None:
    file = tmp_path / "class.zip"
    with zipfile.ZipFile(file, "w") as archive:
        info = zipfile.ZipInfo(f"ada/{CHAPTER}/{CHAPTER}.ipynb", date)
        info.extra = extra
        archive.writestr(info, notebook("1"))
    assert time_of(file) == expected

"""Each row has the time of submission, as far as it is known."""

from __future__ import annotations

import json
import os
import struct
import zipfile
from pathlib import Path

import pytest

from coursekit.cli import main
from coursekit.grade.submissions import find_submissions
from coursekit.grade.timestamps import RECORD

from .conftest import BANK, CHAPTER, RIGHT, hand_in, notebook

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


def time_of(where: Path, **options: Path) -> str | None:
    (submission,) = find_submissions(where, CHAPTER, 1 << 20, **options)
    return submission.timestamp


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
        ("2015-02-02 15:58:23.948203 America/Los_Angeles", "2015-02-02T23:58:23+00:00"),
        ("2026-11-02 22:59:00 UTC\n", "2026-11-02T22:59:00+00:00"),
        ("2026-11-02 22:59:00.5", "2026-11-02T22:59:00+00:00"),
        ("2026-11-02T22:59:00+02:00", "2026-11-02T20:59:00+00:00"),
        ("", CHANGED_TEXT),
        ("yesterday", CHANGED_TEXT),
        ("2026-11-02 22:59:00 Nowhere/Town", CHANGED_TEXT),
        ("2026-11-02 22:59:00 ../../etc/passwd", CHANGED_TEXT),
        ("2026-13-02 22:59:00 UTC", CHANGED_TEXT),
        ("0001-01-01 00:00:00+14:00", CHANGED_TEXT),
        ("\udcff", CHANGED_TEXT),
    ],
)
def test_what_nbgrader_noted_counts(work: Path, noted: str, expected: str) -> None:
    (work.parent / RECORD).write_bytes(noted.encode("utf-8", "surrogateescape"))
    assert time_of(work.parents[2]) == expected


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
        ("Saturday, 5 December 2026, 12:05 AM", "2026-12-04T23:05:00+00:00"),
        ("Montag, 21. September 2026, 16:13", None),
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


def test_rows_have_it_and_keep_it(work: Path, tmp_path: Path) -> None:
    results = tmp_path / "r.jsonl"
    broken = tmp_path / "submitted" / "bob"
    broken.mkdir()
    words = ["grade", CHAPTER, str(work.parents[2]), "--results", str(results), "--jobs", "1"]
    for _ in range(2):
        assert main([*words, "--exercises", str(BANK)]) == 0
        rows = [json.loads(line) for line in results.read_text().splitlines()]
        assert [row["timestamp"] for row in rows] == [CHANGED_TEXT, None]
        # Copying the same work again does not change the time.
        os.utime(work)

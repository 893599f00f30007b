"""Zips that were made to break something: each odd member affects its student's row only."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest

from coursekit.errors import CoursekitError

from .conftest import CHAPTER, notebook
from .handed_in import WORK, read_all

EVE, BOB = f"eve_7_1_{CHAPTER}.ipynb", f"bob_8_2_{CHAPTER}.ipynb"
EXTRA = struct.pack("<HHI", 0x4242, 4, 0)
OUTSIDE = "its name in the zip points outside"
BOBS = notebook("answer = 'mine, and nobody else sees it'")


def pair(path: Path, method: int) -> Path:
    """Write a zip of two students' notebooks: Eve's, in a way of her choice, then Bob's."""
    with zipfile.ZipFile(path, "w") as archive:
        eve = zipfile.ZipInfo(EVE)
        eve.extra, eve.compress_type = EXTRA, method
        archive.writestr(eve, WORK)
        archive.writestr(BOB, BOBS)
    return path


#: Fields of Eve's header and of her entry in the list: their places, how they are written, values.
ENCRYPTED = (6, 8, "<H", 1)
UNKNOWN_METHOD = (8, 10, "<H", 99)
DECLARED_SHORTER = (22, 24, "<I", 5)
DECLARED_LONGER = (22, 24, "<I", 50_000)
FOR_A_LATER_ZIP = (4, 6, "<H", 99)
DAMAGED = (30 + len(EVE) + len(EXTRA) + 20, None, "<B", 0xFF)
PAST_THE_END = (None, 42, "<I", 1 << 20)


def spoilt(path: Path, field: tuple[Any, Any, str, int] | None, method: int = 0) -> Path:
    """Write a zip like `pair` in which Eve's member has another value in a field."""
    data = bytearray(pair(path, method).read_bytes())
    if field:
        in_header, in_list, layout, value = field
        for begin, place in ((b"PK\3\4", in_header), (b"PK\1\2", in_list)):
            if place is not None:
                struct.pack_into(layout, data, data.index(begin) + place, value)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("method", "field", "reason"),
    [
        (zipfile.ZIP_STORED, DAMAGED, "cannot be read from the zip: Bad CRC-32"),
        (zipfile.ZIP_DEFLATED, DAMAGED, "cannot be read from the zip: Error -3"),
        (zipfile.ZIP_DEFLATED, DECLARED_SHORTER, "Bad CRC-32"),
        (zipfile.ZIP_DEFLATED, PAST_THE_END, "cannot be read from the zip"),
        (zipfile.ZIP_DEFLATED, ENCRYPTED, "encrypted"),
        (zipfile.ZIP_DEFLATED, UNKNOWN_METHOD, "unusual way in the zip (method 99)"),
        (zipfile.ZIP_BZIP2, None, f"unusual way in the zip (method {zipfile.ZIP_BZIP2})"),
        (zipfile.ZIP_LZMA, None, f"unusual way in the zip (method {zipfile.ZIP_LZMA})"),
    ],
)
def test_a_broken_or_unusual_member_is_its_students_row(tmp_path, method, field, reason):
    works = read_all(spoilt(tmp_path / "class.zip", field, method))
    assert works == {"7": works["7"], "8": BOBS}
    assert reason in works["7"]


def test_a_claimed_size_is_not_trusted(tmp_path):
    assert read_all(spoilt(tmp_path / "class.zip", DECLARED_LONGER)) == {"7": WORK, "8": BOBS}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_a_warning(tmp_path):
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for data in (WORK + b" ", WORK):
            archive.writestr(f"anton/{CHAPTER}/{CHAPTER}.ipynb", data)
    works = read_all(tmp_path / "class.zip")["anton"]
    assert works == (WORK, "it has 2 files of one name; the last was taken")


def test_bad_members_are_rows_and_the_others_are_read(tmp_path):
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(EVE, WORK)
        archive.writestr(f"b_2_1_{CHAPTER}.ipynb", bytes(50_000_000))
        link = zipfile.ZipInfo(f"c_3_1_{CHAPTER}.ipynb")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        for outside in ("../../evil.ipynb", f"/{BOB}", f"../{BOB}", "/", "\0eve"):
            odd = zipfile.ZipInfo("x")
            odd.filename = odd.orig_filename = outside
            archive.writestr(odd, WORK)
        archive.writestr("grades.csv", b"")
    works = read_all(path)
    assert works["7"] == WORK
    assert "larger than" in works["2"]
    assert "link" in works["3"]
    strays = [student for student, work in works.items() if work == OUTSIDE]
    assert len(strays) == 5
    assert len(works) == 8


def test_a_broken_list_of_files_ends_the_run_with_one_line(tmp_path):
    path = spoilt(tmp_path / "class.zip", FOR_A_LATER_ZIP)
    with pytest.raises(CoursekitError, match=r"cannot be read as a zip \(zip file version 9.9\)"):
        read_all(path)

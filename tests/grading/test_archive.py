"""Zips that were made to break something: each odd member affects its student's row only."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from coursekit.errors import CoursekitError

from .conftest import CHAPTER, notebook
from .handed_in import WORK, read_all

EVE, BOB = f"eve_7_1_{CHAPTER}.ipynb", f"bob_8_2_{CHAPTER}.ipynb"
EXTRA = struct.pack("<HHI", 0x4242, 4, 0)
BOBS = notebook("answer = 'mine, and nobody else sees it'")


def pair(path: Path, method: int = zipfile.ZIP_STORED) -> Path:
    """Write a zip of two students' notebooks: Eve's, in a way of her choice, then Bob's."""
    with zipfile.ZipFile(path, "w") as archive:
        eve = zipfile.ZipInfo(EVE)
        eve.extra, eve.compress_type = EXTRA, method
        archive.writestr(eve, WORK)
        archive.writestr(BOB, BOBS)
    return path


def records(data: bytes) -> tuple[int, int]:
    """Return the places of Eve's own header and of her entry in the list of files."""
    return data.index(b"PK\3\4"), data.index(b"PK\1\2")


def put(data: bytearray, local: int, listed: int, layout: str, value: int) -> None:
    """Write a field into Eve's header and into her line in the list; their places differ."""
    at, line = records(bytes(data))
    struct.pack_into(layout, data, at + local, value)
    struct.pack_into(layout, data, line + listed, value)


def damaged(data: bytearray) -> None:
    at, _ = records(bytes(data))
    data[at + 30 + len(EVE) + len(EXTRA) + 20] ^= 0xFF


def encrypted(data: bytearray) -> None:
    put(data, 6, 8, "<H", 1)


def unknown_method(data: bytearray) -> None:
    put(data, 8, 10, "<H", 99)


def declared_shorter(data: bytearray) -> None:
    put(data, 22, 24, "<I", 5)


def declared_longer(data: bytearray) -> None:
    put(data, 22, 24, "<I", 50_000)


def for_a_later_zip(data: bytearray) -> None:
    put(data, 4, 6, "<H", 99)


def past_the_end(data: bytearray) -> None:
    struct.pack_into("<I", data, records(bytes(data))[1] + 42, len(data) + 7)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (damaged, "cannot be read from the zip"),
        (encrypted, "encrypted"),
        (unknown_method, "unusual way in the zip (method 99)"),
        (declared_shorter, "Bad CRC-32"),
        (past_the_end, "cannot be read from the zip"),
    ],
)
def test_a_broken_member_is_its_students_row(
    tmp_path: Path, method: int, spoil: Callable[[bytearray], None], reason: str
) -> None:
    path = pair(tmp_path / "class.zip", method)
    data = bytearray(path.read_bytes())
    spoil(data)
    path.write_bytes(data)
    works = read_all(path)
    assert works["8"] == BOBS
    assert reason in works["7"]
    assert len(works) == 2


def test_a_claimed_size_is_not_trusted(tmp_path):
    path = pair(tmp_path / "class.zip")
    data = bytearray(path.read_bytes())
    declared_longer(data)
    path.write_bytes(data)
    assert read_all(path) == {"7": WORK, "8": BOBS}


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("spoil", [damaged, lambda data: None])
def test_unusual_compression_is_its_students_row(tmp_path, method, spoil):
    path = pair(tmp_path / "class.zip", method)
    data = bytearray(path.read_bytes())
    spoil(data)
    path.write_bytes(data)
    works = read_all(path)
    assert works == {"7": works["7"], "8": BOBS}
    assert f"unusual way in the zip (method {method})" in works["7"]


@pytest.mark.parametrize("name", ["", "\0eve", "/"])
def test_a_member_without_a_name_is_a_row(tmp_path, name):
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        odd = zipfile.ZipInfo("x")
        odd.filename = odd.orig_filename = name
        archive.writestr(odd, b"")
        archive.writestr(BOB, BOBS)
    works = read_all(tmp_path / "class.zip")
    assert works.pop("8") == BOBS
    assert list(works.values()) == ["its name in the zip points outside"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_a_warning(tmp_path):
    with zipfile.ZipFile(tmp_path / "class.zip", "w") as archive:
        for data in (WORK + b" ", WORK):
            archive.writestr(f"anton/{CHAPTER}/{CHAPTER}.ipynb", data)
    with zipfile.ZipFile(tmp_path / "canvas.zip", "w") as archive:
        for data in (WORK, WORK):
            archive.writestr(EVE, data)
    works = read_all(tmp_path / "class.zip")["anton"]
    assert works == (WORK, "it has 2 files of one name; the last was taken")
    assert read_all(tmp_path / "canvas.zip")["7"][1] == "it has 2 notebooks; the newest was taken"


def test_bad_members_are_rows_and_the_others_are_read(tmp_path):
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(EVE, WORK)
        archive.writestr(f"b_2_1_{CHAPTER}.ipynb", bytes(50_000_000))
        link = zipfile.ZipInfo(f"c_3_1_{CHAPTER}.ipynb")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        for outside in ("../../evil.ipynb", f"/{BOB}", f"../{BOB}"):
            archive.writestr(outside, WORK)
        archive.writestr("grades.csv", b"")
    works = read_all(path)
    assert works["7"] == WORK
    assert "larger than" in works["2"]
    assert "link" in works["3"]
    strays = {student: reason for student, reason in works.items() if "%2f" in student}
    assert len(strays) == 3
    assert set(strays.values()) == {"its name in the zip points outside"}
    assert len(works) == 6


def test_a_file_that_is_not_a_zip_is_one_line(tmp_path):
    (tmp_path / "class.zip").write_bytes(b"PK\x03\x04 nonsense")
    with pytest.raises(CoursekitError, match="cannot be read as a zip"):
        read_all(tmp_path / "class.zip")


def test_a_broken_list_of_files_ends_the_run_with_one_line(tmp_path):
    path = pair(tmp_path / "class.zip")
    data = bytearray(path.read_bytes())
    for_a_later_zip(data)
    path.write_bytes(data)
    with pytest.raises(CoursekitError, match=r"cannot be read as a zip \(zip file version 9.9\)"):
        read_all(path)

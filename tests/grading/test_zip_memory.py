"""Zips that would take much memory: long lists of files, and members that inflate."""

from __future__ import annotations

import struct
import subprocess
import sys
import zipfile

import pytest

from coursekit.errors import CoursekitError
from coursekit.grade import zip_list

from .conftest import CHAPTER
from .handed_in import make_zip, read_all


@pytest.mark.parametrize("count", [11, 12])
def test_too_many_members_are_refused_before_they_are_read(tmp_path, monkeypatch, count):
    monkeypatch.setattr(zip_list, "MOST_MEMBERS", 11)
    path = make_zip(tmp_path / "class.zip", [f"s_{n}_1_x.ipynb" for n in range(count)])
    data = bytearray(path.read_bytes())
    struct.pack_into("<HH", data, data.rindex(b"PK\5\6") + 8, 1, 1)  # it says: one file
    path.write_bytes(data)
    if count == 11:
        assert len(read_all(path)) == 11
        return
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(CoursekitError, match="holds 12 files; at most 11 are read"):
        read_all(path)


def test_a_long_list_of_files_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(zip_list, "MOST_BYTES", 100)
    path = make_zip(tmp_path / "class.zip", ["anton.ipynb", "berta.ipynb"])
    with pytest.raises(CoursekitError, match="its list of files has 0 MiB; at most"):
        read_all(path)


def test_the_list_of_a_large_archive_is_counted_where_it_says_how_long_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)  # from here on zipfile writes such
    path = make_zip(tmp_path / "class.zip", ["anton.ipynb", "berta.ipynb"])
    data = bytearray(path.read_bytes())
    assert b"PK\6\6" in data
    struct.pack_into("<I", data, data.rindex(b"PK\5\6") + 12, 0)
    path.write_bytes(data)
    assert len(read_all(path)) == 2
    monkeypatch.setattr(zip_list, "MOST_MEMBERS", 1)
    with pytest.raises(CoursekitError, match="holds 2 files; at most 1 are read"):
        read_all(path)


BOMBS = """
import resource, sys
from coursekit.grade.submissions import find_submissions
from coursekit.grade.submission_file import UnusableError
def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
submissions = find_submissions(__import__("pathlib").Path(sys.argv[1]), "arithmetic", 1 << 20)
before = most()
reasons = 0
for submission in submissions:
    try:
        submission.read()
    except UnusableError:
        reasons += 1
print(reasons, most() - before)
"""


def test_bombs_take_little_memory(tmp_path):
    """Each holds 256 MiB, and must be read with 32 MiB of memory."""
    path, size = tmp_path / "class.zip", 256 << 20
    with zipfile.ZipFile(path, "w") as archive:
        for number, method in enumerate(
            (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
        ):
            info = zipfile.ZipInfo(f"s_{number}_1_{CHAPTER}.ipynb")
            info.compress_type = method
            with archive.open(info, "w", force_zip64=True) as file:
                for _ in range(size >> 20):
                    file.write(bytes(1 << 20))
    ran = subprocess.run(
        [sys.executable, "-c", BOMBS, str(path)], capture_output=True, text=True, check=True
    )
    reasons, taken = map(int, ran.stdout.split())
    assert reasons == 3
    assert taken < 32

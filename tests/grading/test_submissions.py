"""Folders and archives as students and LMSs leave them: every entry is a submission."""

from __future__ import annotations

import os
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from coursekit.errors import CoursekitError
from coursekit.grade.submissions import UnusableError, find_submissions

from .conftest import CHAPTER, hand_in, notebook

MOST = 100_000
WORK = notebook("x = 1")


def found(where: Path) -> dict[str, bytes | str]:
    """Return each student's bytes (with doubts: a tuple), or the reason why there are none."""
    result = {}
    for submission in find_submissions(where, CHAPTER, MOST):
        try:
            data, doubts = submission.read()
            result[submission.student] = (data, *doubts) if doubts else data
        except UnusableError as error:
            result[submission.student] = str(error)
    return result


def test_nbgraders_layout_in_order(tmp_path):
    for student in ("berta", "anton", "Änne"):
        hand_in(tmp_path, student, WORK)
    assert list(found(tmp_path)) == ["anton", "berta", "Änne"]
    assert set(found(tmp_path).values()) == {WORK}


def test_other_names_and_places_are_found(tmp_path):
    (tmp_path / "anton").mkdir()
    (tmp_path / "anton" / f"{CHAPTER}.ipynb").write_bytes(WORK)
    (tmp_path / "berta" / CHAPTER).mkdir(parents=True)
    (tmp_path / "berta" / CHAPTER / "my solution (1).ipynb").write_bytes(WORK)
    (tmp_path / "carla.ipynb").write_bytes(WORK)
    assert found(tmp_path) == {
        "anton": WORK,
        "berta": (WORK, "its notebook is called my solution (1).ipynb"),
        "carla": WORK,
    }


def test_another_chapters_notebook_is_not_taken_for_this_one(tmp_path):
    hand_in(tmp_path, "anton", WORK, chapter="geometry")
    assert found(tmp_path) == {"anton": f"it has no {CHAPTER}.ipynb"}


def test_nothing_but_regular_files_is_opened(tmp_path):
    honest = hand_in(tmp_path, "anton", WORK)
    folder = tmp_path / "link" / CHAPTER
    folder.mkdir(parents=True)
    (folder / f"{CHAPTER}.ipynb").symlink_to(honest)
    (tmp_path / "pipe" / CHAPTER).mkdir(parents=True)
    os.mkfifo(tmp_path / "pipe" / CHAPTER / f"{CHAPTER}.ipynb")
    (tmp_path / "folder" / CHAPTER / f"{CHAPTER}.ipynb").mkdir(parents=True)
    (tmp_path / "other").symlink_to(tmp_path / "anton")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / CHAPTER).symlink_to(tmp_path / "anton" / CHAPTER)
    reasons = {k: v for k, v in found(tmp_path).items() if k != "anton"}
    assert len(reasons) == 5
    assert all("link" in reasons[name] for name in ("link", "other", "inner"))
    assert all("regular" in reasons[name] for name in ("pipe", "folder"))


def test_a_large_file_is_not_read(tmp_path):
    hand_in(tmp_path, "anton", b"x" * (MOST + 1))
    assert "at most" in found(tmp_path)["anton"]


def test_strange_names_become_printable(tmp_path):
    for name in (b"tab\there", b"latin-\xe9", "right\u202eleft".encode(), b"a'; DROP TABLE--"):
        os.mkdir(os.path.join(os.fsencode(tmp_path), name))
    names = list(found(tmp_path))
    assert len(names) == 4
    assert all(name.isprintable() and "/" not in name for name in names)


def test_two_of_a_name_stay_two(tmp_path):
    hand_in(tmp_path, "anton", WORK)
    (tmp_path / "anton.ipynb").write_bytes(WORK)
    assert list(found(tmp_path)) == ["anton", "anton (2)"]


def test_a_students_second_submission_does_not_take_another_ones_name(tmp_path):
    (tmp_path / "anton.ipynb").write_bytes(notebook("x = 2"))
    hand_in(tmp_path, "anton (2)", notebook("x = 3"))
    hand_in(tmp_path, "anton", WORK)
    assert found(tmp_path) == {
        "anton": WORK,
        "anton (3)": notebook("x = 2"),
        "anton (2)": notebook("x = 3"),
    }


def test_of_a_large_class_little_more_than_the_names_is_kept(tmp_path):
    students = 2000
    for number in range(students):
        (tmp_path / f"student-{number:05}").mkdir()
    find_submissions(tmp_path, CHAPTER, MOST)  # imports
    tracemalloc.start()
    kept = find_submissions(tmp_path, CHAPTER, MOST)
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(kept) == students
    assert size < 200 * students


def test_nothing_there_is_one_line(tmp_path):
    with pytest.raises(CoursekitError, match="no submissions; expected"):
        find_submissions(tmp_path, CHAPTER, MOST)
    with pytest.raises(CoursekitError, match="no such folder"):
        find_submissions(tmp_path / "nowhere", CHAPTER, MOST)


def make_zip(path: Path, **members: bytes) -> Path:
    """Write a zip and return its path."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def test_canvas(tmp_path):
    members = {
        f"doejane_12_9001_{CHAPTER}.ipynb": WORK,
        f"roerichard_LATE_34_9002_{CHAPTER}-1.ipynb": WORK + b" ",
        f"roerichard_34_9001_{CHAPTER}.ipynb": WORK,
        "poe_56_9003_essay.pdf": b"%PDF",
    }
    seen = found(make_zip(tmp_path / "canvas.zip", **members))
    assert seen["12"] == WORK
    assert seen["34"][0] == WORK + b" "
    assert "essay.pdf" in seen["56"]


def test_archives_that_were_unpacked_keep_their_numbers(tmp_path):
    folder = tmp_path / "unpacked"
    moodle = folder / "Ada Ada_101_assignsubmission_file_"
    moodle.mkdir(parents=True)
    (moodle / f"{CHAPTER}.ipynb").write_bytes(WORK)
    (folder / f"bobson_102_2001_{CHAPTER}.ipynb").write_bytes(WORK)
    (folder / "carla.IPYNB").write_bytes(WORK)
    assert found(folder) == dict.fromkeys(("101", "102", "carla"), WORK)


def test_a_canvas_archive_in_a_folder_and_in_capitals(tmp_path):
    members = {f"submissions/adasonada_101_2001_{CHAPTER}.IPYNB": WORK}
    assert found(make_zip(tmp_path / "canvas.zip", **members)) == {"101": WORK}


def test_moodle(tmp_path):
    members = {
        f"Jane Doe_1204_assignsubmission_file_/{CHAPTER}.ipynb": WORK,
        f"Richard_Roe_77_assignsubmission_file_{CHAPTER}.ipynb": WORK,
        "Poe_78_assignsubmission_file_/work/deep/mine.ipynb": WORK,
    }
    assert found(make_zip(tmp_path / "moodle.zip", **members)) == dict.fromkeys(
        ["1204", "77", "78"], WORK
    )


def test_nbgrader_in_a_zip(tmp_path):
    members = {
        f"submitted/anton/{CHAPTER}/{CHAPTER}.ipynb": WORK,
        f"submitted/__MACOSX/anton/{CHAPTER}/{CHAPTER}.ipynb": b"",
    }
    assert found(make_zip(tmp_path / "class.zip", **members)) == {"anton": WORK}


def test_bad_members_are_rows_and_the_others_are_read(tmp_path):
    path = tmp_path / "class.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"a_1_1_{CHAPTER}.ipynb", WORK)
        archive.writestr(f"b_2_1_{CHAPTER}.ipynb", bytes(50_000_000))
        link = zipfile.ZipInfo(f"c_3_1_{CHAPTER}.ipynb")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("../../evil.ipynb", WORK)
        archive.writestr("stray.ipynb", WORK)
        archive.writestr("grades.csv", b"")
        broken = f"d_4_1_{CHAPTER}.ipynb"
        archive.writestr(zipfile.ZipInfo(broken), WORK)
    data = path.read_bytes()
    at = data.rindex(b"execution_count")
    path.write_bytes(data[:at] + b"X" + data[at + 1 :])
    seen = found(path)
    assert seen["1"] == WORK
    assert "larger than" in seen["2"]
    assert "link" in seen["3"]
    assert "CRC" in seen["4"]
    assert seen["stray"] == WORK
    evil = next(reason for name, reason in seen.items() if "evil" in name)
    assert "outside" in evil
    assert len(seen) == 6


def test_a_file_that_is_no_zip_is_one_line(tmp_path):
    (tmp_path / "class.zip").write_bytes(b"PK\x03\x04 nonsense")
    with pytest.raises(CoursekitError, match="cannot be read as a zip"):
        find_submissions(tmp_path / "class.zip", CHAPTER, MOST)

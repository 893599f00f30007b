"""Folders and archives as students and LMSs make them: every entry is a submission."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from coursekit.errors import CoursekitError
from coursekit.grade.intake import find_submissions

from .conftest import CHAPTER, hand_in
from .handed_in import MOST, WORK, read_all


@pytest.mark.parametrize(
    "students",
    [["anton", "berta", "Änne"], ["...", "..name", ".hidden", "name.", "~"], [CHAPTER]],
)
def test_nbgraders_layout_in_order(tmp_path, students):
    for student in reversed(students):
        hand_in(tmp_path, student, WORK)
    works = read_all(tmp_path)
    assert works == dict.fromkeys(students, WORK)
    assert list(works) == students


def test_only_regular_files_are_opened(tmp_path):
    honest = hand_in(tmp_path, "anton", WORK)
    folder = tmp_path / "link" / CHAPTER
    folder.mkdir(parents=True)
    (folder / f"{CHAPTER}.ipynb").symlink_to(honest)
    (tmp_path / "pipe" / CHAPTER).mkdir(parents=True)
    os.mkfifo(tmp_path / "pipe" / CHAPTER / f"{CHAPTER}.ipynb")
    (tmp_path / "folder" / CHAPTER / f"{CHAPTER}.ipynb").mkdir(parents=True)
    (tmp_path / "socket" / CHAPTER).mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as planted:
        # A path to bind to has at most some hundred characters.
        here = os.open(tmp_path / "socket" / CHAPTER, os.O_RDONLY)
        planted.bind(f"/proc/self/fd/{here}/{CHAPTER}.ipynb")
        os.close(here)
    (tmp_path / "other").symlink_to(tmp_path / "anton")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / CHAPTER).symlink_to(tmp_path / "anton" / CHAPTER)
    reasons = {k: v for k, v in read_all(tmp_path).items() if k != "anton"}
    assert len(reasons) == 6
    assert all("link" in reasons[name] for name in ("link", "other", "inner"))
    assert all("regular" in reasons[name] for name in ("pipe", "folder", "socket"))


def test_strange_names_become_printable(tmp_path):
    for name in (b"tab\there", b"latin-\xe9", "right\u202eleft".encode(), b"a'; DROP TABLE--"):
        os.mkdir(os.path.join(os.fsencode(tmp_path), name))
    names = list(read_all(tmp_path))
    assert len(names) == 4
    assert all(name.isprintable() and "/" not in name for name in names)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Ada", "ada"), ("Anne\u0301", "Ann\u00e9"), ("ada", "ada "), ("ada", "ada.")),
        *(("a\tb", "a%09b"), ("anton", "anton.ipynb")),
    ],
)
def test_names_that_another_system_takes_for_one_stop_the_run(tmp_path, one, other):
    for name in {one, "berta", other.removesuffix(".ipynb")}:
        hand_in(tmp_path, name, WORK)
    if other.endswith(".ipynb"):
        (tmp_path / other).write_bytes(WORK)
    with pytest.raises(CoursekitError, match=r"id stands for several: .* \('.*', '.*'\)\. Nothing"):
        read_all(tmp_path)


def test_files_that_systems_leave_belong_to_nobody(tmp_path):
    hand_in(tmp_path, "anton", WORK)
    for name in ("__MACOSX", ".ipynb_checkpoints", ".git"):
        hand_in(tmp_path, name, WORK)
    for name in (".DS_Store", "Thumbs.db", "desktop.ini", "._anton.ipynb", "grades.csv"):
        (tmp_path / name).write_bytes(b"")
    assert read_all(tmp_path) == {"anton": WORK}


@pytest.mark.parametrize("called", [f"{CHAPTER}.ipynb", "my own.ipynb"])
def test_one_students_own_folder_or_chapter_is_refused(tmp_path, monkeypatch, called):
    inner = tmp_path / "anton" / CHAPTER
    inner.mkdir(parents=True)
    (inner / called).write_bytes(WORK)
    monkeypatch.chdir(inner)
    own = called == f"{CHAPTER}.ipynb"
    for where in (inner.parent, *([inner, Path()] if own else [])):
        with pytest.raises(CoursekitError, match=f"one student's folder .*pass {tmp_path}$"):
            read_all(where)
    assert list(read_all(tmp_path)) == ["anton"]


def test_a_courses_folder_is_refused(tmp_path):
    hand_in(tmp_path / "submitted", "anton", WORK)
    (tmp_path / "release" / CHAPTER).mkdir(parents=True)
    with pytest.raises(CoursekitError, match=f"a course's folder .*pass {tmp_path}/submitted$"):
        read_all(tmp_path)


@contextmanager
def an_ordinary_user() -> Iterator[None]:
    """Be an ordinary user in the block; root may read everything."""
    mine = os.geteuid()
    if mine == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(mine)


@pytest.mark.parametrize("mode", [0, 0o444])
@pytest.mark.parametrize("closed", [".", "anton", f"anton/{CHAPTER}"])
def test_a_folder_closed_to_this_user_is_not_a_student_without_a_notebook(closed, mode):
    with TemporaryDirectory() as name:
        folder = Path(name, "submitted")
        hand_in(folder, "anton", WORK)
        Path(name).chmod(0o755)
        (folder / closed).chmod(mode)
        with an_ordinary_user(), pytest.raises(CoursekitError, match="Permission denied"):
            read_all(folder)
        (folder / closed).chmod(0o755)


def test_nothing_there_is_one_line(tmp_path):
    with pytest.raises(CoursekitError, match="no submissions; expected"):
        find_submissions(tmp_path, CHAPTER, MOST)
    with pytest.raises(CoursekitError, match="no such folder"):
        find_submissions(tmp_path / "nowhere", CHAPTER, MOST)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CoursekitError, match="neither a folder nor a file"):
        find_submissions(tmp_path / "pipe", CHAPTER, MOST)

"""What holds marks is its owner's alone, whatever the umask is."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from coursekit.errors import CoursekitError
from coursekit.grade.gradebook import open_gradebook
from coursekit.grade.results_file import ResultsFile
from coursekit.private_files import make_private_folder, write_private
from coursekit.results import Row

from .conftest import row


@pytest.fixture(autouse=True)
def _open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(*paths: Path | str) -> list[str]:
    return [f"{stat.S_IMODE(os.stat(path).st_mode):o}" for path in paths]


def test_results_are_private_when_made_and_when_put_in_order(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    for students in (["bob", "ada"], ["bob", "ada", "bob"]):
        with ResultsFile(file) as results:
            for student in students:
                results.add(Row.from_json(row(student, 2, 0)))
                assert modes(file) == ["600"]
            results.finish()
        assert modes(file) == ["600"]
    assert os.listdir(tmp_path) == ["results.jsonl"]


def test_pages_and_exports_are_private(results, run) -> None:
    file = results(row("ada", 2, 1))
    Path("out").mkdir()
    Path("out/ada.html").write_text("old")
    Path("grades.csv").write_text("old")
    Path("canvas.csv").write_text("Student,SIS Login ID\nAda,ada\n")
    run("feedback", file, "-o", "new")
    run("feedback", file, "-o", "out")
    run("export", file, "--format", "nbgrader", "-o", "grades.csv")
    run("export", file, "--format", "canvas", "--lms-file", "canvas.csv", "-o", "upload.csv")
    files = ["new/ada.html", "out/ada.html", "grades.csv", "upload.csv"]
    assert modes(*files) == ["600"] * 4
    assert modes("new") == ["700"]
    assert modes("out") == ["777"]  # a folder that was there is its owner's to open


def test_a_new_gradebook_is_private_and_an_old_one_its_owner_s_to_share(tmp_path: Path) -> None:
    file = tmp_path / "gradebook.db"
    for mode in ("600", "660"):
        with open_gradebook(f"sqlite:///{file}"):
            pass
        assert modes(file) == [mode]
        file.chmod(0o660)


def test_a_file_is_whole_or_as_it_was(tmp_path: Path, monkeypatch) -> None:
    file = tmp_path / "grades.csv"
    write_private(file, "old")
    link = tmp_path / "link.csv"
    link.symlink_to(file)
    write_private(link, "new\r\n")
    assert link.is_symlink()
    assert file.read_bytes() == b"new\r\n"

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(CoursekitError, match=r"grades\.csv: No space left on device"):
        write_private(file, "newer")
    assert file.read_bytes() == b"new\r\n"
    assert sorted(os.listdir(tmp_path)) == ["grades.csv", "link.csv"]


def test_what_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(CoursekitError, match=r"g\.csv: there is no folder .*/none"):
        write_private(tmp_path / "none" / "g.csv", "x")
    (tmp_path / "file").touch()
    with pytest.raises(CoursekitError, match="a file is in the way"):
        make_private_folder(tmp_path / "file")


def test_an_export_may_go_into_a_pipe(results, run) -> None:
    end, start = os.pipe()
    run("export", results(row("ada", 2, 1)), "--format", "nbgrader", "-o", f"/dev/fd/{start}")
    os.close(start)
    with open(end, encoding="utf-8") as pipe:
        assert ",ada," in pipe.read()

"""File names that students choose never move work to another student's id."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given
from hypothesis import strategies as st

from coursekit.lms import layout_of, owner

from .conftest import CHAPTER
from .handed_in import make_zip, read_all

NB = f"{CHAPTER}.ipynb"

PIECES = st.sampled_from(
    [
        *("_", "_", "7", "8", "777", "_8_9_", "assignsubmission", "file", "LATE", "anon", "Ab3dE"),
        *("_8_assignsubmission_file_", "text.html", "bob", CHAPTER, ".ipynb", ".", "..", "é", " "),
        *("__MACOSX", "submitted", "\n", "%", "-99", "(3)", "\\"),
    ]
)
FILES = st.lists(PIECES, min_size=1, max_size=8).map("".join)
PATHS = st.lists(FILES, min_size=1, max_size=4).map("/".join)


def canvas_name(person: str, number: int, late: bool, attachment: int, file: str) -> str:
    """Return Canvas's name for a file."""
    prefix = f"{person}{'_LATE' if late else ''}_{number}_{attachment}"
    return prefix + "_" + re.sub(r'[\x00/\\:*?"<>|]+', "_", file)


def each_has_the_own(names: dict[str, list[str]]) -> None:
    """Assert that a zip, and what it is unpacked to, give each student's bytes to that student."""
    names = {student: some for student, some in names.items() if some}
    members = {name: f"{student}'s".encode() for student, some in names.items() for name in some}
    with TemporaryDirectory() as folder:
        ways = [make_zip(Path(folder, "class.zip"), members)]
        if not any("/" in name for name in members):
            ways.append(Path(folder, "unpacked"))
            ways[1].mkdir()
            for name, data in members.items():
                (ways[1] / name).write_bytes(data)
        for way in ways:
            works = read_all(way)
            assert works.keys() == names.keys()
            for student, work in works.items():
                data = work[0] if isinstance(work, tuple) else work
                assert isinstance(data, str) or data == f"{student}'s".encode()


@given(
    st.lists(FILES, min_size=1, max_size=3, unique=True), st.lists(FILES, max_size=3), st.booleans()
)
@example(["x_8_assignsubmission_file_arithmetic-99.ipynb"], [NB], False)
@example(["assignsubmission_file_x.ipynb"], [], True)
@example(["8_9_arithmetic.ipynb"], [NB], True)
def test_in_canvas_a_file_name_changes_no_id(mine, others, late):
    eve = [canvas_name("eve", 7, late, 100 + n, file) for n, file in enumerate(mine)]
    bob = [canvas_name("bob", 8, False, 200 + n, file) for n, file in enumerate(others)]
    each_has_the_own({"7": eve, "8": bob})


@given(
    st.lists(FILES, min_size=1, max_size=3, unique=True), st.lists(FILES, max_size=3), st.booleans()
)
@example(["77_assignsubmission_file_x.ipynb"], ["assignsubmission_file_x.ipynb"], False)
def test_in_canvas_graded_anonymously_a_file_name_changes_no_id(mine, others, late):
    mark = "LATE_" if late else ""
    eve = [canvas_name(f"{mark}anon", "Ab3dE", False, 100 + n, f) for n, f in enumerate(mine)]  # type: ignore[arg-type]
    bob = [canvas_name("anon", "8bbbb", False, 200 + n, f) for n, f in enumerate(others)]  # type: ignore[arg-type]
    each_has_the_own({"anon_Ab3dE": eve, "anon_8bbbb": bob})


@given(
    st.lists(PATHS, min_size=1, max_size=3, unique=True),
    st.lists(PATHS, max_size=3),
    st.sampled_from("_ "),
)
@example(["x_8_assignsubmission_file_/arithmetic.ipynb"], [NB], "_")
@example([f"../Bob_8_assignsubmission_file_/{NB}"], [NB], "_")
def test_in_moodles_folders_a_path_changes_no_id(mine, others, end):
    end = end.strip()
    eve = [f"Eve L_7_assignsubmission_file{end}/{path}" for path in mine]
    bob = [f"Bob_8_assignsubmission_file{end}/{path}" for path in dict.fromkeys(others)]
    each_has_the_own({"7": eve, "8": bob})


@given(
    st.lists(FILES, min_size=1, max_size=3, unique=True), st.lists(FILES, max_size=3, unique=True)
)
@example(["x_8_assignsubmission_file_arithmetic-99.ipynb"], [NB])
@example(["8_9_arithmetic.ipynb"], ["7_100_arithmetic.ipynb"])
def test_in_moodles_flat_files_a_name_changes_no_id(mine, others):
    eve = [f"Eve L_7_assignsubmission_file_{file}" for file in mine]
    bob = [f"Bob_8_assignsubmission_file_{file}" for file in others]
    each_has_the_own({"7": eve, "8": bob})


@given(
    st.lists(PATHS, min_size=1, max_size=3, unique=True), st.lists(PATHS, max_size=3, unique=True)
)
@example([f"bob/{CHAPTER}/{NB}"], [])
@example([f"../../bob/{CHAPTER}/{NB}"], [NB])
def test_in_nbgraders_folders_a_path_changes_no_id(mine, others):
    eve = [f"eve/{CHAPTER}/{path}" for path in mine]
    bob = [f"bob/{CHAPTER}/{path}" for path in others]
    each_has_the_own({"eve": eve, "bob": bob})


@given(st.text(min_size=1), st.booleans())
def test_any_name_has_a_layout_that_it_belongs_to(name, is_folder):
    layout = layout_of(name, is_folder)
    assert layout == "nbgrader" or owner(name, is_folder, layout) is not None

"""File names that students choose never move work to another student's id."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
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
PATHS = st.lists(st.lists(PIECES, min_size=1, max_size=8).map("".join), min_size=1, max_size=4).map(
    "/".join
)


def canvas_name(person: str, number: str, attachment: int, file: str) -> str:
    """Return Canvas's name for a file."""
    file = re.sub(r'[\x00/\\:*?"<>|]+', "_", file)
    return f"{person}_{number}_{attachment}_{file}"


#: How a download names a student's file: by the person, the id, the file's number, its own name
#: or path, and by what differs from class to class.
WAYS = {
    "Canvas": lambda person, id, at, file, odd: canvas_name(
        f"{person}{'_LATE' * odd}", id, 100 + at, file
    ),
    "Canvas, graded anonymously": lambda person, id, at, file, odd: canvas_name(
        f"{'LATE_' * odd}anon", id[5:], 100 + at, file
    ),
    "Moodle's folders": lambda person, id, at, file, odd: (
        f"{person}_{id}_assignsubmission_file{'_' * odd}/{file}"
    ),
    "Moodle's flat files": lambda person, id, at, file, odd: (
        f"{person}_{id}_assignsubmission_file_{file.replace('/', '')}"
    ),
    "nbgrader": lambda person, id, at, file, odd: f"{id}/{CHAPTER}/{file}",
}


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


@pytest.mark.parametrize("way", WAYS)
@given(
    mine=st.lists(PATHS, min_size=1, max_size=3, unique=True),
    others=st.lists(PATHS, max_size=3, unique=True),
    odd=st.booleans(),
)
@example(mine=["x_8_assignsubmission_file_arithmetic-99.ipynb"], others=[NB], odd=False)
@example(mine=["assignsubmission_file_x.ipynb"], others=[], odd=True)
@example(mine=["8_9_arithmetic.ipynb"], others=[NB], odd=True)
@example(
    mine=["77_assignsubmission_file_x.ipynb"], others=["assignsubmission_file_x.ipynb"], odd=False
)
@example(mine=["x_8_assignsubmission_file_/arithmetic.ipynb"], others=[NB], odd=True)
@example(mine=[f"../Bob_8_assignsubmission_file_/{NB}"], others=[NB], odd=True)
@example(mine=["8_9_arithmetic.ipynb"], others=["7_100_arithmetic.ipynb"], odd=False)
@example(mine=[f"bob/{CHAPTER}/{NB}"], others=[], odd=False)
@example(mine=[f"../../bob/{CHAPTER}/{NB}"], others=[NB], odd=False)
def test_a_file_s_name_changes_no_id(way, mine, others, odd):
    ids = {"Canvas, graded anonymously": ("anon_Ab3dE", "anon_8bbbb"), "nbgrader": ("eve", "bob")}
    eve, bob = ids.get(way, ("7", "8"))
    name = WAYS[way]
    each_has_the_own(
        {
            eve: [name("Eve L", eve, at, file, odd) for at, file in enumerate(mine)],
            bob: [name("Bob", bob, 100 + at, file, odd) for at, file in enumerate(others)],
        }
    )


@given(st.text(min_size=1), st.booleans())
def test_any_name_has_a_layout_that_it_belongs_to(name, is_folder):
    layout = layout_of(name, is_folder)
    assert layout == "nbgrader" or owner(name, is_folder, layout) is not None

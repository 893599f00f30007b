"""What a student handed in: a notebook is one whatever it is called, and the rest is named."""

from __future__ import annotations

import io
import zipfile
from zoneinfo import ZoneInfo

import pytest

from coursekit.errors import CoursekitError

from .conftest import CHAPTER
from .handed_in import WORK, make_zip, read_all, times_of

NB = f"{CHAPTER}.ipynb"
KINDS = {
    f"{CHAPTER}.html": (b"\n<!DOCTYPE html><title>x</title>", "is a web page"),
    f"{CHAPTER}.py": (b"x = 1", "is some other file"),
    f"{CHAPTER}.pdf": (b"%PDF-1.7", "is a PDF"),
    "IMG_1.HEIC": (b"\0\0\0\x18ftypheic", "is a picture or a film"),
}


def zipped(*names: str) -> bytes:
    """Return a zip of files that all hold the notebook."""
    return make_zip(io.BytesIO(), names).getvalue()


@pytest.mark.parametrize("place", ["bob/arithmetic/{}", "bob/{}", "bob_7_8_{}", "{}"])
@pytest.mark.parametrize(
    ("name", "data"),
    [
        (f"{NB}.txt", WORK),
        (f"{NB}.json", WORK),
        (CHAPTER, WORK),
        (f"{CHAPTER}.zip", zipped(f"mine/{NB}", f"__MACOSX/mine/._{NB}")),
    ],
)
def test_a_notebook_is_graded_whatever_it_is_called(tmp_path, place, name, data):
    # Flat, its name is the student's; beside it in the class are lists and another student.
    where = place.format(name if place != "{}" else name.replace(CHAPTER, "bob"))
    other = "ada_1_2_x.ipynb" if "_7_8_" in place else f"ada/{CHAPTER}/{NB}"
    works = read_all(make_zip(tmp_path / "class.zip", {other: WORK, where: data}))
    (work,) = (works[student] for student in works if student in ("bob", "7"))
    assert work[0] == WORK
    assert work[1].startswith("its notebook is called ")


@pytest.mark.parametrize(
    "place",
    [f"bob/{CHAPTER.upper()}/{NB}", f"bob/{CHAPTER}/deeper/{NB}", f"bob/mine/{CHAPTER}/{NB}"],
)
def test_a_folder_in_other_letters_or_too_deep_is_found(tmp_path, place):
    works = read_all(make_zip(tmp_path / "class.zip", [place, f"ada/{CHAPTER}/{NB}"]))
    assert works["bob"] == (WORK, f"its notebook is called {place.removeprefix('bob/')}")


@pytest.mark.parametrize("place", ["bob/arithmetic/{}", "bob/{}", "bob_7_8_{}"])
@pytest.mark.parametrize("name", KINDS)
def test_what_is_no_notebook_is_named_and_not_taken_for_nothing(tmp_path, place, name):
    data, kind = KINDS[name]
    other = "ada_1_2_x.ipynb" if "_7_8_" in place else f"ada/{CHAPTER}/{NB}"
    path = make_zip(tmp_path / "class.zip", {other: WORK, place.format(name): data})
    (reason,) = (work for work in read_all(path).values() if isinstance(work, str))
    assert reason == f"it has no notebook; {name} {kind}, not a notebook"


def test_two_disguised_notebooks_are_not_guessed_at(tmp_path):
    path = tmp_path / "class" / "bob" / CHAPTER / "both.zip"
    path.parent.mkdir(parents=True)
    path.write_bytes(zipped("one.ipynb", "two.ipynb"))
    assert read_all(tmp_path / "class") == {"bob": f"it has 2 notebooks, and none is called {NB}"}


def test_a_bomb_in_a_student_s_own_zip_is_that_student_s_row(tmp_path):
    bomb = make_zip(io.BytesIO(), {NB: bytes(5_000_000)}).getvalue()
    members = {f"bob/{CHAPTER}/x.zip": bomb, f"ada/{CHAPTER}/{NB}": WORK}
    works = read_all(make_zip(tmp_path / "class.zip", members))
    assert works["ada"] == WORK
    assert "x.zip: the notebook is larger than" in works["bob"]


def test_no_file_of_the_class_is_passed_over_in_silence(tmp_path, capsys):
    members = {f"ada/{CHAPTER}/{NB}": WORK, "bob.html": b"<p>", "grades.csv": b"a,b"}
    assert list(read_all(make_zip(tmp_path / "class.zip", members))) == ["ada"]
    assert "is in it: bob.html, grades.csv\n" in capsys.readouterr().err


# --- other systems ------------------------------------------------------------------------------

METADATA = """\
---
submission_1001:
  :submitters:
  - :name: Ada Adason
    :sid: '101'
    :email: ada@example.edu
  :created_at: 2026-11-02 22:30:00.000000000 Z
submission_1002:
  :submitters:
  - :name: Bob
    :email: bob@example.edu
  - :name: Cleo
    :sid: '103'
"""


@pytest.mark.parametrize("around", ["assignment_77_export/", ""])
def test_gradescope_s_export_says_whose_each_folder_is(tmp_path, around):
    members = {f"{around}submission_{n}/{NB}": WORK for n in (1001, 1002)}
    members[f"{around}submission_metadata.yml"] = METADATA.encode()
    path = make_zip(tmp_path / "class.zip", members)
    assert read_all(path) == dict.fromkeys(("101", "103", "bob@example.edu"), WORK)
    assert times_of(path)["101"] == "2026-11-02T22:30:00+00:00"
    if around:
        zipfile.ZipFile(path).extractall(tmp_path / "class")
        with pytest.raises(CoursekitError, match=f"pass {tmp_path}/class/{around[:-1]}$"):
            read_all(tmp_path / "class")


@pytest.mark.parametrize("metadata", [b"", b"- a", b"submission_1001: {}", b"a: [", None])
def test_gradescope_s_list_is_there_or_the_run_ends(tmp_path, metadata):
    members = {f"x/submission_1001/{NB}": WORK}
    if metadata is not None:
        members["x/submission_metadata.yml"] = metadata
    path = make_zip(tmp_path / "class.zip", members)
    with pytest.raises(CoursekitError, match=r"_metadata.yml (is missing|cannot be read)"):
        read_all(path, layout="gradescope")


def test_brightspace_and_blackboard(tmp_path):
    brightspace = {
        f"77-900 - Ada A - Nov 2, 2026 1130 PM/{NB}": WORK,
        f"77-900 - Ada A - Nov 3, 2026 905 AM/{NB}": WORK + b" ",
        f"78-900 - Bo-Bo B - Nov 2, 2026 1130 PM/{NB}": WORK,
        f"79-900 - Cleo C - 2. Nov. 2026 2330/{NB}": WORK,
        "index.html": b"<p>",
    }
    path = make_zip(tmp_path / "brightspace.zip", brightspace)
    assert read_all(path) == {
        "77": (WORK + b" ", "it has 2 notebooks; the newest was taken"),
        "78": WORK,
        "79": WORK,
    }
    assert times_of(path, zone=ZoneInfo("Europe/Berlin"))["77"] == "2026-11-03T08:05:00+00:00"
    name = "Homework 1_{}_attempt_2026-11-02-23-30-00{}"
    blackboard = {name.format("ada", f"_{NB}"): WORK, name.format("ada", ".txt"): b"Name: Ada"}
    blackboard[name.format("bob", "_x_8_9_y.ipynb")] = WORK
    path = make_zip(tmp_path / "blackboard.zip", blackboard)
    assert read_all(path) == {"ada": WORK, "bob": WORK}
    assert times_of(path, zone=ZoneInfo("UTC"))["bob"] == "2026-11-02T23:30:00+00:00"

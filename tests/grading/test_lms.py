"""Zips and folders from LMSs: their layouts, the folders around them, and the LMS's own list."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.errors import CoursekitError
from coursekit.lms import owner

from .conftest import CHAPTER, hand_in
from .handed_in import WORK, make_zip, read_all

NB = f"{CHAPTER}.ipynb"


def test_canvas(tmp_path):
    members = {
        f"doejane_12_9001_{NB}": WORK,
        f"roerichard_LATE_34_10000_{NB}": WORK + b" ",  # its number tells, not its turn
        f"roerichard_34_9001_{CHAPTER}-7.ipynb": WORK,
        "poe_56_9003_essay.pdf": b"%PDF",
        "o_brien_LATE_57_9004_my.IPYNB": WORK,
        "kant_58_text.html": b"<p>",
        "_59_9006_2024_11_x.ipynb": WORK,  # a name that has no letter
        f"123_60_9007_{NB}": WORK,  # a name of digits
        f"anon_Ab3dE_9001_{NB}": WORK,
        "anon_12345_text.html": b"<p>",
        "grades.csv": b"",
    }
    works = read_all(make_zip(tmp_path / "canvas.zip", members))
    assert works["34"] == (WORK + b" ", "it has 2 notebooks; the newest was taken")
    assert "essay.pdf" in works["56"]
    assert "text.html" in works["58"]
    assert "text.html" in works["anon_12345"]
    assert [works[who] for who in ("12", "57", "59", "60", "anon_Ab3dE")] == [WORK] * 5
    assert len(works) == 9


@pytest.mark.parametrize("end", ["_", ""])
def test_moodle(tmp_path, end):
    members = [
        f"Jane Doe_1204_assignsubmission_file{end}/{NB}",
        f"Richard_Roe_77_assignsubmission_file{end}/{NB}",
        f"A_1_assignsubmission_file_78_assignsubmission_file{end}/work/deep/mine.ipynb",
        f"Jane Doe_1204_assignsubmission_onlinetext{end}/onlinetext.html",
    ]
    works = read_all(make_zip(tmp_path / "moodle.zip", members))
    assert works == dict.fromkeys(["1204", "77", "78"], WORK)


def test_an_archive_that_was_unpacked_keeps_its_numbers(tmp_path):
    for inner in ("Ada Ada_101_assignsubmission_file_", "Bo_102_assignsubmission_file_/deep/er"):
        (tmp_path / inner).mkdir(parents=True)
        (tmp_path / inner / NB).write_bytes(WORK)
    assert read_all(tmp_path) == {"101": WORK, "102": WORK}


def test_names_of_two_layouts_are_refused_with_both(tmp_path):
    path = make_zip(tmp_path / "class.zip", [f"ada_1_2_{NB}", "stray.ipynb"])
    with pytest.raises(CoursekitError, match=r"'ada_1_2_.*'stray.ipynb'.*--layout canvas"):
        read_all(path)
    assert read_all(path, layout="canvas") == {
        "1": WORK,
        "stray.ipynb": "its name is not one that the layout canvas has",
    }
    assert set(read_all(path, layout="nbgrader")) == {"ada_1_2_arithmetic", "stray"}
    with pytest.raises(CoursekitError, match="no name in it is one of the layout moodle; nothing"):
        read_all(path, layout="moodle")


def test_one_id_with_two_names_stops_the_run(tmp_path):
    path = make_zip(tmp_path / "canvas.zip", [f"ada_7_1_{NB}", f"eve_7_2_{NB}", f"bo_8_3_{NB}"])
    with pytest.raises(CoursekitError, match=r"several: 7 \('ada_7_1.*', 'eve_7_2.*'\)\. Nothing"):
        read_all(path)


# --- folders around the class ---------------------------------------------------------------


def test_nbgrader_in_a_zip(tmp_path):
    members = {
        f"submitted/anton/{CHAPTER}/{NB}": WORK,
        f"submitted/anton/{CHAPTER}/berta/{CHAPTER}/{NB}": b"",
        f"submitted/__MACOSX/anton/{CHAPTER}/{NB}": b"",
        "submitted/.DS_Store": b"",
    }
    assert read_all(make_zip(tmp_path / "class.zip", members)) == {"anton": WORK}


def test_many_students_need_no_folder_around_them(tmp_path):
    members = [f"anton/{CHAPTER}/{NB}", f"berta/{NB}", "carla.ipynb", f"dan/other/{NB}", "eve/"]
    members.append(f"frida/{CHAPTER}/my solution (1).ipynb")
    assert read_all(make_zip(tmp_path / "class.zip", members)) == {
        "anton": WORK,
        "berta": WORK,
        "carla": WORK,
        "dan": f"it has no {NB}",
        "eve": f"it has no {NB}",
        "frida": (WORK, "its notebook is called my solution (1).ipynb"),
    }


def test_one_folder_in_a_zip_is_the_classs_only_where_that_is_known(tmp_path):
    canvas = make_zip(tmp_path / "canvas.zip", [f"week 1/a_101_2001_{CHAPTER}.IPYNB"])
    with pytest.raises(CoursekitError, match="'week 1', which may be the class's or one student"):
        read_all(canvas)
    assert read_all(canvas, layout="canvas") == {"101": WORK}
    moodle = make_zip(tmp_path / "m.zip", [f"week 1/A_101_assignsubmission_file_/{NB}"])
    assert read_all(moodle, layout="moodle") == {"101": WORK}
    own = make_zip(tmp_path / "own.zip", [f"anton/{CHAPTER}/berta/{CHAPTER}/{NB}"])
    assert list(read_all(own)) == list(read_all(own, layout="nbgrader")) == ["anton"]
    around = make_zip(tmp_path / "around.zip", [f"a/b/anton/{CHAPTER}/{NB}"])
    assert read_all(around, layout="nbgrader") == {"anton": WORK}


def test_one_students_own_zip_is_refused(tmp_path):
    with pytest.raises(CoursekitError, match=r"one student's folder .* zip of all students'"):
        read_all(make_zip(tmp_path / "own.zip", [f"{CHAPTER}/{NB}"]))


# --- the LMS's own list ---------------------------------------------------------------------

CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,arithmetic (77)\n"
    "    Points Possible,,,,,10\n"
    "Ada,7,s7,ada,A,\nBob,8,s8,bob,A,\nBob,8,s9,bobo,A,\n"
)


def listed(path: Path, text: str) -> Path:
    """Write a list and return its path."""
    path.write_text(text, encoding="utf-8")
    return path


def test_ids_that_the_lms_does_not_know_stop_the_run_with_their_names(tmp_path):
    csv = listed(tmp_path / "canvas.csv", CANVAS)
    good = make_zip(tmp_path / "good.zip", [f"ada_7_1_{NB}"])
    assert read_all(good, lms_file=csv) == {"7": WORK}
    bad = make_zip(tmp_path / "bad.zip", [f"ada_7_1_{NB}", f"eve_9_2_{NB}"])
    with pytest.raises(CoursekitError, match=r"canvas.csv: not in .* ID: 9 \('eve_9_2_.*'\)"):
        read_all(bad, lms_file=csv)
    double = make_zip(tmp_path / "double.zip", [f"bob_8_1_{NB}"])
    with pytest.raises(CoursekitError, match=r"more than once in the column ID: 8 \('bob_8_1_"):
        read_all(double, lms_file=csv)


def test_moodles_list(tmp_path):
    csv = listed(tmp_path / "m.csv", "Identifier,Full name\nParticipant 7,Ada\n")
    good = make_zip(tmp_path / "good.zip", [f"Ada_7_assignsubmission_file_/{NB}"])
    assert read_all(good, lms_file=csv) == {"7": WORK}
    bad = make_zip(tmp_path / "bad.zip", [f"Ada_8_assignsubmission_file_/{NB}"])
    with pytest.raises(CoursekitError, match=r"not in the column Identifier: 8 "):
        read_all(bad, lms_file=csv)


def test_a_list_of_another_lms_is_refused_though_it_has_a_column_of_ids(tmp_path):
    canvas = make_zip(tmp_path / "canvas.zip", [f"ada_7_1_{NB}"])
    german = listed(tmp_path / "m.csv", "ID,E-Mail-Adresse,Zuletzt geändert (Abgabe)\n7,a@b.c,-\n")
    with pytest.raises(CoursekitError, match=r"m.csv is a list from Moodle, .* from Canvas$"):
        read_all(canvas, lms_file=german)
    moodle = make_zip(tmp_path / "moodle.zip", [f"Ada_7_assignsubmission_file_/{NB}"])
    csv = listed(tmp_path / "c.csv", CANVAS)
    with pytest.raises(CoursekitError, match=r"c.csv is a list from Canvas, .* from Moodle$"):
        read_all(moodle, lms_file=csv)
    # Without an administrator's ids, Canvas's own remain, which may be of either.
    assert read_all(canvas, lms_file=listed(tmp_path / "d.csv", "Student,ID\nAda,7\n"))


def test_folders_may_be_named_by_any_column_of_ids(tmp_path):
    for student in ("Ada", "bob"):
        hand_in(tmp_path / "submitted", student, WORK)
    csv = listed(tmp_path / "canvas.csv", CANVAS)
    assert list(read_all(tmp_path / "submitted", lms_file=csv)) == ["Ada", "bob"]
    hand_in(tmp_path / "submitted", "7", WORK)  # an id, but these are logins
    with pytest.raises(CoursekitError, match=r"not in the column SIS Login ID: 7 \('7'\)"):
        read_all(tmp_path / "submitted", lms_file=csv)


LONG = "9" * 5000


@pytest.mark.parametrize(
    ("layout", "name"),
    [
        ("canvas", f"eve_{LONG}{{}}_{LONG}_{NB}"),
        ("canvas", f"eve_{LONG}{{}}_text.html"),
        ("moodle", f"Eve_{LONG}{{}}_assignsubmission_file_{NB}"),
        ("nbgrader", f"{LONG}{{}}.ipynb"),
    ],
)
def test_numbers_of_5000_digits_are_short_ids_that_stay_apart_and_order_nothing(layout, name):
    one, other = (owner(name.format(last), False, layout) for last in (7, 8))
    assert one.student != other.student
    assert max(len(one.student), len(other.student)) <= 200
    assert one.order == other.order == 0


def test_a_file_of_5000_digits_comes_after_none(tmp_path):
    names = [f"ada_101_2001_{NB}", f"eve_102_2002_{NB}", f"eve_102_2001_a-{LONG}.ipynb"]
    works = read_all(make_zip(tmp_path / "class.zip", names))
    assert works == {"101": WORK, "102": (WORK, "it has 2 notebooks; the newest was taken")}

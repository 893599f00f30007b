"""A term on the command line, with a made-up class: release, hand in, grade, review, export."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from coursekit.assignment.course import nbgrader
from coursekit.bank import load_bank
from coursekit.cli import main
from coursekit.demo_class import canvas_gradebook, hand_in_class, moodle_download
from coursekit.grade.gradebook import open_gradebook

#: Points of 6: three of the code exercise, three of the quiz; three more are for prose.
EARNED = {
    "ada": 6.0,
    "ben": 6.0,
    "chloe": 3.0,
    "dan": 3.0,
    "emma": 0.0,
    "finn": 3.0,
    "grace": 6.0,
    "hugo": 0.0,
    "iris": 0.0,
    "jack": 0.0,
}
GRADEBOOK = "sqlite:///gradebook.db"


@pytest.fixture(scope="module")
def course(sources: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a course whose class has handed in and been graded."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "exercises" / "numbers").mkdir(parents=True)
    for id, source in sources.items():
        (folder / "exercises" / "numbers" / f"{id}.py").write_text(source, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["release", "numbers", "--nbgrader", "."]) == 0
        exercises = load_bank(folder / "exercises").chapter("numbers")
        learners = hand_in_class(
            exercises, Path("release/numbers/numbers.ipynb"), Path("submitted")
        )
        assert list(learners) == list(EARNED)
        assert grade() == 0
    return folder


@pytest.fixture(autouse=True)
def _here(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(course)


def grade() -> int:
    words = ["grade", "numbers", "submitted", "--results", "grades.jsonl", "--jobs", "1"]
    return main([*words, "--gradebook", GRADEBOOK])


def rows() -> dict[str, dict]:
    lines = Path("grades.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["student"]: row for row in map(json.loads, lines)}


def test_everyone_gets_what_they_deserve() -> None:
    assert {student: row["score"] for student, row in rows().items()} == EARNED
    unusual = {s: row["status"] for s, row in rows().items() if row["status"] != "graded"}
    assert unusual == {"ben": "needs_review", "iris": "unreadable"}
    assert "numbers (1).ipynb" in rows()["ben"]["reason"]


def test_prose_that_waits_is_no_hard_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "grades.jsonl"]) == 0
    output = capsys.readouterr().out
    assert "twice · word" in output
    assert "twice · why" not in output


@pytest.fixture
def prose_graded(course: Path) -> None:
    with open_gradebook(GRADEBOOK) as gradebook:
        grade = gradebook.find_grade("twice-text-why", "numbers", "numbers", "ada")
        grade.manual_score, grade.needs_manual_grade = 2.5, False
        gradebook.db.commit()


@pytest.mark.usefixtures("prose_graded")
def test_points_given_by_hand_are_exported(capsys: pytest.CaptureFixture[str]) -> None:
    Path("canvas.csv").write_text("Student,SIS Login ID\nAda,ada\nBen,ben\n", encoding="utf-8")
    nbgrader(Path(), "export", "--to", "points.csv")
    words = ["export", "points.csv", "--format", "canvas", "--lms-file", "canvas.csv"]
    assert main(words) == 1  # eight are not in the file
    output = capsys.readouterr()
    assert output.out == "Student,SIS Login ID,numbers\nAda,ada,8.5\nBen,ben,6\n"
    assert "8 not in canvas.csv: chloe, dan" in output.err
    main(["export", "grades.jsonl", *words[2:]])
    assert "Ada,ada,6\n" in capsys.readouterr().out


def test_a_download_from_moodle_comes_back_as_its_grades(
    capsys: pytest.CaptureFixture[str],
) -> None:
    moodle_download(Path("submitted"), "numbers", ["ada", "dan"], Path("week1.zip"))
    assert main(["grade", "numbers", "week1.zip", "--results", "week1.jsonl", "--jobs", "1"]) == 0
    capsys.readouterr()
    words = ["export", "week1.jsonl", "--format", "moodle", "--lms-file", "week1.csv"]
    assert main(words) == 0
    table = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert [(r["Identifier"], r["Full name"], r["Grade"], r["Maximum Grade"]) for r in table] == [
        ("Participant 101", "Ada Adason", "66.6667", "100.00"),  # 6 of 9 points
        ("Participant 102", "Dan Danson", "33.3333", "100.00"),
    ]


def test_its_worksheet_has_the_times_of_the_records(capsys: pytest.CaptureFixture[str]) -> None:
    Path("submitted/ada/numbers/timestamp.txt").write_text("2025-06-15 15:06:40 UTC")
    zone = "Pacific/Auckland"
    moodle_download(Path("submitted"), "numbers", ["ada"], Path("week1.zip"), ZoneInfo(zone))
    words = ["grade", "numbers", "week1.zip", "--results", "timed.jsonl", "--jobs", "1"]
    assert main([*words, "--lms-file", "week1.csv", "--timezone", zone]) == 0
    (row,) = map(json.loads, Path("timed.jsonl").read_text().splitlines())
    assert row["timestamp"] == "2025-06-15T15:06:00+00:00"  # its seconds are not in the worksheet


def test_a_gradebook_from_canvas_is_filled(capsys: pytest.CaptureFixture[str]) -> None:
    canvas_gradebook(list(EARNED), "numbers", 9, Path("canvas.csv"))
    assert main(["export", "grades.jsonl", "--format", "canvas", "--lms-file", "canvas.csv"]) == 0
    filled = [line.rpartition(",")[2] for line in capsys.readouterr().out.splitlines()]
    assert filled == ["numbers (4711)", "9", *(f"{points:g}" for points in EARNED.values())]

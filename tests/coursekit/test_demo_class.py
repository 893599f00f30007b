"""A made-up class is released to, hands in and is graded; `tests/book` has a whole term."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from coursekit.bank import load_bank
from coursekit.cli import main
from coursekit.demo_class import hand_in_class, moodle_download
from coursekit.results import read_results

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


@pytest.fixture(scope="module")
def course(sources: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a course whose class has handed in and been graded."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "exercises" / "numbers").mkdir(parents=True)
    for id, source in sources.items():
        (folder / "exercises" / "numbers" / f"{id}.py").write_text(source, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["release", "numbers", "-o", "release"]) == 0
        exercises = load_bank(folder / "exercises").chapter("numbers")
        learners = hand_in_class(exercises, Path("release/numbers.ipynb"), Path("submitted"))
        assert list(learners) == list(EARNED)
        words = ["grade", "numbers", "submitted", "--results", "grades.jsonl", "--jobs", "1"]
        assert main(words) == 0
    return folder


@pytest.fixture(autouse=True)
def _here(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(course)


def test_everyone_gets_what_they_deserve() -> None:
    rows = {row.student: row for row in read_results(Path("grades.jsonl"))}
    assert {student: row.score for student, row in rows.items()} == EARNED
    unusual = {student: row.status for student, row in rows.items() if row.status != "graded"}
    assert unusual == {"ben": "needs_review", "iris": "unreadable"}
    assert "numbers (1).ipynb" in rows["ben"].reason


def test_a_download_from_moodle_comes_back_as_its_grades(capsys) -> None:
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

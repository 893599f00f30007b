"""Every exercise of the course, tested by its own wrong and right answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.bank import exercise_files, load_bank, load_exercise
from coursekit.selftest import collisions, problems

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
FILES = exercise_files(EXERCISES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_exercise(file: Path) -> None:
    assert problems(load_exercise(file)) == []


def test_exercises_of_a_chapter_leave_each_other_alone() -> None:
    bank = load_bank(EXERCISES)
    assert [clash for name in bank.chapters for clash in collisions(bank.chapter(name))] == []

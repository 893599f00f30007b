"""Every exercise of the course, tested by its own wrong and right answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.bank import exercise_files, load_bank, load_exercise
from coursekit.selftest import collisions, libraries, problems

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
FILES = exercise_files(EXERCISES)
PACKAGES = libraries(FILES)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_exercise(file: Path) -> None:
    assert problems(load_exercise(file), PACKAGES) == []


def test_what_exercises_ask_for_is_looked_for_in_the_library() -> None:
    assert PACKAGES == ("attn",)


def test_exercises_of_a_chapter_leave_each_other_alone() -> None:
    bank = load_bank(EXERCISES)
    assert [clash for name in bank.chapters for clash in collisions(bank.chapter(name))] == []

"""Every exercise of the course, tested by its own wrong and right answers."""

from __future__ import annotations

import pytest

from coursekit import run_check, running
from coursekit.bank import exercise_files
from coursekit.made import run_answer
from coursekit.model import Exercise
from coursekit.selftest.check import collisions, problems
from coursekit.selftest.sweeps import libraries
from tests.course import BANK, ROOT

PACKAGES = libraries(exercise_files(ROOT / "exercises"))
EACH = pytest.mark.parametrize("exercise", BANK.values(), ids=lambda exercise: exercise.id)


@EACH
def test_exercise(exercise: Exercise) -> None:
    assert problems(exercise, PACKAGES) == []


def test_what_exercises_ask_for_is_looked_for_in_the_library() -> None:
    assert PACKAGES == ("attn",)


@pytest.mark.heavy
@EACH
def test_right_answers_pass_hidden_checks_with_any_secret(exercise: Exercise, monkeypatch) -> None:
    monkeypatch.setattr(running, "_key", str.encode)  # Not slow: nobody guesses these.
    drawn = [check for check in exercise.checks if check.hidden and "rng" in check.parameters]
    for code in (exercise.solution, *exercise.also_right.values()) if drawn else ():
        names, _ = run_answer(exercise, code)
        for check in drawn:
            for secret in map(str, range(5)):
                result = run_check(check, names, exercise=exercise.id, secret=secret)
                assert result.passed, (secret, result.message)


def test_every_function_that_is_asked_for_is_tried_with_numbers_of_its_own() -> None:
    code = [exercise for exercise in BANK.values() if exercise.kind == "code"]
    tried = [e for e in code if any(c.hidden and "rng" in c.parameters for c in e.checks)]
    others = [exercise for exercise in code if exercise not in tried]
    # The answers that a figure writes are values, which a visible check looks at.
    assert {exercise.id for exercise in others} == {e.id for e in code if e.explorable and e.binds}
    for exercise in others:
        names, _ = run_answer(exercise, exercise.solution)
        read = {name for check in exercise.checks for name in check.parameters}
        assert read
        assert not any(callable(names[name]) for name in read), exercise.id


def test_exercises_of_a_chapter_leave_each_other_alone() -> None:
    assert [clash for name in BANK.chapters for clash in collisions(BANK.chapter(name))] == []

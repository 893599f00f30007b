"""Every exercise of the course, tested by its own wrong and right answers."""

from __future__ import annotations

import pytest

from coursekit import run_check, running
from coursekit.bank import Bank, exercise_files
from coursekit.made import run_answer
from coursekit.model import Exercise
from coursekit.selftest.check import check_answer, collisions, problems
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
            for secret in map(str, range(20)):
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


# --- an answer that ignores its seed is rejected, however its draws fall --------------------------


# With these two seeds, 100 draws of the exercise's five keys have equal means to the last bit.
BY_CHANCE = """
import itertools
_seeds = itertools.cycle([2792, 3108])

def hard_gradient(scores, losses, num_draws, baseline, seed):
    rng = np.random.default_rng(seed if num_draws == 1 else next(_seeds))
    p = np.exp(scores - scores.max())
    p = p / p.sum()
    chosen = rng.choice(len(p), size=num_draws, p=p)
    return ((losses[chosen] - baseline)[:, None] * (np.eye(len(p))[chosen] - p)).mean(axis=0)
"""


def test_draws_that_agree_by_chance_do_not_pass_for_seeded_ones(bank: Bank) -> None:
    verdicts = {v.check: v for v in check_answer(bank["hard-gradient"], BY_CHANCE).verdicts}
    assert not verdicts["draws_differ"].passed
    assert verdicts["draws_differ"].misconception == "unseeded"

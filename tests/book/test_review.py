"""The review: mixed questions are of earlier chapters, prose has examples to compare with."""

from __future__ import annotations

from pathlib import Path

import pytest

from coursekit.notebook import chapter_exercises
from tests.course import BANK

ROOT = Path(__file__).resolve().parents[2]
MIXED = [exercise for exercise in BANK.chapter("review") if exercise.id.startswith("mixed-")]
PROSE = [(e, q) for e in BANK.chapter("review") for q in e.free_text]


def chapters_by_mistake() -> dict[str, set[str]]:
    """Return the chapters before the review that know a misconception."""
    known: dict[str, set[str]] = {}
    for exercise in BANK.values():
        if exercise.chapter in ("review", "instructors"):
            continue
        ids = {id for q in exercise.auto_graded for _, id in q.known_mistakes}
        for id in ids | set(exercise.misconceptions):
            known.setdefault(id, set()).add(exercise.chapter)
    return known


def test_every_mixed_question_has_a_mistake_of_an_earlier_chapter() -> None:
    known = chapters_by_mistake()
    questions = [question for quiz in MIXED for question in quiz.auto_graded]
    assert len(questions) >= 12
    of_none = [q.name for q in questions if not any(id in known for _, id in q.known_mistakes)]
    assert of_none == []
    met = {c for q in questions for _, id in q.known_mistakes for c in known.get(id, ())}
    assert len(met) >= 12


@pytest.mark.parametrize(("exercise", "question"), PROSE, ids=[e.id for e, _ in PROSE])
def test_prose_has_three_answers_from_weak_to_excellent(exercise, question) -> None:
    assert [example.quality for example in question.examples] == ["weak", "good", "excellent"]
    assert [len(example.points) for example in question.examples] == [len(question.rubric)] * 3


def test_every_exercise_of_the_review_is_on_its_page() -> None:
    placed = chapter_exercises(ROOT / "book" / "review.md")
    assert set(placed) == {exercise.id for exercise in BANK.chapter("review")}

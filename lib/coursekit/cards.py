"""The questions of a bank as cards: what is asked, and the answer, to be recalled days later.

A page (`coursekit.page.cards`) and its notebook list them with folded answers, and `coursekit.deck`
writes them for Anki.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from coursekit.bank import Bank
from coursekit.model import Choice, Exercise, Numeric
from coursekit.routes import load_routes


@dataclass(frozen=True)
class Card:
    """One question of a quiz.

    Attributes
    ----------
    exercise : Exercise
        The quiz.
    question : Choice or Numeric
        The question; prose has no card, since nothing can say whether an answer is right.
    """

    exercise: Exercise
    question: Choice | Numeric

    @property
    def id(self) -> str:
        """Quiz and question: no other card of the course has it."""
        return f"{self.exercise.id}/{self.question.name}"

    @property
    def asked(self) -> str:
        """The question with its options, as MyST."""
        if isinstance(self.question, Numeric):
            return self.question.statement
        options = (f"{key}) {option.text}" for key, option in self.question.options.items())
        return "\n\n".join((self.question.statement, *options))

    @property
    def answer(self) -> str:
        """The correct answer, as MyST."""
        question = self.question
        if isinstance(question, Choice):
            return f"{question.answer}) {question.options[question.answer].text}"
        numbers = ", ".join(f"{number:g}" for number in np.ravel(question.answer))
        return f"{numbers} {question.unit}".strip()

    @property
    def why(self) -> str:
        """Why it is correct: a message, as `coursekit.marked` reads it."""
        if isinstance(self.question, Choice):
            return self.question.options[self.question.answer].success_message
        return self.question.success_message


def cards_of(exercises: Iterable[Exercise]) -> Iterator[Card]:
    """Yield the cards of quizzes that make sense away from their page; none for orders of lines."""
    for exercise in exercises:
        if exercise.recalled and not exercise.explorable:
            for question in exercise.auto_graded:
                if isinstance(question, Choice | Numeric):
                    yield Card(exercise, question)


def chapters_of(bank: Bank, folder: Path, route: str | None) -> tuple[str, ...]:
    """Return the chapters of a route, or all that the bank has."""
    return tuple(load_routes(folder, bank)[route].chapters) if route else bank.chapters

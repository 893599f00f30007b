"""Turn the questions of a bank into cards: a question and its answer, recalled days later.

A page asks those again whose mistakes its reader has met (`coursekit.page.cards`), a notebook lists
all of them, and `coursekit.deck` writes them for programs such as Anki.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from coursekit.bank.load import Bank
from coursekit.bank.model import AutoGraded, Exercise
from coursekit.routes import load_routes


@dataclass(frozen=True)
class Card:
    """One question of a quiz.

    Attributes
    ----------
    exercise : Exercise
        The quiz.
    question : AutoGraded
        The question; prose has no card, since nothing can say whether an answer is right.
    """

    exercise: Exercise
    question: AutoGraded

    @property
    def id(self) -> str:
        """What the browser calls it: quiz and question."""
        return f"{self.exercise.id}/{self.question.name}"

    @property
    def asked(self) -> str:
        """The question with what stands below it, as MyST."""
        lists = (of.written("- {0}) {1}") for of in self.question.lists)
        return "\n\n".join((self.question.statement, *lists))


def cards_of(exercises: Iterable[Exercise]) -> Iterator[Card]:
    """Yield the cards of questions that make sense away from their page."""
    for exercise in exercises:
        if exercise.recalled and not exercise.explorable:
            for question in exercise.auto_graded:
                if question.is_card:
                    yield Card(exercise, question)


def chapters_of(bank: Bank, folder: Path, route: str | None) -> tuple[str, ...]:
    """Return the chapters of a route, or all that the bank has."""
    return tuple(load_routes(folder, bank)[route].chapters) if route else bank.chapters

"""``{review-cards} [ROUTE]``: the questions of the course as cards, and as a deck for Anki.

Each card is a question with an answer that unfolds, without a script.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from coursekit.cards import Card, cards_of, chapters_of
from coursekit.command import counted
from coursekit.course import course_of
from coursekit.deck import deck
from coursekit.errors import CoursekitError
from coursekit.marked import message_html
from coursekit.page.directive import ExerciseDirective, bank_of, folded
from coursekit.page.later import DECKS, keep
from coursekit.page.nodes import Part, part
from coursekit.page.progress import places
from coursekit.page.routes import chapter_link
from coursekit.routes import FILE


class CardsDirective(ExerciseDirective):
    """``{review-cards} [ROUTE]``: the questions of all chapters, or of a route."""

    required_arguments = 0
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the cards, or nothing after one clear error."""
        bank = bank_of(self.env.app)
        folder = Path(self.env.srcdir, self.config.coursekit_exercises[0])
        places(self.env).setdefault(self.env.docname, [])  # a page with the style sheet
        self.env.note_dependency(str(folder / FILE))
        for exercise in bank.values():
            self.env.note_dependency(exercise.path)
        route = self.arguments[0] if self.arguments else ""
        try:
            chapters = chapters_of(bank, folder, route)
        except CoursekitError as error:
            return self._refuse(str(error))
        cards = {chapter: list(cards_of(bank.chapter(chapter))) for chapter in chapters}
        every = [card for chapter in chapters for card in cards[chapter]]
        if not every:
            return []
        made = [self._chapter(chapter, cards[chapter]) for chapter in chapters if cards[chapter]]
        line = self._deck(every, route)
        return [part("div", line, *made, classes=["ck-cards"])]

    def _deck(self, cards: list[Card], route: str) -> Part:
        """Keep the deck until files are written; return the line that offers it."""
        course = course_of(self.env.srcdir).distribution or "coursekit"
        file = f"{course}-{route}.txt" if route else f"{course}.txt"
        name = self.config.html_title
        address = keep(self.env, DECKS, file, deck(cards, name, course))
        root = "../" * self.env.docname.count("/")
        link = part(
            "a",
            nodes.Text(f"Download {counted(len(cards), 'card')} for Anki"),
            attributes={"href": f"{root}_static/{address}", "download": file},
        )
        return part("p", link, classes=["ck-deck"])

    def _chapter(self, chapter: str, cards: list[Card]) -> Part:
        quizzes = groupby(cards, lambda card: card.exercise.id)
        made = [self._quiz(list(quiz)) for _, quiz in quizzes]
        return part(
            "div",
            *self._parse(chapter_link(self.env, chapter)),
            folded("ck-card-list", counted(len(cards), "card"), made),
            classes=["ck-card-chapter"],
        )

    def _quiz(self, cards: list[Card]) -> Part:
        """Return the cards of a quiz below what they have in common."""
        statement = self._parse(cards[0].exercise.statement)
        return part("div", *statement, *map(self._card, cards), classes=["ck-card-quiz"])

    def _card(self, card: Card) -> Part:
        why = part("p", nodes.raw("", message_html(card.why), format="html"))
        return part(
            "div",
            self._question(card.question),
            folded("ck-card-answer", "Answer", [*self._parse(card.answer), why]),
            classes=["ck-card"],
            attributes={"data-card": card.id},
        )


def register(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_directive("review-cards", CardsDirective)

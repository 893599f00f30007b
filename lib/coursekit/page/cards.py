"""``{review-cards} [ROUTE]``: ask the questions of the course again days later.

Without a script this is a list to go through, answers folded. ``coursekit/browser/review.ts`` asks
those among them again whose mistakes the reader has met, and writes them as a deck of cards.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from coursekit.cards import Card, cards_of, chapters_of
from coursekit.command import counted
from coursekit.deck import row
from coursekit.errors import CoursekitError
from coursekit.page.deferred import CARDS, keep
from coursekit.page.directive import ExerciseDirective, bank_of, folded
from coursekit.page.nodes import Part, part
from coursekit.page.page_data import page_data
from coursekit.page.progress import places
from coursekit.page.routes import chapter_link
from coursekit.routes import FILE

_NO_SCRIPT = (
    "Without JavaScript nothing can come back by itself. Go through the list now and then: recall "
    "the answer, then open it."
)


class CardsDirective(ExerciseDirective):
    """``{review-cards} [ROUTE]``: the questions of all chapters, or of a route."""

    required_arguments = 0
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the list, or nothing after one clear error."""
        bank = bank_of(self.env.app)
        folder = Path(self.env.srcdir, self.config.coursekit_exercises[0])
        places(self.env).setdefault(self.env.docname, [])
        self.env.note_dependency(str(folder / FILE))
        for exercise in bank.values():
            self.env.note_dependency(exercise.path)
        try:
            chapters = chapters_of(bank, folder, self.arguments[0] if self.arguments else None)
        except CoursekitError as error:
            return self._refuse(str(error))
        cards = {chapter: list(cards_of(bank.chapter(chapter))) for chapter in chapters}
        return [self._list({chapter: made for chapter, made in cards.items() if made})]

    def _list(self, cards: dict[str, list[Card]]) -> Part:
        count = sum(map(len, cards.values()))
        children = [node for chapter in cards for node in self._chapter(chapter, cards[chapter])]
        data = [_data(card) for made in cards.values() for card in made]
        file = self._keep(data)
        sentence = part("noscript", part("div", nodes.paragraph("", _NO_SCRIPT)), html_only=True)
        return part(
            "div",
            sentence,
            folded("ck-card-list", f"All {counted(count, 'question')}, with answers", children),
            classes=["ck-cards"],
            attributes={"data-cards": f"{'../' * self.env.docname.count('/')}_static/{file}"},
            html_only=True,
        )

    def _keep(self, data: list[dict[str, object]]) -> str:
        """Keep a page's cards for its script; return the name of their file."""
        digest = hashlib.sha256(json.dumps(data, ensure_ascii=False).encode()).hexdigest()
        return keep(self.env, CARDS, f"{digest[:12]}.js", data)

    def _chapter(self, chapter: str, cards: list[Card]) -> Iterator[nodes.Node]:
        yield part(
            "div", *self._parse(chapter_link(self.env, chapter)), classes=["ck-card-chapter"]
        )
        for card in cards:
            answer = [
                *self._parse(card.question.answer_text),
                nodes.paragraph("", card.question.why),
            ]
            yield part(
                "div",
                *self._parse(card.exercise.statement),
                self._question(card.question),
                folded("ck-card-answer", "Answer", answer),
                classes=["ck-card"],
                attributes={"data-card": card.id},
            )


def _data(card: Card) -> dict[str, object]:
    """Return what a page needs to ask one question again and to write it into a deck."""
    quiz = page_data(card.exercise)
    question = next(q for q in quiz["questions"] if q["name"] == card.question.name)
    told = {id: t for id, t in quiz["misconceptions"].items() if id in card.question.ids}
    again = {
        "id": f"again-{card.exercise.id}-{card.question.name}",
        "version": quiz["version"],
        "title": card.exercise.title,
        "kind": "quiz",
        "questions": [question],
        "misconceptions": told,
        "points": question["points"],
    }
    return {"id": card.id, "quiz": again, "row": row(card)}


def register(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_directive("review-cards", CardsDirective)

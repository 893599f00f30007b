"""The questions of a course as cards, for notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from coursekit.bank import Bank
from coursekit.cards import Card, cards_of, chapters_of
from coursekit.notebook.commonmark import folded, to_commonmark
from coursekit.notebook.nbformat_cells import Node, markdown_cell
from coursekit.notebook.references import References


def card_cells(bank: Bank, route: str, references: References) -> Iterator[Node]:
    """Yield a Markdown cell for each chapter of a route, with folded answers."""
    folder = Path(next(iter(bank.values())).path).parents[1]
    for chapter in chapters_of(bank, folder, route or None):
        if cards := list(cards_of(bank.chapter(chapter))):
            title = to_commonmark(f"[]({chapter}.md)", references)
            text = [f"From {title}:", *(_card(card, references) for card in cards)]
            yield markdown_cell("\n\n".join(text), f"cards-{chapter}"[:64])


def _card(card: Card, references: References) -> str:
    asked = to_commonmark(f"{card.exercise.statement}\n\n{card.asked}", references)
    answer = f"{to_commonmark(card.answer, references)}\n\n{card.why}"
    return f"{asked}\n\n{folded('Answer', answer)}"

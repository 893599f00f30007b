"""``coursekit cards``: write the questions of a bank as a CSV file for programs such as Anki."""

from __future__ import annotations

import argparse
import csv
import io
import re
from collections.abc import Iterable
from pathlib import Path

from coursekit.cards import Card, cards_of, chapters_of
from coursekit.command import (
    Subparsers,
    add_bank_option,
    add_command,
    bank_folders,
    counted,
    open_bank,
)
from coursekit.errors import CoursekitError
from coursekit.notebooks.commonmark import to_commonmark
from coursekit.private_files import write_private

#: The first lines of a deck: how Anki is to read it. Other programs take them for rows.
HEADER = "#separator:Comma\n#html:false\n#columns:question,answer,chapter\n"


def row(card: Card) -> tuple[str, str, str]:
    """Return question, answer and chapter: a line of the deck, in Markdown."""
    front = _plain(f"{card.exercise.statement}\n\n{card.asked}")
    back = f"{_plain(card.question.answer_text)}\n\n{card.question.why}"
    return front, back, card.exercise.chapter


def _plain(text: str) -> str:
    """Return MyST as Markdown with formulas between the marks that Anki takes for them."""
    markdown = to_commonmark(text)
    markdown = re.sub(r"\$\$\s*(.+?)\s*\$\$", r"\\[\1\\]", markdown, flags=re.DOTALL)
    return re.sub(r"\$([^$\n]+)\$", r"\\(\1\\)", markdown).strip()


def deck(cards: Iterable[Card]) -> str:
    """Return cards as CSV: question, answer, chapter."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(row, cards))
    return HEADER + text.getvalue()


def add_parser(subparsers: Subparsers) -> None:
    """Add ``coursekit cards`` and its options to the command line."""
    parser = add_command(
        subparsers,
        "cards",
        run,
        """
        Write the questions of quizzes as a deck of cards: a CSV file with question, answer and
        chapter, which Anki imports as it is. The deck contains the answers of questions that
        earn points.
        """,
        """
        coursekit cards -o cards.csv
        coursekit cards --route week -o week.csv
        coursekit cards masking -o masking.csv
        """,
    )
    parser.add_argument(
        "chapter", metavar="CHAPTER", nargs="?", help="only this chapter (default: all)"
    )
    parser.add_argument("--route", metavar="NAME", help="only the chapters of this route")
    parser.add_argument(
        "-o", "--output", metavar="FILE", type=Path, required=True, help="write this file"
    )
    add_bank_option(parser)


def run(args: argparse.Namespace) -> int:
    """Write the deck, print what it has, and return the exit status."""
    if args.chapter and args.route:
        raise CoursekitError("cards: expected CHAPTER or --route NAME, and not both")
    bank = open_bank(args)
    folder = bank_folders(args)[0]
    chapters = (args.chapter,) if args.chapter else chapters_of(bank, folder, args.route)
    made = [card for chapter in chapters for card in cards_of(bank.chapter(chapter))]
    write_private(args.output, deck(made))
    print(f"{args.output}: {counted(len(made), 'card')}")
    return 0

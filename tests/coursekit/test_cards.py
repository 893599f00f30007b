"""Questions as cards: what is on them, as a deck, and as a list in a notebook."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from coursekit.bank.load import Bank, load_bank
from coursekit.cards import cards_of
from coursekit.cli import main
from coursekit.deck import HEADER, row
from coursekit.notebooks import chapter_notebook

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"
HEAD = "---\nkernelspec:\n  name: python3\n  display_name: Python 3\n---\n# Title\n\n"


def test_a_card_has_question_options_answer_and_reason(numbers: Bank) -> None:
    pair, word = cards_of(numbers.values())  # prose and code have none
    assert (pair.id, word.id) == ("twice/pair", "twice/word")
    assert row(pair) == (
        "Two questions about twice.\n\nTwice 1 and twice 2?",
        "2, 4\n\nEach is added to itself.",
        "numbers",
    )
    assert row(word) == (
        "Two questions about twice.\n\nWhat is *twice*?\n\n- a) a sum\n- b) a power",
        "a) a sum\n\nYes: of two equal numbers.",
        "numbers",
    )


def test_a_quiz_about_a_picture_of_its_page_has_no_cards(write_exercise, twice) -> None:
    edit = {'id="twice",': 'id="twice",\n    recalled=False,'}
    assert list(cards_of([write_exercise(twice.source, "twice", edit)])) == []


def test_formulas_have_the_marks_that_other_programs_read(write_exercise, twice) -> None:
    edit = {"Twice 1 and": "What is $2 x$ for $x = 1$, and"}
    exercise = write_exercise(twice.source, "twice", edit)
    question, _, _ = row(next(cards_of([exercise])))
    assert question.endswith(r"What is \(2 x\) for \(x = 1\), and twice 2?")


@pytest.mark.parametrize("options", [[], ["numbers"]])
def test_the_deck_is_csv_that_anki_reads(
    numbers: Bank,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["cards", *options, "-o", "deck.csv"]) == 0
    assert capsys.readouterr().out == "deck.csv: 2 cards\n"
    text = (tmp_path / "deck.csv").read_text(encoding="utf-8")
    assert text.startswith(HEADER)
    rows = list(csv.reader(text.removeprefix(HEADER).splitlines(keepends=True)))
    assert [tuple(line) for line in rows] == [row(card) for card in cards_of(numbers.values())]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["-o", "nowhere/deck.csv"], "nowhere/deck.csv: there is no folder nowhere"),
        (["numbers", "--route", "day", "-o", "d"], "cards: expected CHAPTER or --route NAME, and"),
        (["--route", "day", "-o", "d"], "no route 'day'; there are none"),
        (["number", "-o", "d"], "no chapter with exercises 'number'; did you mean numbers?"),
    ],
)
def test_what_cannot_be_written_is_one_line(
    numbers: Bank,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    problem: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["cards", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"coursekit: {problem}")


def test_a_notebook_lists_them_with_folded_answers(numbers: Bank, tmp_path: Path) -> None:
    chapter = tmp_path / "numbers.md"
    chapter.write_text(HEAD + "Before.\n\n```{review-cards}\n```\n\nAfter.\n", encoding="utf-8")
    texts = [cell.source for cell in chapter_notebook(chapter, numbers).cells]
    assert [text.splitlines()[0] for text in texts] == [
        "# Title",
        "A notebook does not note which mistakes you met. Go through the list now and then: recall "
        "the answer, then open it.",
        "From *Title*:",
        "After.",
    ]
    assert "What is *twice*?\n\n- a) a sum\n- b) a power\n\n<details><summary>Answer" in texts[2]
    assert texts[2].count("<details>") == 2


def test_the_course_s_cards_are_complete() -> None:
    cards = list(cards_of(load_bank(EXERCISES).values()))
    assert len(cards) > 100
    assert len({card.id for card in cards}) == len(cards)
    reasons = {card.id: card.question.why for card in cards}
    assert [id for id, why in reasons.items() if not why.strip() or "$" in why] == []
    assert [card.id for card in cards if "$" in "".join(row(card))] == []

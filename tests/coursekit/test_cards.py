"""Questions as cards: what is on them, as a deck for Anki, and as a list in a notebook."""

from __future__ import annotations

import csv
import io
import re

from bs4 import BeautifulSoup

from coursekit.bank import Bank
from coursekit.cards import cards_of
from coursekit.deck import BACK, FRONT, GUID, TAGS, deck
from tests.course import BANK


def header_and_rows(text: str) -> tuple[str, list[list[str]]]:
    """Return a deck as Anki reads it: what is set, and rows with tabs between their columns."""
    header = re.match(r"(#.*\n)*", text)
    assert header is not None
    body = io.StringIO(text[header.end() :], newline="")
    return header[0], list(csv.reader(body, delimiter="\t", strict=True))


def paragraphs(row: list[str]) -> list[str]:
    """Return the paragraphs of a card, without their tags."""
    html = BeautifulSoup(row[FRONT] + row[BACK], "html.parser")
    return [p.get_text() for p in html.select("p")]


def test_a_deck_has_ids_questions_options_answers_reasons_and_chapters(numbers: Bank) -> None:
    text = deck(cards_of(numbers.values()), "Numbers", "walks")  # prose and code have no cards
    header, (pair, word) = header_and_rows(text)
    assert header.splitlines() == [
        "#separator:tab",
        "#html:true",
        "#notetype:Basic",
        "#deck:Numbers",
        f"#guid column:{GUID + 1}",
        f"#tags column:{TAGS + 1}",
    ]
    assert (pair[GUID], word[GUID]) == ("walks/twice/pair", "walks/twice/word")
    assert (pair[TAGS], word[TAGS]) == ("numbers", "numbers")
    asked = "Two questions about twice."
    assert paragraphs(pair) == [asked, "Twice 1 and twice 2?", "2, 4", "Each is added to itself."]
    answer = ["a) a sum", "Yes: of two equal numbers."]
    assert paragraphs(word) == [asked, "What is twice?", "a) a sum", "b) a power", *answer]
    assert "<em>twice</em>" in word[FRONT]


def test_a_quiz_about_a_picture_of_its_page_has_no_cards(write_exercise, twice) -> None:
    edit = {"quiz(": "quiz(\n    recalled=False,"}
    assert list(cards_of([write_exercise(twice.source, "twice", edit)])) == []


def test_formulas_and_code_reach_anki_as_they_are(write_exercise, twice) -> None:
    statement = "For $x < 1$ and\n$$x_1$$\nwhat is `a<b`?\n\n```python\n# one\nx = 1\n```\n"
    edit = {"Two questions about twice.": statement}
    exercise = write_exercise(twice.source, "twice", edit)
    _, rows = header_and_rows(deck(cards_of([exercise]), "Numbers", "walks"))
    front = rows[0][FRONT]
    assert r"\(x &lt; 1\)" in front
    assert r"\[x_1\]" in front
    assert "<code>a&lt;b</code>" in front
    assert "# one\nx = 1\n</code></pre>" in front


def test_a_notebook_lists_them_with_folded_answers(numbers: Bank, made) -> None:
    chapter = made("# Title\n\nBefore.\n\n```{review-cards}\n```\n\nAfter.\n", numbers)
    texts = [cell.source for cell in chapter.cells]
    heads = ["# Title", "From *Title*:", "After."]
    assert [text.splitlines()[0] for text in texts] == heads
    assert "What is *twice*?\n\na) a sum\n\nb) a power\n\n<details><summary>Answer" in texts[1]
    assert texts[1].count("<details>") == 2


def test_the_course_s_cards_are_complete_and_hold_at_any_address() -> None:
    _, rows = header_and_rows(deck(cards_of(BANK.values()), "Course", "course"))
    assert len(rows) > 100
    assert len({row[GUID] for row in rows}) == len(rows)
    for row in rows:
        assert len(row) == TAGS + 1
        assert row[TAGS] in BANK.chapters
        for side in (row[FRONT], row[BACK]):
            page = BeautifulSoup(side, "html.parser")
            assert not page.select("a, img, script"), row[GUID]  # nothing that needs the site
            for code in page.select("code"):
                code.decompose()
            assert page.get_text(strip=True), row[GUID]
            assert not {"$", "`"} & set(page.get_text()), row[GUID]

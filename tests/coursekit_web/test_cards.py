"""``{review-cards}`` and ``{routes}`` in a page: what readers see, with or without a script."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from bs4 import BeautifulSoup

from coursekit.bank import load_bank
from coursekit.page.later import DECKS

from .conftest import BANK, Built

WriteBook = Callable[..., Built]


def page_of(built: Built) -> BeautifulSoup:
    return BeautifulSoup(built.text("index.html"), "html.parser")


def test_cards_are_questions_by_chapter_with_folded_answers(write_book: WriteBook) -> None:
    built = write_book("```{review-cards}\n```")
    assert built.warnings == []
    (chapter,) = page_of(built).select(".ck-cards > .ck-card-chapter")
    assert chapter.p.get_text() == "sampler"  # the small book has no page of that name
    cards = chapter.select("details.ck-card-list > .ck-card-quiz > .ck-card")
    assert [card["data-card"] for card in cards] == [
        "three-questions/root",
        "three-questions/pair",
        "three-questions/single",
    ]
    assert cards[0].select_one(".ck-options .math") is not None
    answer = cards[2].select_one("details.ck-card-answer")
    assert answer.summary.get_text() == "Answer"
    assert "1.4142 m" in answer.get_text()
    assert "1.4142" not in cards[2].get_text().replace(answer.get_text(), "")
    assert page_of(built).select("details[open]") == []


def test_a_page_leads_to_a_deck_of_its_cards(write_book: WriteBook, tmp_path: Path) -> None:
    inner = tmp_path / "inner" / "all.md"
    inner.parent.mkdir()
    inner.write_text("# All\n\n```{review-cards}\n```\n", encoding="utf-8")
    built = write_book("```{review-cards} day\n```")
    for name in ("index.html", "inner/all.html"):
        page = BeautifulSoup(built.text(name), "html.parser")
        link = page.select_one(".ck-deck a[download]")
        file = (built.out / name).parent / link["href"]
        assert link["download"] == file.name
        assert len(page.select(".ck-card")) == 3
        deck = file.read_text(encoding="utf-8")
        for card in page.select(".ck-card"):
            assert f"/{card['data-card']}\t" in deck


def test_a_deck_follows_its_page(write_book: WriteBook) -> None:
    built = write_book("```{review-cards}\n```")
    folder = built.out / "_static" / DECKS
    (file,) = folder.iterdir()
    made = file.read_bytes()
    file.write_text("an older edition")
    write_book("```{review-cards}\n```\n\nMore.")
    assert file.read_bytes() == made
    write_book("No cards.")
    assert list(folder.iterdir()) == []


def test_a_course_without_quizzes_has_neither_cards_nor_deck(
    write_book: WriteBook, tmp_path: Path
) -> None:
    (file,) = BANK.rglob("practice-point.py")
    exercises = tmp_path / "exercises" / file.parent.name
    exercises.mkdir(parents=True)
    shutil.copy2(file, exercises)
    built = write_book("```{review-cards}\n```", coursekit_exercises=[str(exercises.parent)])
    assert built.warnings == []
    assert page_of(built).select(".ck-cards, .ck-deck") == []
    assert not (built.out / "_static" / DECKS).exists()


def test_routes_are_a_table(write_book: WriteBook) -> None:
    built = write_book("```{routes}\n```\n\nAll: {route-time}`day`.")
    assert built.warnings == []
    rows = [
        [cell.get_text() for cell in row.select("th, td")] for row in page_of(built).select("tr")
    ]
    bank = load_bank(BANK)
    count, points = len(bank), sum(exercise.points for exercise in bank.values())
    assert rows == [
        ["chapter", "exercises · points", "minutes"],  # all are in the one route
        ["sampler (optional)", f"{count} · {points:g}", ""],
    ]
    (told,) = [li for li in page_of(built).select("li") if li.get_text().startswith("A day")]
    assert told.get_text().startswith(f"A day (about 0 minutes; 1 chapter (1 optional), {count} ")
    assert told.get_text().endswith("), from sampler: Find roots.")

"""``{review-cards}`` and ``{routes}`` in a page: what readers without a script see."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from bs4 import BeautifulSoup

from coursekit.bank.load import load_bank
from coursekit.page.deferred import CARDS

from .conftest import BANK, Built

WriteBook = Callable[..., Built]


def page_of(built: Built) -> BeautifulSoup:
    return BeautifulSoup(built.text("index.html"), "html.parser")


def test_questions_are_a_list_with_folded_answers(write_book: WriteBook) -> None:
    built = write_book("```{review-cards}\n```")
    assert built.warnings == []
    cards = page_of(built).select(".ck-cards details.ck-card-list .ck-card")
    assert [card["data-card"] for card in cards] == [
        "three-questions/root",
        "three-questions/pair",
        "three-questions/single",
        "whole-roots/roots",
    ]
    assert cards[0].select_one(".ck-options .math") is not None
    assert len(cards[3].select("ol.ck-left-side > li")) == 4
    answer = cards[2].select_one("details.ck-card-answer")
    assert answer.summary.get_text() == "Answer"
    assert "1.4142 m" in answer.get_text()
    assert "nothing can come back" in page_of(built).select_one(".ck-cards noscript").get_text()
    assert "coursekit.js" in built.text("index.html")


def test_the_script_finds_what_it_grades_with_and_the_deck_s_rows(write_book: WriteBook) -> None:
    built = write_book("```{review-cards}\n```")
    place = page_of(built).select_one(".ck-cards")
    file = built.out / place["data-cards"]
    assert file.parent == built.out / "_static" / CARDS
    start = f'(window.coursekitCards ??= {{}})["{file.name}"] = '
    text = file.read_text(encoding="utf-8")
    assert text.startswith(start)
    data = json.loads(text.removeprefix(start).rstrip(";\n"))
    assert [card["id"] for card in data] == [
        card["data-card"] for card in page_of(built).select(".ck-card")
    ]
    assert "<script" not in str(place)  # the page itself has none of it
    pair = data[1]
    assert pair["id"] == "three-questions/pair"
    assert pair["quiz"]["id"] == "again-three-questions-pair"
    assert [question["name"] for question in pair["quiz"]["questions"]] == ["pair"]
    assert set(pair["quiz"]["misconceptions"]) == {"halved", "squared"}
    assert pair["row"][0].endswith("Give the square roots of 0.04 and 0.25.")
    assert pair["row"][2] == "sampler"


def test_a_changed_list_has_a_new_file_and_the_old_one_goes(write_book: WriteBook) -> None:
    first = write_book("```{review-cards}\n```\n\n```{review-cards} day\n```")
    folder = first.out / "_static" / CARDS
    (file,) = folder.glob("*.js")  # both lists are the same
    other = folder / "old.js"
    other.write_text("")
    write_book("```{review-cards}\n```\n\nMore.")
    assert [*folder.glob("*.js")] == [file]
    write_book("No cards.")
    assert [*folder.glob("*.js")] == []


def test_cards_of_a_route(write_book: WriteBook) -> None:
    page = page_of(write_book("```{review-cards} day\n```"))
    assert len(page.select(".ck-card")) == 4
    built = write_book("```{review-cards} dya\n```")
    assert any("no route 'dya'; did you mean day" in line for line in built.warnings)


def test_routes_are_a_table(write_book: WriteBook) -> None:
    built = write_book("```{routes}\n```\n\nAll: {route-time}`day`.")
    assert built.warnings == []
    rows = [
        [cell.get_text() for cell in row.select("th, td")] for row in page_of(built).select("tr")
    ]
    assert rows == [
        ["chapter", "exercises · points", "minutes"],
        ["sampler (optional)", rows[1][1], ""],
    ]
    count = len(load_bank(BANK))
    assert re.fullmatch(rf"{count} · \d+", rows[1][1])
    (told,) = [li for li in page_of(built).select("li") if li.get_text().startswith("A day")]
    assert told.get_text().startswith(f"A day (about 0 minutes; 1 chapter (1 optional), {count} ")
    assert told.get_text().endswith("): Find roots.")

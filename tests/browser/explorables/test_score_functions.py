"""Score functions side by side: one movement changes every row, by its own rule."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page

from attnlab.explorables import ScoreFunctions

Open = Callable[..., Page]


def favourites(page: Page) -> list[str]:
    return page.locator("section table").first.locator("tbody td:last-child").all_inner_texts()


def test_all_rows_follow_the_query(show: Open) -> None:
    page = show(ScoreFunctions())
    assert favourites(page) == ["k2", "k2", "k1", "k3", "k2"]
    query = page.get_by_role("application", name=re.compile(r"^query \("))
    query.focus()
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")
    # Only the additive score depends on how long the query is.
    assert favourites(page) == ["k2", "k2", "k1", "k3", "k3"]


def test_a_query_of_length_zero_is_a_tie(show: Open) -> None:
    page = show(ScoreFunctions())
    page.get_by_text("Type numbers").click()
    page.get_by_label("query, first component").fill("0")
    assert favourites(page) == ["a tie"] * 4 + ["k2"]

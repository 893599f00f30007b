"""What the review loads, and when: offline, from a file, and where its script does not come."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from coursekit.deck import HEADER
from coursekit.page.deferred import CARDS

from ..conftest import Watch
from .conftest import EVENING, Open, answer_right, miss, on

LOST = (
    "The questions could not be loaded: the site does not answer. Check the connection and press "
    "the button again, or reload the page."
)


@pytest.mark.parametrize("name", ["Ask me", "Save my questions", "Save all questions"])
def test_offline_it_says_what_is_missing_and_works_when_back(
    context: BrowserContext, small: str, name: str
) -> None:
    page = context.new_page()  # not watched: it asks for what cannot come
    page.goto("index.html")
    miss(page)
    on(context, 2026, 12, 1)
    page.reload()
    expect(page.get_by_role("button", name="Ask me")).to_be_visible()
    context.set_offline(True)
    page.get_by_role("button", name=name).click()
    note = page.locator(".ck-cards > .ck-note")
    expect(note).to_have_text(LOST)
    expect(note).to_have_attribute("role", "status")
    context.set_offline(False)
    if name == "Ask me":
        page.get_by_role("button", name=name).click()
        answer_right(page)
        expect(page.locator(".ck-outcome")).to_contain_text("It comes back on 4 December 2026.")
    else:
        with page.expect_download():
            page.get_by_role("button", name=name).click()
    expect(note).to_have_text("")


def test_cards_are_loaded_when_they_are_asked_for(context: BrowserContext, open_page: Open) -> None:
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    miss(page)
    on(context, 2026, 12, 1)
    page.reload()
    page.wait_for_load_state("networkidle")
    assert [url for url in asked if "review.js" in url] != []
    assert [url for url in asked if f"/{CARDS}/" in url] == []
    page.get_by_role("button", name="Ask me").click()
    answer_right(page)
    with page.expect_download():
        page.get_by_role("button", name="Save all questions").click()
    assert len([url for url in asked if f"/{CARDS}/" in url]) == 1


def test_a_page_opened_as_a_file_asks_again(
    browser: Browser, site: Path, tmp_path: Path, watch: type[Watch]
) -> None:
    made = browser.new_context()
    made.clock.set_fixed_time(EVENING)
    page = made.new_page()
    watched = watch(page, "file://")
    page.goto((site / "review.html").as_uri())
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Save all questions").click()
    downloading.value.save_as(tmp_path / "deck.csv")
    text = (tmp_path / "deck.csv").read_text(encoding="utf-8")
    rows = list(csv.reader(text.removeprefix(HEADER).splitlines(keepends=True)))
    assert len(rows) == page.locator(".ck-card").count()
    card = page.locator(".ck-card").first.get_attribute("data-card")
    course = page.locator("script[data-course]").get_attribute("data-course")
    page.evaluate(
        """key => localStorage.setItem(
            key, JSON.stringify({ box: 0, due: "2026-11-30", met: [] }))""",
        f"{course}:card:{card}",
    )
    page.reload()
    page.get_by_role("button", name="Ask me").click()
    expect(page.locator(".ck-again").get_by_role("button", name="Check")).to_be_visible()
    made.close()
    assert watched.faults == []


def test_without_the_script_that_asks_again_the_list_is_there(context: BrowserContext) -> None:
    page = context.new_page()
    page.route("**/review.js*", lambda route: route.abort())
    page.goto("index.html")
    expect(page.locator(".ck-cards > .ck-note")).to_have_text(
        "The questions that come back could not be loaded: the site does not answer. Check the "
        "connection and reload the page."
    )
    miss(page)  # all else works
    page.locator(".ck-card-list > summary").click()
    expect(page.locator(".ck-card")).to_have_count(4)

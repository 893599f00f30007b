"""Items matched with a mouse, a finger and the keyboard, on a desktop and on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tools.site.project import Project

from .explorables.test_touch import swipe
from .small_page import DESKTOP, PHONE, middle, opener, served

TEXT = "# Pairs\n\n```{exercise} whole-roots\n```\n\n" + "A line of text.\n\n" * 40
RIGHT = {"1": "d", "2": "a", "3": "b", "4": "c"}
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["1280", "390"])


@pytest.fixture(scope="module")
def book(project: Project, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a page with one question of pairs."""
    yield from served(TEXT, tmp_path_factory.mktemp("match"), project)


@pytest.fixture
def show(browser: Browser, book: str) -> Iterator[Callable[..., Page]]:
    """Return a function that opens the page in a window of some size."""
    yield from opener(browser, book)


def item(page: Page, number: str) -> Locator:
    return page.locator(f"[data-line='{number}']")


def partner(page: Page, letter: str) -> Locator:
    return page.locator(f"[data-partner='{letter}']")


def pairs(page: Page) -> dict[str, str]:
    """Return the answer as the page shows it."""
    found: dict[str, str] = page.locator("[data-partner] [data-line]").evaluate_all(
        "items => Object.fromEntries(items.map("
        "i => [i.dataset.line, i.closest('[data-partner]').dataset.partner]))"
    )
    return dict(sorted(found.items()))


def check(page: Page) -> Locator:
    page.get_by_role("button", name="Check", exact=True).click()
    return page.locator(".ck-feedback")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["1280", "390"])
def test_items_are_dragged_with_the_mouse(show: Callable[..., Page], size: dict[str, Any]) -> None:
    page = show(viewport=size["viewport"])
    for number, letter in RIGHT.items():
        page.evaluate("document.querySelector('.ck-match').scrollIntoView()")
        x, y = middle(item(page, number).get_by_role("button"))
        page.mouse.move(x, y)
        page.mouse.down()
        # An item that leaves the list above moves up what is below, under the pointer as well.
        for _ in range(3):
            page.mouse.move(*middle(partner(page, letter).locator(".ck-partner")), steps=4)
        page.mouse.up()
    assert pairs(page) == RIGHT
    expect(check(page)).to_contain_text("Each root times itself is its number.")
    x, y = middle(item(page, "2").get_by_role("button"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(*middle(page.locator(".ck-match > .ck-note")), steps=6)
    page.mouse.up()
    assert "2" not in pairs(page)
    expect(page.locator(".ck-feedback")).to_be_empty()


@pytest.mark.parametrize("size", [DESKTOP | {"has_touch": True}, PHONE], ids=["1280", "390"])
def test_a_finger_drags_by_the_grip_taps_and_scrolls_beside_it(
    show: Callable[..., Page], size: dict[str, Any]
) -> None:
    page = show(**size)
    page.evaluate("document.querySelector('.ck-match').scrollIntoView()")
    item(page, "1").get_by_role("button").tap()
    partner(page, "d").locator(".ck-partner").tap()
    assert pairs(page) == {"1": "d"}
    page.get_by_role("button", name="Take out", exact=True).tap()
    assert pairs(page) == {}
    page.evaluate("document.querySelector('.ck-match').scrollIntoView()")
    start = middle(item(page, "4").locator(".ck-grip"))
    to = middle(partner(page, "b").locator(".ck-partner"))
    assert swipe(page, start, to[0] - start[0], to[1] - start[1]) == 0
    assert pairs(page) == {"4": "b"}
    assert swipe(page, middle(item(page, "2").get_by_role("button")), 0, -120) > 50
    assert pairs(page) == {"4": "b"}


@SIZES
def test_the_keyboard_alone_matches(show: Callable[..., Page], size: dict[str, Any]) -> None:
    page = show(**size)
    spoken = page.locator(".ck-spoken[role=status]")
    expect(check(page)).to_have_text("Match an item first.")
    item(page, "1").get_by_role("button").focus()
    page.keyboard.press("e")
    expect(spoken).to_have_text("1 belongs to e.")
    expect(item(page, "1").get_by_role("button")).to_be_focused()
    for number, key in (("2", "ArrowDown"), ("3", "b"), ("4", "ArrowUp")):
        item(page, number).get_by_role("button").focus()
        page.keyboard.press(key)
    assert pairs(page) == {"1": "e", "2": "a", "3": "b", "4": "e"}
    for _ in range(2):
        page.keyboard.press("ArrowUp")
    assert pairs(page)["4"] == "c"
    expect(check(page)).to_contain_text("3 of the 4 pairs are right. Look at 1 again.")
    expect(page.locator(".ck-feedback")).to_contain_text("8 is half of 16.")
    expect(page.locator(".ck-feedback")).to_contain_text("1.5 of 2 points so far.")
    item(page, "1").get_by_role("button").focus()
    page.keyboard.press("Delete")
    expect(spoken).to_have_text("1 has no partner yet.")
    page.keyboard.press("Enter")
    partner(page, "d").locator(".ck-partner").focus()
    page.keyboard.press("Enter")
    assert pairs(page) == RIGHT
    expect(check(page)).to_contain_text("Each root times itself is its number.")
    page.reload()
    assert pairs(page) == RIGHT
    expect(page.locator(".ck-feedback .ck-right")).to_be_visible()


def test_without_scripts_both_sides_are_read_with_their_keys(show: Callable[..., Page]) -> None:
    page = show(**DESKTOP, java_script_enabled=False)
    expect(page.locator("ol.ck-left-side.arabic > li")).to_have_count(4)
    expect(page.locator("ol.ck-right-side.loweralpha > li")).to_have_count(5)
    expect(page.locator(".ck-before-list")).to_have_text("Each belongs to one of these:")


def test_a_phone_shows_every_item_whole(show: Callable[..., Page]) -> None:
    page = show(**PHONE)
    wide = page.evaluate("document.querySelector('.ck-match').scrollWidth")
    assert wide <= page.evaluate("document.querySelector('.ck-match').clientWidth")

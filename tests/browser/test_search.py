"""Search as readers use it: by keyboard and by finger, served and from a folder."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from .conftest import PHONE, box_of
from .exercises import block
from .test_accessibility import violations

DIALOG = "#search-dialog"
#: The elements of a form that draw a frame.
FRAMES = """form => [form, ...form.querySelectorAll("*")].filter(e => {
    const s = getComputedStyle(e), drawn = side => parseFloat(s[`border${side}Width`]) > 0;
    const visible = s.borderTopStyle !== "none" && drawn("Top") && e.tagName !== "KBD";
    return visible || s.outlineStyle !== "none" && parseFloat(s.outlineWidth) > 0
        || s.boxShadow !== "none" && e.tagName !== "KBD";
}).map(e => e.tagName)"""


def ask(page: Page, query: str, key: str = "Control+k") -> None:
    """Open the dialog by a key and type."""
    page.keyboard.press(key)
    expect(page.locator(DIALOG)).to_be_visible()
    page.keyboard.type(query)


def said(page: Page) -> Locator:
    """Return what the dialog says of the hits, which a screen reader reads out."""
    return page.locator(DIALOG).get_by_role("status")


def first(page: Page) -> Locator:
    """Return the first hit."""
    return page.locator(".search-results li").first


def test_hits_appear_while_one_types(page: Page) -> None:
    page.goto("welcome.html")
    ask(page, "causal mask")
    expect(said(page)).to_have_text("The best 12 places.")
    expect(first(page).locator("a")).to_have_attribute("href", re.compile(r"/masking\.html"))
    section = page.locator(".search-results li", has=page.locator(".search-page")).first
    expect(section.locator(".search-title")).not_to_be_empty()
    expect(section.locator(".search-page")).not_to_be_empty()
    expect(section.locator("mark").first).to_have_text(re.compile("^(causal|mask)"))
    page.keyboard.type("ed language model")
    expect(first(page)).to_contain_text("BERT")


def test_keys_lead_from_the_field_to_a_place_and_back(page: Page) -> None:
    page.goto("welcome.html")
    ask(page, "softmax", key="/")
    field = page.locator(f"{DIALOG} input")
    expect(field).to_have_value("softmax")  # without the key that opened the dialog
    links = page.locator(".search-results a")
    expect(links.first).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(page.locator(DIALOG)).to_be_hidden()
    page.keyboard.press("/")
    field.select_text()
    page.keyboard.type("fully masked row")
    expect(first(page)).to_contain_text("A row in which all keys are hidden")
    page.keyboard.press("Enter")
    page.wait_for_url("**/masking.html#a-row-in-which-all-keys-are-hidden")
    expect(page.locator("section:target > h3")).to_be_in_viewport()


def test_a_place_on_the_page_itself_is_not_behind_the_dialog(page: Page) -> None:
    page.goto("masking.html")
    ask(page, "fully masked row")
    expect(first(page)).to_contain_text("A row in which all keys are hidden")
    page.keyboard.press("Enter")
    expect(page.locator(DIALOG)).to_be_hidden()
    expect(page.locator("section:target > h3")).to_be_in_viewport()


def test_the_key_is_a_letter_where_one_writes(page: Page) -> None:
    page.goto("masking.html")
    exercise = block(page, "padding-mask")
    exercise.locator(".cm-content, textarea").first.click()
    editor = exercise.locator(".cm-content")
    expect(editor).to_be_visible(timeout=20_000)
    editor.click()
    page.keyboard.type("7/8/9")
    expect(editor).to_contain_text("7/8/9")
    expect(page.locator(DIALOG)).to_be_hidden()


def test_what_is_nowhere_leads_on(page: Page) -> None:
    page.goto("welcome.html")
    ask(page, "zxqwvy")
    expect(said(page)).to_have_text(re.compile("^Nothing found"))
    index = said(page).get_by_role("link", name="index of terms")
    expect(index).to_have_attribute("href", re.compile(r"/genindex\.html$"))


def test_an_index_that_does_not_come_is_told(unwatched: Page) -> None:
    page = unwatched
    page.route("**/search-index.js", lambda route: route.abort())
    page.goto("welcome.html")
    ask(page, "mask")
    told = "The index cannot be loaded. Reload the page to try again."
    expect(said(page)).to_have_text(told)
    page.keyboard.type("s")
    expect(said(page)).to_have_text(told)


def test_the_page_of_the_search_does_the_same(page: Page) -> None:
    page.goto("search.html?q=causal+mask")
    expect(first(page).locator("a")).to_have_attribute("href", re.compile(r"/masking\.html"))
    field = page.locator(".bd-search-container input")
    expect(field).to_have_value("causal mask")
    field.fill("fully masked row")
    expect(first(page)).to_contain_text("A row in which all keys are hidden")
    field.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/masking.html#a-row-in-which-all-keys-are-hidden")


def test_a_finger_finds_its_way(browser: Browser, site_url: str) -> None:
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.goto(f"{site_url}/welcome.html")
    page.locator(".search-button:visible").tap()
    page.keyboard.type("rope")
    expect(first(page)).to_be_visible()
    for target in page.locator(f"{DIALOG} :is(li, input, .search-close)").all():
        assert box_of(target)["height"] >= 44
    dialog = page.locator(DIALOG)
    assert 0 <= box_of(dialog)["x"] <= 390 - box_of(dialog)["width"]
    page.get_by_role("button", name="Close").tap()
    expect(dialog).to_be_hidden()
    page.locator(".search-button:visible").tap()
    first(page).tap()  # anywhere on it
    page.wait_for_url("**/positions.html#*")
    context.close()


def test_without_javascript_the_search_leads_on(still: Page) -> None:
    page = still
    page.goto("search.html")
    expect(page.locator("main")).to_contain_text("Searching needs JavaScript")
    expect(page.locator("form.bd-search:visible")).to_have_count(0)
    page.locator("main").get_by_role("link", name="index", exact=True).click()
    expect(page.get_by_role("heading", name="Index")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_the_dialog_is_one_surface(
    browser: Browser, site_url: str, scheme: Any, width: int
) -> None:
    page = browser.new_page(
        viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion="reduce"
    )
    page.goto(f"{site_url}/masking.html")
    ask(page, "zxqwvy")
    expect(said(page).get_by_role("link")).to_be_visible()
    assert violations(page, DIALOG) == []
    page.locator(f"{DIALOG} input").fill("trasnfomer mask")
    expect(first(page)).to_be_visible()
    assert violations(page, DIALOG) == []
    form = page.locator(f"{DIALOG} form")
    assert form.evaluate(FRAMES) == ["FORM"]
    grounds = """d => [d, d.querySelector("form")].map(e => getComputedStyle(e).backgroundColor)"""
    ground = page.locator(DIALOG).evaluate(grounds)
    assert ground[0] == ground[1] != "rgba(0, 0, 0, 0)"
    page.goto(f"{site_url}/search.html?q=softmax")
    expect(first(page)).to_be_visible()
    assert violations(page) == []
    assert page.locator(".bd-search-container form").evaluate(FRAMES) == ["FORM"]
    for shown in page.locator("form.bd-search svg").all():
        expect(shown).to_be_hidden()
    page.close()

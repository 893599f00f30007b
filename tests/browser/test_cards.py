"""The review's cards: an answer unfolds by keyboard, from a folder and without a script."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect

from coursekit.page.later import DECKS


def test_a_card_opens_by_keyboard_from_a_folder_without_a_script(
    browser: Browser, site: Path
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "review.html").as_uri())
    chapter = page.locator(".ck-card-chapter").first
    card = chapter.locator(".ck-card").first
    expect(card).to_be_hidden()
    chapter.locator(".ck-card-list > summary").focus()
    page.keyboard.press("Enter")
    expect(card).to_be_visible()
    answer = card.locator(".ck-card-answer > :not(summary)").first
    expect(answer).to_be_hidden()
    page.keyboard.press("Tab")
    expect(card.locator(".ck-card-answer > summary")).to_be_focused()
    page.keyboard.press("Space")
    expect(answer).to_be_visible()
    chapter.get_by_role("link").first.click()
    expect(page.locator(".ck-exercise").first).to_be_visible()
    context.close()


def test_the_deck_is_saved_from_the_page(browser: Browser, site: Path, site_url: str) -> None:
    page = browser.new_page()
    page.goto(f"{site_url}/review.html")
    with page.expect_download() as saved:
        page.locator(".ck-deck a").click()
    (file,) = (site / "_static" / DECKS).iterdir()
    assert saved.value.suggested_filename == file.name
    assert Path(saved.value.path()).read_bytes() == file.read_bytes()
    page.close()

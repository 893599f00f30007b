"""The review's cards: an answer unfolds by keyboard, from a folder and without a script."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, expect


def test_a_card_opens_by_keyboard_from_a_folder_without_a_script(still: Page, site: Path) -> None:
    page = still
    page.goto((site / "review.html").as_uri())
    deck = page.locator(".ck-deck a[download]").get_attribute("href")
    assert (site / str(deck)).is_file()
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

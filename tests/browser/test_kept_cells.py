"""Code in live cells is kept as answers are: over a reload, between tabs, in a file."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from .test_live_cells import CHAPTER, cell_with, edit, run

CODE = "an animal asks"
MINE = "print('mine')\n6 * 7"


def kept(page: Page) -> list[str]:
    return list(page.evaluate("Object.keys(localStorage).filter(k => k.includes('cell:'))"))


def code(cell: Locator) -> Locator:
    return cell.locator("textarea.ck-code-area, .cm-content")


def test_code_is_there_after_a_reload_and_reset_returns_the_books(page: Page) -> None:
    page.goto(CHAPTER)
    edit(cell_with(page, CODE), MINE)
    page.reload()
    cell = cell_with(page, CODE)
    expect(code(cell)).to_have_value(MINE)
    assert page.evaluate("document.activeElement === document.body")
    expect(page.locator(".ck-code-area")).not_to_have_count(0)
    run(cell)
    expect(cell.locator(".ck-cell-output")).to_have_text(re.compile(r"mine\s+42"))
    cell.get_by_role("button", name="Reset").click()
    expect(code(cell)).to_have_count(0)
    expect(cell.locator(".highlight pre").first).to_be_visible()
    assert kept(page) == []
    page.reload()
    expect(cell_with(page, CODE).get_by_role("button", name="Edit")).to_be_visible()
    expect(code(cell_with(page, CODE))).to_have_count(0)


def test_code_as_the_book_has_it_is_not_kept(page: Page) -> None:
    page.goto(CHAPTER)
    cell = cell_with(page, CODE)
    # Not as it is laid out: notes at the ends of lines may stand in lines of their own.
    printed = (cell.locator(".highlight pre").first.text_content() or "").rstrip("\n")
    edit(cell, MINE)
    expect(code(cell)).to_contain_text("mine")
    assert len(kept(page)) == 1
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(printed)
    assert kept(page) == []


def test_two_tabs_have_the_same_code(page: Page) -> None:
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(CHAPTER)
    mine, theirs = (cell_with(tab, CODE) for tab in (page, other))
    edit(mine, MINE)
    expect(code(theirs)).to_have_value(MINE)
    code(theirs).focus()
    expect(theirs.locator(".cm-content")).to_contain_text("6 * 7")
    page.bring_to_front()
    mine.locator(".cm-content").focus()
    page.keyboard.press("Control+End")
    page.keyboard.type(" + 100000", delay=5)
    expect(theirs.locator(".cm-content")).to_contain_text("6 * 7 + 100000")
    expect(mine.locator(".cm-content")).to_contain_text("6 * 7 + 100000")
    mine.get_by_role("button", name="Reset").click()
    expect(code(theirs)).to_have_count(0)
    expect(theirs.locator(".highlight pre").first).to_be_visible()


def test_code_goes_along_with_progress_and_is_forgotten_with_it(page: Page, tmp_path: Path) -> None:
    page.goto(CHAPTER)
    edit(cell_with(page, CODE), MINE)
    page.goto("welcome.html")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save to a file").click()
    expect(page.locator(".ck-files .ck-said")).to_have_text("Saved; there are no answers yet.")
    file = tmp_path / "progress.json"
    saved.value.save_as(file)
    page.get_by_role("button", name="Forget all my answers").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Forget", exact=True).click()
    assert kept(page) == []
    page.locator(".ck-files input[type=file]").set_input_files(file)
    expect(page.locator(".ck-files .ck-said")).to_contain_text("Read: 0 exercises, 0 of them new")
    page.goto(CHAPTER)
    expect(code(cell_with(page, CODE))).to_have_value(MINE)


def test_code_that_cannot_be_shown_says_so(page: Page) -> None:
    page.goto(CHAPTER)
    edit(cell_with(page, CODE), MINE)
    context = page.context
    context.route("**/live.js*", lambda route: route.abort())
    other = context.new_page()
    other.goto(page.url)
    said = cell_with(other, CODE).locator(".ck-cell-status")
    expect(said).to_contain_text("Your code of this cell could not be loaded")
    assert len(kept(other)) == 1

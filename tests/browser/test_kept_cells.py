"""Code in live cells is kept as answers are: over a reload, between tabs, in a file."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from .exercises import BY_HAND, CHAPTER
from .test_front import COURSE, FIRST, chapter_ids, finish
from .test_live_cells import cell_with, edit, run

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
    run(cell)
    expect(cell.locator(".ck-cell-output")).to_have_text(re.compile(r"mine\s+42"))
    cell.get_by_role("button", name="Reset").click()
    expect(code(cell)).to_have_count(0)
    expect(cell.locator(".highlight pre").first).to_be_visible()
    assert kept(page) == []


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


def test_progress_goes_into_a_file_with_the_code_and_comes_back(page: Page, tmp_path: Path) -> None:
    page.goto(CHAPTER)
    edit(cell_with(page, CODE), MINE)
    page.goto("welcome.html")
    finish(page, *chapter_ids(FIRST))
    page.reload()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save to a file").click()
    assert saved.value.suggested_filename == f"{COURSE}-progress.json"
    file = tmp_path / "progress.json"
    saved.value.save_as(file)
    page.get_by_role("button", name="Forget all my answers").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Forget", exact=True).click()
    assert kept(page) == []
    finish(page, BY_HAND)
    page.reload()
    cells = page.locator(".ck-path [data-exercises]")
    expect(cells.first).to_contain_text("0 of")
    page.locator(".ck-files input[type=file]").set_input_files(file)
    said, many = page.locator(".ck-files .ck-said"), len(chapter_ids(FIRST))
    expect(said).to_contain_text(f"Read: {many} exercises, {many} of them new or changed here")
    expect(cells.first).to_have_text(f"✓ {many} of {many}")
    expect(cells.nth(1)).to_contain_text("1 of")  # what was here is still here
    page.goto(CHAPTER)
    expect(code(cell_with(page, CODE))).to_have_value(MINE)


def test_code_that_cannot_be_shown_says_so(unwatched: Page) -> None:
    unwatched.goto(CHAPTER)
    edit(cell_with(unwatched, CODE), MINE)
    unwatched.route("**/live.js*", lambda route: route.abort())
    unwatched.reload()
    said = cell_with(unwatched, CODE).locator(".ck-cell-status")
    expect(said).to_contain_text("Your code of this cell could not be loaded")
    assert len(kept(unwatched)) == 1

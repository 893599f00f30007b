"""The server is stopped after first use: what was used goes on, and the rest says why not."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tools.site.serve import server

from .conftest import settle
from .exercises import BANK, BY_HAND, IN_CODE, LOADED, block, press, results, write
from .test_live_cells import cell_with, edit, run, status

CHAPTER = "queries-keys-values.html"
Opened = tuple[Page, Callable[[], None]]


@pytest.fixture
def opened(browser: Browser, site: Path) -> Iterator[Callable[[str], Opened]]:
    """Return a function that opens a page of a server of its own, and what stops that server."""
    made: list[Callable[[], None]] = []
    errors: list[str] = []

    def opens(name: str) -> Opened:
        running = server(site)
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()

        def stop() -> None:
            if thread.is_alive():
                running.shutdown()
                thread.join()
                running.server_close()

        context = browser.new_context(reduced_motion="reduce")
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        made.extend([stop, context.close])
        page.goto(f"http://127.0.0.1:{running.server_port}/{name}")
        settle(page)
        return page, stop

    yield opens
    for end in made:
        end()
    assert errors == []


def test_cells_and_checks_go_on(opened: Callable[[str], Opened]) -> None:
    page, stop = opened(CHAPTER)
    cell = cell_with(page, "temperatures = (100, 4")
    edit(cell, "import numpy as np\nnp.arange(3)")
    run(cell)
    expect(cell.locator(".ck-cell-output")).to_have_text("array([0, 1, 2])")
    exercise = block(page, IN_CODE)
    write(exercise, "def context_vector(query, keys, values):\n    return query")
    press(exercise, "Check")
    expect(results(exercise)).to_contain_text("None of the checks passes yet", timeout=LOADED)
    stop()
    cell.locator(".cm-content").focus()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("import attn\nattn.softmax([0.0, 0.0])")
    run(cell)
    expect(cell.locator(".ck-cell-output")).to_have_text("array([0.5, 0.5])")
    write(exercise, BANK[IN_CODE].solution)
    press(exercise, "Check")
    expect(results(exercise)).to_contain_text("Done.", timeout=LOADED)
    press(exercise, "Step")
    expect(exercise.locator(".ck-trace")).to_be_visible(timeout=LOADED)
    press(page.locator(".ck-progress"), "Hand in as a notebook")
    expect(page.locator(".ck-progress .ck-said")).to_have_text(
        re.compile(r"could not be (loaded|fetched).*[Cc]heck the connection")
    )


def test_what_was_not_used_says_what_is_missing(opened: Callable[[str], Opened]) -> None:
    page, stop = opened(CHAPTER)
    stop()
    cell = cell_with(page, "temperatures = (100, 4")
    cell.get_by_role("button", name="Run", exact=True).click()
    expect(status(cell)).to_have_text(
        "What runs cells could not be loaded: the site does not answer. "
        "Check the connection and press the button again."
    )
    exercise = block(page, IN_CODE)
    exercise.locator("textarea").fill("x = 1")  # the editor proper did not come
    press(exercise, "Check")
    expect(results(exercise)).to_have_text(
        "The checks of this exercise could not be loaded: the site does not answer. "
        "Check the connection and press the button again."
    )
    press(exercise, "Run")
    expect(results(exercise)).to_contain_text("could not be loaded: the site does not answer.")
    question = block(page, BY_HAND)  # questions need no server
    question.evaluate("e => e.closest('details')?.setAttribute('open', '')")
    question.locator("input.ck-number").fill("0.42, 0.58")
    press(question, "Check")
    expect(question.locator(".ck-feedback")).not_to_be_empty()

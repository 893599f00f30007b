"""What a reader sees when something is missing: Python, network, storage, scripts, an editor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect

from coursekit.page.later import CHECKS
from coursekit.page.page_data import checks_data

from .conftest import settle
from .exercises import BANK
from .test_accessibility import violations

CHAPTER = "queries-keys-values.html"


@pytest.fixture
def context(browser: Browser, site_url: str) -> Iterator[BrowserContext]:
    """Return a context whose pages may fail: here failing is the point."""
    made = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=site_url + "/")
    yield made
    made.close()


def check_code(page: Page | Frame) -> str:
    """Press Check of the code exercise and return the sentence that comes of it."""
    exercise = page.locator("#exercise-context-vector")
    button = exercise.get_by_role("button", name="Check", exact=True)
    button.click()
    expect(button).not_to_have_attribute("aria-disabled", "true", timeout=60_000)
    said = exercise.locator(".ck-results")
    expect(said).not_to_be_empty()
    return said.inner_text()


def quiz_works(page: Page | Frame) -> None:
    exercise = page.locator("#exercise-context-vector-by-hand")
    exercise.locator("input").fill("0.42 0.58")
    exercise.locator("input").press("Enter")
    expect(exercise.locator(".ck-right")).to_be_visible()


def test_checks_come_when_code_first_runs_and_then_all_of_the_page(context: BrowserContext) -> None:
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/manifest.json", lambda route: route.fulfill(status=404))
    page.goto(CHAPTER)
    settle(page)
    assert [url for url in asked if f"/{CHECKS}/" in url] == []
    check_code(page)
    here = [e for e in BANK.chapter("queries-keys-values") if not e.questions]
    names = {checks_data(exercise)[0] for exercise in here}
    assert len(names) > 1
    came = [url.partition("?")[0].rpartition("/")[2] for url in asked if f"/{CHECKS}/" in url]
    assert sorted(came) == sorted(names)


BARE = json.dumps({"numpy": None, "wheel": "x.whl", "missing": "There is no NumPy here."})


@pytest.mark.parametrize(
    ("file", "answer", "said"),
    [
        ("python_stdlib.zip", {}, "the site does not answer. Check the connection"),
        ("manifest.json", {"body": BARE}, "There is no NumPy here."),
        ("*.whl", {"status": 404}, "the host of this site answers 404 for numpy-"),
        ("pyodide.js", {"status": 404}, "the host of this site answers 404 for pyodide.js"),
        ("worker.js*", {"content_type": "text/plain"}, "sends text/plain in place of text/java"),
    ],
)
def test_what_does_not_come_is_told(
    context: BrowserContext, file: str, answer: dict[str, Any], said: str
) -> None:
    page = context.new_page()
    page.route(f"**/{file}", lambda r: r.fulfill(**answer) if answer else r.abort())
    page.goto(CHAPTER)
    assert said in check_code(page)
    quiz_works(page)


def test_python_that_does_not_compile_is_told(context: BrowserContext) -> None:
    page = context.new_page()
    wrong = {"content_type": "application/wasm", "body": "<p>Please log in to this network.</p>"}
    page.route("**/*.wasm", lambda route: route.fulfill(**wrong))
    page.goto(CHAPTER)
    assert "Python could not be started here: WebAssembly" in check_code(page)
    page.unroute("**/*.wasm")
    assert "Not started" in check_code(page)


def test_editor_that_cannot_load_leaves_a_plain_text_area(context: BrowserContext) -> None:
    page = context.new_page()
    page.route("**/editor.js*", lambda route: route.abort())
    page.goto(CHAPTER)
    exercise = page.locator("#exercise-context-vector")
    area = exercise.locator("textarea")
    with page.expect_event("requestfailed"):
        area.focus()
    area.fill("6 * 7")
    exercise.get_by_role("button", name="Run").click()
    expect(exercise.locator(".ck-output")).to_have_text("42", timeout=60_000)
    area.focus()
    page.keyboard.press("Tab")  # a plain text area lets go at once
    expect(exercise.get_by_role("button", name="Check", exact=True)).to_be_focused()


def test_frame_that_may_only_run_scripts_leads_to_the_page_itself(
    context: BrowserContext, site_url: str
) -> None:
    page, address = context.new_page(), f"{site_url}/{CHAPTER}"
    page.set_content(f'<iframe sandbox="allow-scripts" src="{address}"></iframe>')
    frame = page.frames[1]
    quiz_works(frame)
    expect(frame.locator(".ck-progress")).to_contain_text("1 of ")
    expect(frame.locator(".ck-progress")).to_contain_text("This browser keeps no answers")
    assert "stands in a frame of another page" in check_code(frame)
    link = frame.locator("#exercise-context-vector .ck-results a")
    expect(link).to_have_attribute("href", address)


@pytest.mark.heavy
def test_answered_exercises_have_no_accessibility_fault(context: BrowserContext) -> None:
    page = context.new_page()
    # Else cells fade into the colours of the other theme, and are measured on the way.
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(CHAPTER)
    answer_everything(page)
    wide = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-theme", scheme)
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            assert violations(page) == [], f"{scheme}, {width} px"
            assert page.evaluate(wide) <= 0


def answer_everything(page: Page) -> None:
    """Bring the exercises of a page into the states that have something to say."""
    quiz_works(page)
    choice = page.locator(".ck-choice:visible").first
    choice.locator("input").last.check()
    choice.get_by_role("button").click()
    code = page.locator("#exercise-context-vector")
    code.locator("textarea").focus()
    code.locator(".cm-content").wait_for()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("def context_vector(query, keys, values):  # 'x'\n    return keys[0]")
    page.keyboard.press("Control+Enter")
    expect(code.locator(".ck-fail").first).to_be_visible(timeout=60_000)
    page.locator("details.ck-hint > summary").first.click()
    page.get_by_role("button", name="Forget my answers").click()


def test_figure_that_moved_after_its_answer_is_told_and_comes_back(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto("masking.html")
    exercise = page.locator("#exercise-paint-a-mask")
    cells = exercise.locator("td button")
    exercise.get_by_role("button", name="Causal", exact=True).click()
    painted = [cell.get_attribute("aria-pressed") for cell in cells.all()]
    assert "false" in painted
    said = exercise.locator(".ck-results")
    exercise.get_by_role("button", name="Check", exact=True).click()
    expect(said).to_contain_text("The figure has been moved since", timeout=60_000)
    exercise.get_by_role("button", name="Use as answer").click()
    exercise.get_by_role("button", name="Check", exact=True).click()
    expect(said.locator(".ck-headline")).to_be_visible(timeout=60_000)
    expect(said).not_to_contain_text("The figure has been moved since")
    page.reload()
    expect(cells.nth(1)).to_have_attribute("aria-pressed", painted[1] or "")
    assert [cell.get_attribute("aria-pressed") for cell in cells.all()] == painted

"""What a reader sees when something is missing: Python, network, storage, scripts, an editor."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Frame, Page, expect

from coursekit.page.later import CHECKS
from coursekit.page.page_data import checks_data

from .conftest import come_to_rest, settle
from .exercises import (
    BANK,
    BY_HAND,
    CHAPTER,
    IN_CODE,
    LOADED,
    block,
    open_all,
    press,
    results,
    write,
)
from .test_accessibility import violations
from .test_live_cells import cell_with, edit, run, status


@pytest.fixture
def page(unwatched: Page) -> Page:
    return unwatched


def check_code(page: Page | Frame) -> str:
    """Press Check of the code exercise and return the sentence that comes of it."""
    exercise = page.locator("#exercise-context-vector")
    button = exercise.get_by_role("button", name="Check", exact=True)
    button.click()
    expect(button).not_to_have_attribute("aria-disabled", "true", timeout=LOADED)
    said = exercise.locator(".ck-results")
    expect(said).not_to_be_empty()
    return said.inner_text()


def quiz_works(page: Page | Frame) -> None:
    exercise = page.locator(f"#exercise-{BY_HAND}")
    exercise.locator("input").fill("0.42 0.58")
    exercise.locator("input").press("Enter")
    expect(exercise.locator(".ck-right")).to_be_visible()


def test_checks_come_when_code_first_runs_and_then_all_of_the_page(page: Page) -> None:
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
    page: Page, file: str, answer: dict[str, Any], said: str
) -> None:
    page.route(f"**/{file}", lambda r: r.fulfill(**answer) if answer else r.abort())
    page.goto(CHAPTER)
    assert said in check_code(page)
    quiz_works(page)


def test_python_that_does_not_compile_is_told(page: Page) -> None:
    wrong = {"content_type": "application/wasm", "body": "<p>Please log in to this network.</p>"}
    page.route("**/*.wasm", lambda route: route.fulfill(**wrong))
    page.goto(CHAPTER)
    assert "Python could not be started here: WebAssembly" in check_code(page)
    page.unroute("**/*.wasm")
    assert "Not started" in check_code(page)


def test_editor_that_cannot_load_leaves_a_plain_text_area(page: Page) -> None:
    page.route("**/editor.js*", lambda route: route.abort())
    page.goto(CHAPTER)
    exercise = block(page, IN_CODE)
    area = exercise.locator("textarea")
    with page.expect_event("requestfailed"):
        area.focus()
    area.fill("6 * 7")
    exercise.get_by_role("button", name="Run").click()
    expect(exercise.locator(".ck-output")).to_have_text("42", timeout=LOADED)
    area.focus()
    page.keyboard.press("Tab")  # a plain text area lets go at once
    expect(exercise.get_by_role("button", name="Check", exact=True)).to_be_focused()


def test_frame_that_may_only_run_scripts_leads_to_the_page_itself(
    page: Page, site_url: str
) -> None:
    address = f"{site_url}/{CHAPTER}"
    page.set_content(f'<iframe sandbox="allow-scripts" src="{address}"></iframe>')
    frame = page.frames[1]
    quiz_works(frame)
    expect(frame.locator(".ck-progress")).to_contain_text("1 of ")
    expect(frame.locator(".ck-progress")).to_contain_text("This browser keeps no answers")
    assert "stands in a frame of another page" in check_code(frame)
    link = frame.locator("#exercise-context-vector .ck-results a")
    expect(link).to_have_attribute("href", address)


@pytest.mark.heavy
def test_answered_exercises_and_cells_that_ran_have_no_accessibility_fault(page: Page) -> None:
    # Else cells fade into the colours of the other theme, and are measured on the way.
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(CHAPTER)
    open_all(page)
    answer_everything(page)
    wide = "() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("html")).to_have_attribute("data-theme", scheme)
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 900})
            come_to_rest(page)
            assert violations(page) == [], f"{scheme}, {width} px"
            assert page.evaluate(wide) <= 0


def answer_everything(page: Page) -> None:
    """Bring the exercises and cells of a page into the states that have something to say."""
    quiz_works(page)
    choice = page.locator(".ck-choice:visible").first
    choice.locator("input").last.check()
    choice.get_by_role("button").click()
    cell = cell_with(page, "temperatures = (100, 4")
    edit(cell, "import numpy as np\nx = np.eye(3)\nprint(x)\ny = x[:2] * 5\ny / none")
    page.keyboard.press("Escape")  # names that are offered
    run(cell, "Step")
    run(cell_with(page, "drawing.query_and_keys"), "Run all above")
    code = block(page, IN_CODE)
    write(code, "def context_vector(query, keys, values):  # 'x'\n    return keys[0]")
    press(code, "Step")
    expect(code.locator(".ck-trace")).to_be_visible(timeout=LOADED)
    press(code, "Check")
    expect(code.locator(".ck-fail").first).to_be_visible(timeout=LOADED)
    page.get_by_role("button", name="Forget my answers").click()


def test_figure_that_moved_after_its_answer_is_told_and_comes_back(page: Page) -> None:
    page.goto("masking.html")
    exercise = block(page, "paint-a-mask")
    cells = exercise.locator("td button")
    exercise.get_by_role("button", name="Causal", exact=True).click()
    painted = [cell.get_attribute("aria-pressed") for cell in cells.all()]
    assert "false" in painted
    said = results(exercise)
    press(exercise, "Check")
    expect(said).to_contain_text("The figure has been moved since", timeout=LOADED)
    press(exercise, "Use as answer")
    press(exercise, "Check")
    expect(said.locator(".ck-headline")).to_be_visible(timeout=LOADED)
    expect(said).not_to_contain_text("The figure has been moved since")
    page.reload()
    expect(cells.nth(1)).to_have_attribute("aria-pressed", painted[1] or "")
    assert [cell.get_attribute("aria-pressed") for cell in cells.all()] == painted


def stop_the_server(page: Page) -> None:
    page.context.route("**/*", lambda route: route.abort())


@pytest.mark.heavy
def test_cells_and_checks_that_were_used_go_on_without_the_server(page: Page) -> None:
    page.goto(CHAPTER)
    cell = cell_with(page, "temperatures = (100, 4")
    edit(cell, "import numpy as np\nnp.arange(3)")
    run(cell)
    expect(cell.locator(".ck-cell-output")).to_have_text("array([0, 1, 2])")
    exercise = block(page, IN_CODE)
    write(exercise, "def context_vector(query, keys, values):\n    return query")
    press(exercise, "Check")
    expect(results(exercise)).to_contain_text("None of the checks passes yet", timeout=LOADED)
    stop_the_server(page)
    write(cell, "import attn\nattn.softmax([0.0, 0.0])")
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


@pytest.mark.heavy
def test_what_was_not_used_says_what_is_missing_without_the_server(page: Page) -> None:
    page.goto(CHAPTER)
    settle(page)
    stop_the_server(page)
    missing = "{} could not be loaded: the site does not answer. Check the connection and press"
    cell = cell_with(page, "temperatures = (100, 4")
    press(cell, "Run")
    expect(status(cell)).to_contain_text(missing.format("What runs cells"))
    exercise = block(page, IN_CODE)
    exercise.locator("textarea").fill("x = 1")  # the editor proper did not come
    press(exercise, "Check")
    expect(results(exercise)).to_contain_text(missing.format("The checks of this exercise"))
    quiz_works(page)

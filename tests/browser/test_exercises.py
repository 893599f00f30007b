"""Code exercises in a real browser, on the built site: answers of every kind."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from .exercises import BANK, CHAPTER, IN_CODE, LOADED, block, press, results, write

RIGHT = BANK[IN_CODE].solution
HALF_RIGHT = """\
def context_vector(query, keys, values):
    weights = np.array([0.7311, 0.2689])
    return weights @ values[:2] if len(keys) == 2 else values[0]
"""
NO_SOFTMAX = """\
def context_vector(query, keys, values):
    print("seen", keys.shape)
    return (keys @ query) @ values
"""


@pytest.fixture
def exercise(page: Page) -> Locator:
    page.goto(CHAPTER)
    return block(page, IN_CODE)


def test_right_answer_passes_and_is_still_there_after_a_reload(
    page: Page, exercise: Locator
) -> None:
    write(exercise, RIGHT)
    press(exercise, "Check")
    # Nothing is left for somebody who learns alone; a course has a point more to give.
    headline = results(exercise).locator(".ck-headline")
    expect(headline).to_have_text("Done. All 3 checks pass.", timeout=LOADED)
    in_a_course = "In a course: 4 of 5 points; 1 more point is decided by other inputs"
    expect(results(exercise)).to_contain_text(in_a_course)
    expect(exercise.locator(".ck-pass")).to_have_count(3)
    expect(exercise.locator(".ck-pass .ck-right").first).to_contain_text("the weights 0.731")
    progress = page.locator(".ck-progress")
    expect(progress).to_contain_text(re.compile(r"1 of \d+ exercises"))
    page.reload()
    expect(results(exercise)).to_contain_text("All 3 checks pass")
    assert exercise.locator("textarea").input_value() == RIGHT
    expect(progress).to_contain_text(re.compile(r"1 of \d+ exercises"))


#: How often each sentence is put beside the bar, as long as one loads.
SENTENCES = """
    window.sentences = [];
    new MutationObserver(changes => changes.forEach(({ addedNodes }) => addedNodes.forEach(node => {
        if (node.matches?.(".ck-results > .ck-note")) window.sentences.push(node.textContent);
    }))).observe(document, { childList: true, subtree: true });
"""


def test_a_bar_shows_how_much_of_python_is_there(page: Page) -> None:
    page.add_init_script(SENTENCES)
    # What a slow network does: one file comes after the others.
    held: list[Route] = []
    page.route("**/numpy-*.whl", lambda route: held.append(route))
    page.goto(CHAPTER)
    exercise = block(page, IN_CODE)
    with page.expect_request("**/numpy-*.whl", timeout=LOADED):
        press(exercise, "Check")
    bar = results(exercise).get_by_role("progressbar", name="Loading Python (about 17 MB")
    expect(bar).to_be_visible()
    assert 0 <= bar.evaluate("bar => bar.value") < 1
    held.pop().continue_()
    expect(results(exercise)).to_contain_text("Not started", timeout=LOADED)
    expect(exercise.locator("progress")).to_have_count(0)
    sentences = page.evaluate("window.sentences")
    # A screen reader speaks each once, however often the bar has moved.
    assert len(sentences) == len(set(sentences))
    assert "Running …" in sentences


def test_wrong_answer_is_explained_and_its_output_shown(page: Page, exercise: Locator) -> None:
    write(exercise, HALF_RIGHT)
    press(exercise, "Check")
    expect(results(exercise)).to_contain_text("1 check of 3 passes.", timeout=LOADED)
    items = exercise.locator(".ck-checks > li")
    expect(items.nth(0)).to_have_class("ck-pass")  # first what is right
    expect(items.nth(1)).to_have_class("ck-fail")
    expect(items.nth(1)).to_contain_text("expected [")
    expect(page.locator(".ck-progress")).to_contain_text("0 of ")
    write(exercise, NO_SOFTMAX)
    press(exercise, "Check")
    first = exercise.locator(".ck-fail").first
    expect(first).to_contain_text("is [0.5, 0.5]; expected [0.4193, 0.5807]")
    expect(first.locator(".ck-why")).to_contain_text("equals the first value")
    expect(first.get_by_role("img", name="Your answer, drawn: 0.5, 0.5.")).to_be_visible()
    expect(exercise.locator(".ck-output")).to_contain_text("seen (2, 2)")
    write(exercise, "x = 1\ny = x + unknown\n")
    press(exercise, "Run")
    said = "Line 2: NameError: name 'unknown' is not defined"
    expect(results(exercise)).to_have_text(said)


def test_python_comes_while_somebody_writes(page: Page) -> None:
    page.goto(CHAPTER)
    with page.expect_request("**/pyodide.asm.wasm", timeout=LOADED):
        block(page, IN_CODE).locator("textarea").focus()


def test_verdicts_of_code_that_changed_while_it_ran_are_stale_and_not_kept(
    page: Page, exercise: Locator
) -> None:
    held: list[Route] = []
    page.route("**/pyodide.asm.wasm", lambda route: held.append(route))
    write(exercise, RIGHT)
    press(exercise, "Check")
    expect(results(exercise)).to_contain_text("Loading")
    expect(exercise.get_by_role("button", name="Stop")).to_be_hidden()  # nothing runs yet
    page.keyboard.press("End")
    write(exercise, f"{RIGHT}\nmore = 1")
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    expect(exercise.locator(".ck-pass")).to_have_count(3, timeout=LOADED)
    expect(results(exercise)).to_have_class(re.compile("ck-stale"))
    page.reload()
    expect(exercise.locator("textarea")).to_have_value(f"{RIGHT}\nmore = 1")
    expect(exercise.locator(".ck-pass")).to_have_count(0)


def test_start_again_can_be_taken_back(exercise: Locator) -> None:
    expect(exercise.get_by_role("button", name="Start again")).to_be_hidden()
    write(exercise, "mine = 1\n")
    press(exercise, "Start again")
    expect(exercise.locator(".cm-content")).to_contain_text("NotImplementedError")
    press(exercise, "Bring my code back")
    expect(exercise.locator(".cm-content")).to_contain_text("mine = 1")


def test_code_is_written_checked_and_left_by_keyboard_alone(exercise: Locator) -> None:
    exercise.locator("textarea").focus()
    exercise.locator(".cm-content").wait_for()
    keyboard = exercise.page.keyboard
    keyboard.press("Control+a")
    keyboard.type("def context_vector(query, keys, values):\nreturn values[0]")
    keyboard.press("Home")
    keyboard.press("Tab")  # indents, and stays in the editor
    expect(exercise.locator(".cm-content")).to_be_focused()
    keyboard.press("Control+Enter")
    expect(results(exercise)).to_contain_text("Not", timeout=LOADED)
    expect(exercise.locator(".cm-content")).to_be_focused()
    keyboard.press("Escape")
    keyboard.press("Tab")
    expect(exercise.get_by_role("button", name="Check", exact=True)).to_be_focused()
    keyboard.press("Shift+Tab")
    expect(exercise.locator(".cm-content")).to_be_focused()

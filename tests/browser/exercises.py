"""What tests of exercises in a browser share: where they are, and what a reader does."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.course import BANK as BANK

CHAPTER = "queries-keys-values.html"
BY_HAND, IN_CODE = "context-vector-by-hand", "context-vector"
#: Loading Python takes seconds, and several times that on a busy machine.
LOADED = 150_000  # ms


def unfold(place: Locator) -> None:
    """Open the folds in which a place is: the questions that warm a reader up are in one."""
    for fold in reversed(place.locator("xpath=ancestor::details[not(@open)]").all()):
        fold.locator("> summary").click()


def block(page: Page, id: str) -> Locator:
    return page.locator(f"#exercise-{id}")


def write(exercise: Locator, code: str) -> None:
    """Put code into the editor, which takes the text area's place on its first focus."""
    area = exercise.locator("textarea.ck-code-area")
    if area.count():
        area.focus()
    content = exercise.locator(".cm-content")
    content.focus()
    exercise.page.keyboard.press("Control+a")
    exercise.page.keyboard.insert_text(code)


def press(exercise: Locator, name: str) -> None:
    exercise.get_by_role("button", name=name, exact=True).click()


def results(exercise: Locator) -> Locator:
    return exercise.locator(".ck-results")


def solve(page: Page, id: str, code: str = "") -> None:
    """Write an answer into a code exercise and wait until all its checks have passed."""
    exercise = block(page, id)
    write(exercise, code or BANK[id].solution)
    press(exercise, "Check")
    checks = sum(not check.hidden for check in BANK[id].checks)
    expect(exercise.locator("li.ck-pass")).to_have_count(checks, timeout=LOADED)


def answer_by_hand(page: Page, text: str) -> Locator:
    """Answer a chapter's first question in numbers, and return what is said of the answer."""
    question = block(page, BY_HAND)
    unfold(question)
    question.locator("input.ck-number").fill(text)
    press(question, "Check")
    return question.locator(".ck-feedback")


def unfold_deeper(page: Page) -> None:
    """Open the sections that go deeper, and none of the folds and gates in them."""
    page.evaluate("document.querySelectorAll('.ck-deeper').forEach(d => { d.open = true })")


def open_all(page: Page) -> None:
    """Open gates and folds."""
    while page.locator(".ck-gate").count():
        page.locator(".ck-gate button").first.dispatch_event("click")
    page.evaluate("() => document.querySelectorAll('details').forEach(d => { d.open = true })")

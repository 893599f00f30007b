"""Exercises in a real browser, on the built site: answers of every kind, by mouse and keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from coursekit.bank import load_bank
from coursekit.model import Choice, Numeric

from .conftest import Watch

BANK = load_bank(Path(__file__).resolve().parents[2] / "exercises")
CHAPTER = "queries-keys-values.html"
BY_HAND, IN_CODE, WIDGET = "context-vector-by-hand", "context-vector", "context-vector-widget"
#: Loading Python takes seconds, and several times that on a busy machine.
LOADED = 60_000  # ms

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
def chapter(page: Page) -> Page:
    page.goto(CHAPTER)
    return page


@pytest.fixture(scope="module")
def warm_page(browser: Browser, site_url: str) -> Iterator[Page]:
    """Return a page on which Python has started, for all tests that only write other code."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=site_url + "/")
    page = context.new_page()
    watch = Watch(page, site_url)
    page.goto(CHAPTER)
    exercise = block(page, IN_CODE)
    press(exercise, "Check")
    expect(results(exercise)).to_have_text(
        "Not started: replace the placeholder with your code.", timeout=LOADED
    )
    yield page
    context.close()
    assert watch.faults == []


@pytest.fixture
def warm(warm_page: Page) -> Locator:
    """Return the code exercise of a page on which Python has started."""
    return block(warm_page, IN_CODE)


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


def test_right_answer_passes_and_is_still_there_after_a_reload(chapter: Page) -> None:
    exercise = block(chapter, IN_CODE)
    write(exercise, RIGHT)
    press(exercise, "Check")
    expect(results(exercise)).to_contain_text("All 2 checks pass: 3 of 4 points", timeout=LOADED)
    expect(results(exercise)).to_contain_text("1 more point is decided by other inputs")
    expect(exercise.locator(".ck-pass")).to_have_count(2)
    progress = chapter.locator(".ck-progress")
    expect(progress).to_contain_text(re.compile(r"1 of \d+ exercises"))
    chapter.reload()
    expect(results(exercise)).to_contain_text("All 2 checks pass")
    assert exercise.locator("textarea").input_value() == RIGHT
    expect(progress).to_contain_text(re.compile(r"1 of \d+ exercises"))


def test_half_right_answer_is_told_first_what_was_right(warm: Locator) -> None:
    write(warm, HALF_RIGHT)
    press(warm, "Check")
    expect(results(warm)).to_contain_text("1 check of 2 passes.")
    items = warm.locator(".ck-checks > li")
    expect(items.nth(0)).to_have_class("ck-pass")
    expect(items.nth(1)).to_have_class("ck-fail")
    expect(items.nth(1)).to_contain_text("expected [")
    expect(warm.page.locator(".ck-progress")).to_contain_text("0 of ")


def test_wrong_answer_is_explained_and_its_output_shown(warm: Locator) -> None:
    write(warm, NO_SOFTMAX)
    press(warm, "Check")
    first = warm.locator(".ck-fail").first
    expect(first).to_contain_text("is [0.5, 0.5]; expected [0.4193, 0.5807]")
    expect(first.locator(".ck-why")).to_contain_text("is the first value alone")
    expect(warm.locator(".ck-output")).to_contain_text("seen (2, 2)")


def test_code_with_an_error_gets_one_line_with_its_line_number(warm: Locator) -> None:
    write(warm, "def context_vector(query, keys, values)\n    return values[0]\n")
    press(warm, "Check")
    error = results(warm)
    expect(error).to_have_text("Line 1: SyntaxError: expected ':'")
    write(warm, "x = 1\ny = x + unknown\n")
    press(warm, "Run")
    expect(error).to_have_text("Line 2: NameError: name 'unknown' is not defined")
    write(warm, "def context_vector(query, keys, values):\n    return 1 / 0\n")
    press(warm, "Check")
    expect(error).to_contain_text("ZeroDivisionError: division by zero (line 2: return 1 / 0)")
    assert "Traceback" not in warm.inner_text()


def test_endless_answer_is_stopped_and_the_next_one_runs(warm: Locator) -> None:
    write(warm, "while True:\n    pass\n")
    press(warm, "Run")
    expect(results(warm)).to_contain_text(
        "still running after 8 seconds. The usual reason is a loop", timeout=10_000
    )
    write(warm, "6 * 7")
    press(warm, "Run")
    expect(warm.locator(".ck-output")).to_have_text("42", timeout=LOADED)


def test_nothing_of_python_is_loaded_before_it_is_asked_for(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(CHAPTER)
    page.wait_for_load_state("networkidle")
    heavy = re.compile(r"pyodide|worker\.js|editor\.js|\.whl")
    assert [url for url in asked if heavy.search(url)] == []
    exercise = block(page, IN_CODE)
    exercise.locator("textarea").focus()
    exercise.locator(".cm-content").wait_for()
    assert [url for url in asked if heavy.search(url) and "editor.js" not in url] == []


@pytest.mark.parametrize(
    "mistake", list(BANK[BY_HAND].questions[0].mistakes.items()), ids=lambda m: m[0]
)
def test_each_wrong_number_has_its_own_explanation(
    chapter: Page, mistake: tuple[str, list[float]]
) -> None:
    id, value = mistake
    exercise = block(chapter, BY_HAND)
    exercise.locator("input").fill(", ".join(map(str, value)))
    press(exercise, "Check")
    feedback = exercise.locator(".ck-feedback")
    expect(feedback.locator(".ck-why")).to_have_text(BANK[BY_HAND].misconceptions[id])
    chapter.reload()
    expect(feedback.locator(".ck-why")).to_have_text(BANK[BY_HAND].misconceptions[id])


@pytest.mark.parametrize("typed", ["0.4193, 0.5807", "(.42 .58)", "[0.42; 0.58]", "0,42 0,58"])
def test_right_numbers_are_taken_in_any_notation(chapter: Page, typed: str) -> None:
    exercise = block(chapter, BY_HAND)
    exercise.locator("input").fill(typed)
    chapter.keyboard.press("Enter")
    expect(exercise.locator(".ck-right")).to_contain_text("the weights e/(e+1) = 0.731")
    expect(chapter.locator(".ck-progress")).to_contain_text("1 of ")


def test_what_is_no_number_is_told_what_was_expected(chapter: Page) -> None:
    exercise = block(chapter, BY_HAND)
    feedback = exercise.locator(".ck-feedback")
    for typed, words in (("", "Nothing is written yet"), ("about half", "cannot read “about”")):
        exercise.locator("input").fill(typed)
        press(exercise, "Check")
        expect(feedback).to_contain_text(words)
        expect(feedback).to_contain_text("expected two numbers, such as 0.1, 0.2.")


def test_every_option_of_a_quiz_has_its_feedback(chapter: Page) -> None:
    for exercise in BANK.chapter("queries-keys-values"):
        for question in exercise.questions:
            place = block(chapter, exercise.id).locator(f"[data-question={question.name}]")
            if not isinstance(question, Choice) or not place.count():
                continue
            for key, option in question.options.items():
                place.locator(f"input[value={key}]").check()
                press(place, "Check")
                said = "ck-right" if option.correct else "ck-seen"
                words = re.sub("[`*]", "", option.feedback)  # shown as code and emphasis
                expect(place.locator(f".ck-feedback .{said}")).to_contain_text(words)


def test_hints_open_one_after_the_other(chapter: Page) -> None:
    exercise = block(chapter, BY_HAND)
    hints = exercise.locator("details.ck-hint")
    count = len(BANK[BY_HAND].hints)
    for number in range(count):
        expect(exercise.locator("details.ck-hint:visible")).to_have_count(number + 1)
        hints.nth(number).locator("summary").click()
    chapter.reload()
    expect(exercise.locator("details.ck-hint:visible")).to_have_count(count)


def test_figure_and_answer_line_follow_each_other(chapter: Page) -> None:
    exercise = block(chapter, WIDGET)
    figure = exercise.locator("attn-context-vector")
    state = "figure => JSON.parse(JSON.stringify([...figure.shadowRoot.querySelectorAll('input')]"
    state += ".slice(0, 2).map(i => Number(i.value))))"
    figure.get_by_role("button", name="Use as answer").click()
    code = exercise.locator("textarea")
    assert "query = [1.0, 0.0]\n" in code.input_value()
    expect(results(exercise)).to_contain_text("Press Check")
    write(exercise, "query = [-1.5, 0.5]\n")
    press(exercise, "Check")
    expect(results(exercise)).to_contain_text("The check passes: 2 of 2 points", timeout=LOADED)
    assert figure.evaluate(state) == [-1.5, 0.5]
    chapter.reload()
    expect(results(exercise)).to_contain_text("The check passes")
    assert figure.evaluate(state) == [-1.5, 0.5]


def test_start_again_can_be_taken_back(chapter: Page) -> None:
    exercise = block(chapter, IN_CODE)
    expect(exercise.get_by_role("button", name="Start again")).to_be_hidden()
    write(exercise, "mine = 1\n")
    press(exercise, "Start again")
    expect(exercise.locator(".cm-content")).to_contain_text("NotImplementedError")
    press(exercise, "Bring my code back")
    expect(exercise.locator(".cm-content")).to_contain_text("mine = 1")


def test_code_is_written_checked_and_left_by_keyboard_alone(chapter: Page) -> None:
    exercise = block(chapter, IN_CODE)
    exercise.locator("textarea").focus()
    exercise.locator(".cm-content").wait_for()
    keyboard = chapter.keyboard
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


def test_quiz_is_answered_by_keyboard_alone(chapter: Page) -> None:
    first = chapter.locator(".ck-choice").first
    first.locator("input").first.focus()
    chapter.keyboard.press("ArrowDown")
    chapter.keyboard.press("Enter")
    expect(first.locator(".ck-feedback")).not_to_be_empty()
    chapter.keyboard.press("Tab")
    button = first.get_by_role("button", name="Check")
    expect(button).to_be_focused()
    outline = button.evaluate("b => getComputedStyle(b).outlineStyle")
    assert outline == "solid"


def test_answers_are_forgotten_when_asked_twice(chapter: Page) -> None:
    exercise = block(chapter, BY_HAND)
    forget = chapter.get_by_role("button", name="Forget my answers")
    expect(forget).to_be_hidden()
    exercise.locator("input").fill("0.5, 0.5")
    press(exercise, "Check")
    forget.click()
    press(chapter.locator(".ck-progress"), "Keep them")
    expect(forget).to_be_focused()
    assert exercise.locator("input").input_value() == "0.5, 0.5"
    forget.click()
    with chapter.expect_navigation():
        press(chapter.locator(".ck-progress"), "Forget")
    assert exercise.locator("input").input_value() == ""
    expect(exercise.locator(".ck-feedback")).to_be_empty()
    keys = chapter.evaluate("Object.keys(localStorage).filter(k => k.startsWith('attention-'))")
    assert keys == []


def test_numeric_questions_are_of_the_kind_that_the_tests_expect() -> None:
    (question,) = BANK[BY_HAND].questions
    assert isinstance(question, Numeric)
    assert len(question.mistakes) == 4

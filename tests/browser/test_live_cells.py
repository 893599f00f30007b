"""Code cells of chapters, run and edited in the page: results as printed, errors, Stop, steps."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from .exercises import CHAPTER, IN_CODE, LOADED, block, open_all, press, write

DONE = "() => !document.querySelector('.ck-cell-bar [aria-disabled=true]')"


def cell_with(page: Page, code: str) -> Locator:
    """Return a cell, and show it first if it waits for a prediction."""
    cell = page.locator(".ck-runnable", has_text=code).first
    while cell.evaluate("e => e.matches('.ck-shut, .ck-shut *')"):
        cell.locator("xpath=preceding::div[@class='ck-gate'][1]").get_by_role("button").click()
    return cell


def status(cell: Locator) -> Locator:
    return cell.locator(".ck-cell-status")


def run(cell: Locator, name: str = "Run") -> None:
    """Press a button of a cell, and wait until it has run. Most come with the first *Run*."""
    page = cell.page
    if not page.evaluate("() => window.coursekitLive") and name != "Run":
        run(cell)
    cell.get_by_role("button", name=name, exact=True).click()
    page.wait_for_function("() => window.coursekitLive !== undefined", timeout=LOADED)
    page.wait_for_function(DONE, timeout=4 * LOADED)


def edit(cell: Locator, code: str) -> None:
    press(cell, "Edit")
    cell.locator(".cm-content").wait_for()  # the focus is on its way to the editor
    write(cell, code)


@pytest.fixture
def cell(page: Page) -> Locator:
    """Return a cell of a fresh page."""
    page.goto(CHAPTER)
    return cell_with(page, "temperatures = (100, 4")


def test_chapter_runs_from_top_to_bottom_with_its_printed_results(page: Page) -> None:
    page.goto(CHAPTER)
    open_all(page)
    texts = "cell => cell.querySelector('.cell_output .output')?.parentElement.innerText ?? ''"
    live = page.locator(".ck-runnable:has(.ck-cell-bar button)").all()
    printed = [cell.evaluate(texts) for cell in live]
    run(live[-1], "Run all above")
    compared = 0
    for cell, before in zip(live, printed, strict=True):
        code = cell.locator(".highlight pre").first.inner_text()
        said = status(cell).inner_text()
        if "Needs " in said:
            assert "runs in the notebook" in said
            continue
        output = cell.locator(".ck-cell-output")
        if "draws in the notebook" in said:
            assert status(cell).locator("a[href$='.ipynb'][download]").count() == 1
            assert cell.locator(".cell_output:not([hidden]) > :not([hidden]) :is(svg, img)").count()
            continue
        assert said in ("", "It ran, and shows nothing."), code
        if output.locator("svg, [data-explorable]").count():
            assert before == "" or output.inner_text() or output.locator("svg").count()
            continue
        compared += before != ""
        assert words(output.inner_text()) == words(before), code
    assert compared, "no cell printed a result that could be compared"


def words(text: str) -> list[str]:
    """Return the words of a result; rounding errors, which differ by machine, are one word."""
    text = re.sub(r"\b\d(?:\.\d+)?e-(?:0[5-9]|1\d)\b", "rounding", text)
    return text.replace("Copy to clipboard", "").split()


def test_edited_cell_shows_its_own_result_and_reset_brings_the_printed_back(cell: Locator) -> None:
    printed = cell.locator(".cell_output").inner_text()
    edit(cell, "import numpy as np\nprint('twice')\nnp.arange(3) * 2")
    run(cell)
    output = cell.locator(".ck-cell-output")
    expect(output).to_have_text(re.compile(r"twice\s+array\(\[0, 2, 4\]\)"))
    expect(cell.locator(".cell_output:not(.ck-cell-output)")).to_be_hidden()
    press(cell, "Reset")
    expect(output).to_be_hidden()
    assert cell.locator(".cell_output:not(.ck-cell-output)").inner_text() == printed
    assert cell.locator(".cm-content").count() == 0


def test_names_come_from_above_and_a_missing_one_says_so(page: Page, cell: Locator) -> None:
    run(cell)
    expect(status(cell)).to_contain_text("NameError")
    expect(status(cell)).to_contain_text("press “Run all above”")
    run(cell, "Run all above")
    expect(cell.locator(".ck-cell-output table")).to_be_visible()
    # What waits for a prediction was run for its names, and shows nothing.
    waiting = page.locator(".ck-runnable", has_text="nothing = attn.softmax").first
    assert not waiting.locator(".ck-cell-output").is_visible()


def test_error_is_one_sentence_and_what_python_does_not_read_is_seen(cell: Locator) -> None:
    edit(cell, "import numpy as np\nx\u00a0= np.ones(3)")
    expect(cell.locator(".cm-specialChar")).to_have_text("•")
    run(cell)
    expect(status(cell)).to_contain_text("Line 2: SyntaxError: Python does not read the invisible")


def test_endless_cell_is_stopped_and_the_next_run_works(cell: Locator) -> None:
    edit(cell, "kept = 1\nkept")
    run(cell)
    expect(cell.locator(".ck-cell-output")).to_have_text("1", timeout=LOADED)
    write(cell, "while True:\n    pass")
    cell.page.keyboard.press("Control+Enter")
    expect(status(cell)).to_contain_text("Running", timeout=LOADED)
    press(cell, "Stop")
    expect(status(cell)).to_contain_text("Stopped. What the cells have defined is gone")
    write(cell, "6 * 7")
    run(cell)
    expect(cell.locator(".ck-cell-output")).to_have_text("42")


def test_completion_knows_the_library_and_the_names_of_the_cells(page: Page, cell: Locator) -> None:
    run(cell, "Run all above")
    edit(cell, "")
    for typed, label, head in (
        ("attn.softm", "softmax", "attn.softmax(scores, axis=-1, mask=None"),
        ("context = wei", "weights", "weights: ndarray (1, 4)"),
    ):
        page.keyboard.press("Control+a")
        page.keyboard.type(typed)
        expect(page.locator(".cm-tooltip-autocomplete li", has_text=label).first).to_be_visible()
        expect(page.locator(".cm-completionInfo")).to_contain_text(head)
        page.keyboard.press("Escape")
    write(cell, "attn.softmax")
    cell.locator(".cm-line").get_by_text("softmax").last.hover(position={"x": 60, "y": 8})
    expect(page.locator(".ck-hover")).to_contain_text("weights that are positive and sum to 1")


def test_a_cell_waits_for_an_exercise_and_then_shows_the_steps_of_what_ran(
    page: Page, cell: Locator
) -> None:
    exercise = block(page, IN_CODE)
    run(cell)
    edit(cell, "a = 1\nb = 2\nc = 3")
    write(exercise, "while True:\n    pass")
    press(exercise, "Run")
    expect(exercise.locator(".ck-results")).to_contain_text("Running")
    press(cell, "Step")
    expect(status(cell)).to_contain_text("Waits until")
    expect(cell.get_by_role("button", name="Stop")).to_be_hidden()  # it would end the exercise's
    press(exercise, "Stop")
    write(cell, "x = 1")
    steps = cell.locator(".ck-trace")
    expect(steps.locator(".ck-trace-where")).to_have_text("Step 1 of 3: line 1.", timeout=LOADED)
    expect(steps.locator(".ck-trace-code li")).to_have_count(3)
    expect(cell.locator(".ck-stale .ck-trace")).to_be_visible()


def test_steps_of_a_cell_move_by_keyboard(cell: Locator) -> None:
    edit(cell, "import numpy as np\nx = np.eye(3)\ny = x[:2] * 5")
    run(cell, "Step")
    steps = cell.locator(".ck-trace")
    expect(steps.locator(".ck-trace-where")).to_have_text("Step 1 of 2: line 2.")
    steps.press("ArrowRight")
    expect(steps.locator(".ck-trace-where")).to_have_text("Step 2 of 2: line 3.")
    expect(steps.locator("tr.ck-trace-new")).to_contain_text(
        re.compile(r"y.*\(2, 3\).*\[\[5\. 0\. 0\.\] \[0\. 5\. 0\.\]\]")
    )
    expect(steps.locator("[aria-current]")).to_have_text("y = x[:2] * 5")


def test_steps_stand_by_themselves_and_an_error_is_said_once(page: Page) -> None:
    page.goto(CHAPTER)
    open_all(page)
    cell = page.locator(".ck-runnable:has(.ck-cell-bar button):has(details.hide)").first
    edit(cell, "x = 1\nx / 0")
    run(cell, "Step")
    steps = cell.locator(".ck-trace")
    expect(steps.locator(".ck-trace-where")).to_have_text("Step 1 of 1: line 1.")
    assert not steps.evaluate("steps => steps.closest('details')")
    expect(cell.get_by_text("ZeroDivisionError")).to_have_count(1)
    write(cell, "1 / 0")
    run(cell, "Step")
    expect(status(cell)).to_contain_text("ZeroDivisionError")
    expect(steps).to_have_count(0)


def test_exercise_shows_an_example_and_its_steps(page: Page) -> None:
    page.goto(CHAPTER)
    exercise = block(page, IN_CODE)
    signature = "def context_vector(query, keys, values):\n"
    write(exercise, f"{signature}    scores = keys @ query\n    return scores @ values")
    press(exercise, "Run")
    output = exercise.locator(".ck-output")
    expect(output).to_contain_text("Example: context_vector(query, keys, values)", timeout=LOADED)
    expect(output).to_contain_text("→ shape (2,)")
    press(exercise, "Step")
    steps = exercise.locator(".ck-trace")
    expect(steps.locator(".ck-trace-where")).to_contain_text("in context_vector", timeout=LOADED)
    steps.press("End")
    expect(steps.locator("tr.ck-trace-new")).to_contain_text(re.compile(r"return.*\(2,\)"))

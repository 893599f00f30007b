"""The translator in its chapter: stored, then live; a word hidden, the answer, and no network."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from attnlab.explorables import Translation

from .conftest import Open

FIGURE = "[data-exercise=hide-the-verb] attn-translation[live]"
#: A link to the exercise opens it, although it waits for a prediction.
CHAPTER = "self-and-cross.html#exercise-hide-the-verb"
FILE = "attention-0.npz"


@pytest.fixture
def figure(page: Page) -> Locator:
    page.goto(CHAPTER)
    shown = page.locator(FIGURE)
    shown.scroll_into_view_if_needed()
    expect(shown.locator(".french")).to_be_visible()
    return shown


def french(shown: Translation) -> str:
    return "Written: " + " ".join(shown.target[word] for word in shown.written().words[:-1])


def test_the_stored_answer_is_there_before_the_model_which_comes_once(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(CHAPTER)
    figure = page.locator(FIGURE)
    expect(figure.locator(".french")).to_contain_text(french(Translation()))
    assert not [url for url in asked if FILE in url]
    figure.get_by_label("Word 1: subject").select_option("hat")
    changed = Translation(sentence="hat under tree behind house picked")
    expect(figure.locator(".french")).to_contain_text(french(changed))
    # It needs no network from here on.
    page.context.set_offline(True)
    figure.get_by_label("Word 6: participle").select_option("sold")
    figure.get_by_role("button", name="Add a phrase").click()
    expect(figure.locator(".french")).to_contain_text("avait été vendu (right in every word)")
    assert len([url for url in asked if FILE in url]) == 1
    page.context.set_offline(False)


def test_a_hidden_word_changes_what_is_written_and_makes_the_answer(figure: Locator) -> None:
    uniform = figure.get_by_label("Same weight for every word")
    uniform.check()
    expect(figure.locator(".french")).to_contain_text(french(Translation(uniform=True)))
    uniform.uncheck()
    figure.get_by_label("hide token 7, picked").check()
    hidden = Translation(hidden=[6])
    expect(figure.locator(".french")).to_contain_text(french(hidden))
    expect(figure.locator(".french .wrong")).to_have_text("oubliée")
    row = figure.locator(".heat tbody tr").nth(6)
    weights = [f"{weight:.2f}" for weight in hidden.written().weights[6, :6]]
    expect(row.locator("td")).to_have_text([*weights, "masked"])
    figure.get_by_role("button", name="Use as answer").click()
    answer = figure.page.get_by_role("textbox", name="Your code: Hide a word from the decoder")
    expect(answer).to_have_value(re.compile(r'sentence = "apple under tree .*\nhidden = \[6\]'))


def test_steps_go_on_by_keyboard(figure: Locator) -> None:
    go_on = figure.get_by_role("button", name="Next word")
    go_on.press("Enter")
    expect(figure).to_contain_text("Word 8 of 8. The last word is ramassée")
    go_on.press("Enter")  # there is no ninth
    expect(figure).to_contain_text("Word 8 of 8.")
    figure.get_by_role("button", name="Back").press("Enter")
    expect(figure.locator(".heat [aria-current] th")).to_have_text("ramassée")


def test_one_word_at_least_stays_visible(figure: Locator) -> None:
    boxes = figure.get_by_role("checkbox", name=re.compile("^hide token"))
    for i in range(6):
        boxes.nth(i).check()
    boxes.nth(6).click()
    expect(boxes.nth(6)).not_to_be_checked()
    cells = figure.locator(".heat tbody tr").first.locator("td")
    expect(cells.last).to_have_text("1.00")


def test_a_page_from_a_file_says_why_there_is_no_model(show: Open) -> None:
    page = show(Translation())
    page.get_by_label("Word 1: subject").select_option("hat")
    expect(
        page.get_by_text("Browsers fetch no model for a page opened from a file")
    ).to_be_visible()


def test_without_a_network_it_says_so_and_the_next_change_tries_again(unwatched: Page) -> None:
    page = unwatched
    page.goto(CHAPTER)
    figure = page.locator(FIGURE)
    expect(figure.locator(".french")).to_be_attached()
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.context.set_offline(True)
    subject = figure.get_by_label("Word 1: subject")
    subject.select_option("hat")
    expect(figure).to_contain_text("The model could not be fetched. Is there a network?")
    asked = sum(FILE in url for url in failed)
    with page.expect_event("requestfailed", lambda request: FILE in request.url):
        subject.select_option("coat")
    # Each change has asked once more, and nothing else has.
    assert sum(FILE in url for url in failed) == 2 * asked > 0
    page.context.set_offline(False)
    subject.select_option("hat")
    expect(figure.locator(".french")).to_contain_text("le chapeau sous l'arbre")

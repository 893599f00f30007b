"""Questions that come back: met today, asked again when the clock says so, in a real browser."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from coursekit.deck import HEADER

from .conftest import Open, answer_right, miss, on

BLOCKED = """
Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no"); } });
"""


def test_a_mistake_comes_back_until_it_is_learned(context: BrowserContext, open_page: Open) -> None:
    page = open_page()
    due = page.locator(".ck-due")
    expect(due).to_have_text(
        "Nothing is kept yet. A question comes here when an answer of yours shows a mistake that "
        "has a name."
    )
    miss(page)
    page.reload()
    expect(due).to_have_text(
        "No question is due today. 1 question will come back later, the next on 1 December 2026."
    )
    expect(page.get_by_role("button", name="Ask me")).to_be_hidden()
    days = [(2026, 12, 1), (2026, 12, 4), (2026, 12, 11)]
    told = ["4 December 2026", "11 December 2026", "1 January 2027"]
    for date, next_day in zip(days, told, strict=True):
        on(context, *date)
        page.reload()
        expect(due).to_have_text("1 question is due today.")
        page.get_by_role("button", name="Ask me").click()
        answer_right(page)
        expect(page.locator(".ck-outcome")).to_contain_text(f"It comes back on {next_day}.")
    on(context, 2027, 1, 1)
    page.reload()
    page.get_by_role("button", name="Ask me").click()
    answer_right(page)
    expect(page.locator(".ck-outcome")).to_contain_text("it does not come back")
    page.get_by_role("button", name="Done for today").click()
    expect(due).to_contain_text("Nothing is kept yet.")


def test_a_wrong_answer_comes_back_the_next_day(context: BrowserContext, open_page: Open) -> None:
    page = open_page()
    miss(page)
    on(context, 2026, 12, 1)
    page.reload()
    page.get_by_role("button", name="Ask me").click()
    again = page.locator(".ck-again")
    again.get_by_role("radio").nth(2).check()
    again.get_by_role("button", name="Check").click()
    expect(again.locator(".ck-feedback")).to_contain_text("16 squared")
    expect(again.locator(".ck-outcome")).to_contain_text("It comes back on 2 December 2026.")
    answer_right(page)  # only the first answer counts
    expect(again.locator(".ck-outcome")).to_contain_text("It comes back on 2 December 2026.")


def test_with_the_keyboard_and_by_ear(context: BrowserContext, open_page: Open) -> None:
    page = open_page()
    miss(page)
    on(context, 2026, 12, 1)
    page.reload()
    page.get_by_role("button", name="Ask me").focus()
    page.keyboard.press("Enter")
    heading = page.locator(".ck-again").get_by_role("heading", name="Three kinds of question")
    expect(heading).to_be_focused()
    group = page.get_by_role("group", name="Three kinds of question")
    expect(group.get_by_role("radiogroup")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".ck-outcome")).to_contain_text("It comes back on")
    expect(page.locator(".ck-outcome")).to_have_attribute("role", "status")
    expect(page.locator(".ck-due")).to_have_attribute("role", "status")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Done for today")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".ck-due")).to_be_focused()


def test_two_tabs_count_an_answer_once(context: BrowserContext, open_page: Open) -> None:
    one, two = open_page(), open_page()
    miss(one)
    expect(two.locator(".ck-due")).to_contain_text("1 question will come back later")
    on(context, 2026, 12, 1)
    for page in (one, two):
        page.reload()
        page.get_by_role("button", name="Ask me").click()
    answer_right(one)
    expect(one.locator(".ck-outcome")).to_contain_text("It comes back on 4 December 2026.")
    expect(two.locator(".ck-due")).to_contain_text("No question is due today.")
    answer_right(two)
    expect(two.locator(".ck-outcome")).to_contain_text("answered this one in another tab")


def test_where_nothing_is_kept_it_says_so(context: BrowserContext) -> None:
    context.add_init_script(BLOCKED)
    page = context.new_page()  # not watched: the bare theme's own script fails without a storage
    page.goto("index.html")
    miss(page)
    expect(page.locator(".ck-due")).to_contain_text("This browser keeps nothing")
    page.locator(".ck-card-list > summary").click()
    expect(page.locator(".ck-card")).to_have_count(4)
    answer = page.locator(".ck-card-answer").first
    answer.locator("summary").click()
    expect(answer).to_contain_text("4 * 4")


@pytest.mark.parametrize(("name", "count"), [("Save my questions", 1), ("Save all questions", 4)])
def test_the_deck_is_saved_as_csv(open_page: Open, name: str, count: int, tmp_path: Path) -> None:
    page = open_page()
    miss(page)
    page.reload()
    with page.expect_download() as downloading:
        page.get_by_role("button", name=name).click()
    file = tmp_path / "deck.csv"
    downloading.value.save_as(file)
    text = file.read_text(encoding="utf-8")
    assert text.startswith(HEADER)
    rows = list(csv.reader(text.removeprefix(HEADER).splitlines(keepends=True)))
    assert len(rows) == count
    assert rows[0][0].startswith("Three kinds of question, about")
    assert rows[0][2] == "sampler"


def test_all_can_be_forgotten(open_page: Open) -> None:
    page = open_page()
    miss(page)
    page.reload()
    page.get_by_role("button", name="Forget my questions").click()
    page.get_by_role("button", name="Forget", exact=True).click()
    expect(page.locator(".ck-due")).to_contain_text("Nothing is kept yet.")


def test_a_mistake_in_code_is_recalled_and_judged_by_the_reader(
    context: BrowserContext, open_page: Open
) -> None:
    page = open_page()
    page.evaluate(
        """localStorage["coursekit:card:graded-root/half-of-it"] = JSON.stringify({
            box: 0, due: "2026-12-01", met: ["half-of-it"], told: {title: "The root",
            href: "#exercise-graded-root", misconception: "half-of-it",
            explanation: "A root is not a *half*."}})"""
    )
    on(context, 2026, 12, 1)
    page.reload()
    page.get_by_role("button", name="Ask me").click()
    again = page.locator(".ck-again")
    expect(again).to_contain_text("showed a mistake called “half of it”")
    expect(again).not_to_contain_text("A root is not")
    page.get_by_role("button", name="Show the answer").click()
    expect(again.locator(".ck-why")).to_have_text("A root is not a half.")
    expect(page.get_by_role("button", name="I knew it")).to_be_focused()
    page.get_by_role("button", name="Not yet").click()
    expect(again.locator(".ck-outcome")).to_contain_text("It comes back on 2 December 2026.")
    expect(page.get_by_role("button", name="Done for today")).to_be_focused()

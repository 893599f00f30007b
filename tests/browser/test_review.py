"""Questions that come back: met today, asked again when the clock says so, in a real browser."""

from __future__ import annotations

import csv
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from coursekit.deck import HEADER
from coursekit.page.cards import CARDS
from tools.site.project import Project
from tools.site.serve import server

from ..coursekit_web.conftest import HERE, build
from .conftest import Watch

Open = Callable[..., Page]
EVENING = datetime(2026, 11, 30, 22, 0)
BLOCKED = """
Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no"); } });
"""


@pytest.fixture(scope="module")
def small(project: Project, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve one page with a quiz and the list of cards, with the course's own scripts."""
    folder = tmp_path_factory.mktemp("book")
    text = "# Title\n\n```{exercise} three-questions\n```\n\n## Again\n\n```{review-cards}\n```\n"
    (folder / "index.md").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(HERE))
        out = build(folder, assets=project.assets).out
    with server(out) as running:
        thread = threading.Thread(target=running.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}/"
        running.shutdown()
        thread.join()


@pytest.fixture
def context(browser: Browser, small: str) -> Iterator[BrowserContext]:
    """Return a browser with an empty storage, on an evening in November."""
    made = browser.new_context(base_url=small)
    made.clock.set_fixed_time(EVENING)
    yield made
    made.close()


@pytest.fixture
def open_page(context: BrowserContext, small: str) -> Iterator[Open]:
    """Return a function that opens the page in a new tab."""
    watches = []

    def open_() -> Page:
        page = context.new_page()
        for missing in ("**/favicon.ico", "**/none.js"):
            page.route(missing, lambda route: route.fulfill(body=""))
        watches.append(Watch(page, small))
        page.goto("index.html")
        return page

    yield open_
    assert [watch.faults for watch in watches] == [[]] * len(watches)


def miss(page: Page) -> None:
    """Answer a question with a mistake that has a name."""
    question = page.locator("#exercise-three-questions [data-question=root]")
    question.get_by_role("radio").first.check()
    question.get_by_role("button", name="Check").click()
    expect(question.locator(".ck-feedback")).to_contain_text("half of 16")


def on(context: BrowserContext, *date: int) -> None:
    context.clock.set_fixed_time(datetime(*date, 8, 0))  # type: ignore[arg-type, misc]


def answer_right(page: Page) -> None:
    page.locator(".ck-again").get_by_role("radio").nth(1).check()
    page.locator(".ck-again").get_by_role("button", name="Check").click()


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
    expect(page.locator(".ck-card")).to_have_count(3)
    answer = page.locator(".ck-card-answer").first
    answer.locator("summary").click()
    expect(answer).to_contain_text("4 * 4")


@pytest.mark.parametrize(("name", "count"), [("Save my questions", 1), ("Save all questions", 3)])
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


LOST = (
    "The questions could not be loaded: the site does not answer. Check the connection and press "
    "the button again."
)


@pytest.mark.parametrize("name", ["Ask me", "Save my questions", "Save all questions"])
def test_offline_it_says_what_is_missing_and_works_when_back(
    context: BrowserContext, small: str, name: str
) -> None:
    page = context.new_page()  # not watched: it asks for what cannot come
    page.goto("index.html")
    miss(page)
    on(context, 2026, 12, 1)
    page.reload()
    expect(page.get_by_role("button", name="Ask me")).to_be_visible()
    context.set_offline(True)
    page.get_by_role("button", name=name).click()
    note = page.locator(".ck-cards > .ck-note")
    expect(note).to_have_text(LOST)
    expect(note).to_have_attribute("role", "status")
    context.set_offline(False)
    if name == "Ask me":
        page.get_by_role("button", name=name).click()
        answer_right(page)
        expect(page.locator(".ck-outcome")).to_contain_text("It comes back on 4 December 2026.")
    else:
        with page.expect_download():
            page.get_by_role("button", name=name).click()
    expect(note).to_have_text("")


def test_cards_are_loaded_when_they_are_asked_for(context: BrowserContext, open_page: Open) -> None:
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    miss(page)
    on(context, 2026, 12, 1)
    page.reload()
    page.wait_for_load_state("networkidle")
    assert [url for url in asked if "review.js" in url] != []
    assert [url for url in asked if f"/{CARDS}/" in url] == []
    page.get_by_role("button", name="Ask me").click()
    answer_right(page)
    with page.expect_download():
        page.get_by_role("button", name="Save all questions").click()
    assert len([url for url in asked if f"/{CARDS}/" in url]) == 1


def test_a_page_opened_as_a_file_asks_again(
    browser: Browser, site: Path, tmp_path: Path, watch: type[Watch]
) -> None:
    made = browser.new_context()
    made.clock.set_fixed_time(EVENING)
    page = made.new_page()
    watched = watch(page, "file://")
    page.goto((site / "review.html").as_uri())
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Save all questions").click()
    downloading.value.save_as(tmp_path / "deck.csv")
    text = (tmp_path / "deck.csv").read_text(encoding="utf-8")
    rows = list(csv.reader(text.removeprefix(HEADER).splitlines(keepends=True)))
    assert len(rows) == page.locator(".ck-card").count()
    card = page.locator(".ck-card").first.get_attribute("data-card")
    course = page.locator("script[data-course]").get_attribute("data-course")
    page.evaluate(
        """key => localStorage.setItem(
            key, JSON.stringify({ box: 0, due: "2026-11-30", met: [] }))""",
        f"{course}:card:{card}",
    )
    page.reload()
    page.get_by_role("button", name="Ask me").click()
    expect(page.locator(".ck-again").get_by_role("button", name="Check")).to_be_visible()
    made.close()
    assert watched.faults == []


def test_without_the_script_that_asks_again_the_list_is_there(context: BrowserContext) -> None:
    page = context.new_page()
    page.route("**/review.js*", lambda route: route.abort())
    page.goto("index.html")
    expect(page.locator(".ck-cards > .ck-note")).to_have_text(
        "The questions that come back could not be loaded: the site does not answer. Check the "
        "connection and reload the page."
    )
    miss(page)  # all else works
    page.locator(".ck-card-list > summary").click()
    expect(page.locator(".ck-card")).to_have_count(3)


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

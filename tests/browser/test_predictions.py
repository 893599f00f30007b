"""Predict, then run: what a prediction is about is shut until the reader has answered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from coursekit.model import Choice, Numeric, Question

from .conftest import settle
from .exercises import BANK, block, press, unfold_deeper

#: Bets that a later section settles; every other prediction has its output right below.
LATER = {"predict-fresh-sentences", "predict-trouble"}
PREDICTIONS = [id for id in BANK if id.startswith("predict-") and id not in LATER]
ONE = "predict-zero-query"  # one question
TWO = "predict-hidden-key"  # two of them
GATE = ".ck-gate"


#: What the author of a chapter may mark to wait for a prediction: text, a cell, a later question.
MARKED = """<section id="marked"><h2>Marked</h2>
<div class="after-{id} docutils container" id="text"><p>It is <b id="inside">seven</b>.</p></div>
<div class="cell tag_after-{id} docutils container" id="cell"><pre>print(7)</pre></div>
<p id="open">This is open.</p>
<div class="after-{id} after-{other} docutils container" id="both"><p>Seven and eight.</p></div>
</section>"""


@pytest.fixture
def marked(page: Page, site: Path) -> Page:
    """Return a page with parts that are marked to wait for the prediction ``ONE``."""
    name = f"{BANK[ONE].chapter}.html"
    html = (site / name).read_text(encoding="utf-8")
    other = next(id for id in PREDICTIONS if BANK[id].chapter == BANK[ONE].chapter and id != ONE)
    parts = MARKED.format(id=ONE, other=other)
    html = html.replace("<article", f"{parts}<article", 1)
    page.route(f"**/{name}*", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto(name)
    return page


def fold(page: Page, id: str) -> Locator:
    """Return what is folded right below an exercise."""
    tags = " or ".join(f"contains(@class, 'tag_hide-{what}')" for what in ("output", "cell"))
    below = block(page, id).locator(f"xpath=following-sibling::div[{tags}]")
    return below.locator("> details.hide").first


def opened(page: Page, id: str) -> Page:
    page.goto(f"{BANK[id].chapter}.html")
    unfold_deeper(page)
    return page


def wrong(question: Question) -> str:
    """Return an answer that gets a verdict, and not the good one."""
    if isinstance(question, Choice):
        return next(key for key, option in question.options.items() if not option.correct)
    assert isinstance(question, Numeric)
    count = len(question.answer) if isinstance(question.answer, list) else 1
    return " ".join(["-77"] * count)


def answer(page: Page, id: str, question: Question) -> None:
    place = block(page, id).locator(f"[data-question={question.name}]")
    if isinstance(question, Choice):
        place.locator(f"input[value={wrong(question)}]").check()
    else:
        place.locator("input").fill(wrong(question))
    press(place, "Check")


def told(page: Page, id: str) -> list[Locator]:
    """Return what the section says after the fold, up to the next exercise or heading."""
    lasting = "following-sibling::*[not(contains(@class, 'ck-gate'))]"
    rest = block(page, id).locator(f"xpath={lasting}").all()
    names = [part.evaluate("part => part.localName + ' ' + part.className") for part in rest]
    start = next(i for i, name in enumerate(names) if re.search("tag_hide-(output|cell)", name))
    ends = [i for i, name in enumerate(names) if name.startswith("section") and i > start]
    return rest[start + 1 : min(ends, default=len(rest))]


@pytest.mark.parametrize("chapter", sorted({BANK[id].chapter for id in PREDICTIONS}))
def test_outputs_open_once_every_question_had_a_verdict(page: Page, chapter: str) -> None:
    page.goto(f"{chapter}.html")
    unfold_deeper(page)
    seen = []
    for id in (id for id in PREDICTIONS if BANK[id].chapter == chapter):
        expect(fold(page, id)).to_be_hidden()
        outcome = [fold(page, id), *told(page, id)]
        for question in BANK[id].questions:
            assert not any(part.is_visible() for part in outcome), id
            answer(page, id, question)
        outcome[0] = fold(page, id).locator("> :not(summary)").first
        for part in outcome:
            expect(part).to_be_visible()
        seen += outcome
    page.reload()
    unfold_deeper(page)
    for part in seen:
        expect(part).to_be_visible()


@pytest.mark.parametrize(
    ("id", "exercise"),
    [("predict-formation", "watch-it-form"), ("predict-turned", "same-fast-hand")],
)
def test_an_exercise_whose_figure_shows_the_answer_waits_too(
    page: Page, id: str, exercise: str
) -> None:
    figure = opened(page, id).locator(f"#exercise-{exercise} .ck-explorable")
    expect(figure).to_be_hidden()
    for question in BANK[id].questions:
        answer(page, id, question)
    expect(figure).to_be_visible()


def test_what_is_no_answer_opens_nothing(page: Page) -> None:
    opened(page, TWO)
    first = block(page, TWO).locator(".ck-question").first
    for typed in ("", "about half"):
        first.locator("input").fill(typed)
        press(first, "Check")
    press(block(page, TWO).locator(".ck-question").nth(1), "Check")  # nothing chosen
    expect(fold(page, TWO)).to_be_hidden()


def test_a_prediction_by_keyboard_alone_shows_the_code_of_the_folded_cell_too(page: Page) -> None:
    opened(page, ONE)
    code = fold(page, ONE).locator("xpath=../div[contains(@class, 'cell_input')]")
    expect(code).to_be_hidden()
    block(page, ONE).locator("input").first.focus()
    for key in ("ArrowDown", "Tab", "Enter"):
        page.keyboard.press(key)
    expect(code).to_be_visible()
    expect(fold(page, ONE).locator("> :not(summary)").first).to_be_visible()


def test_what_is_marked_waits_wherever_it_stands(marked: Page) -> None:
    for part in ("text", "cell", "both"):
        expect(marked.locator(f"#{part}")).to_be_hidden()
    expect(marked.locator("#open")).to_be_visible()
    marked.emulate_media(media="print")
    expect(marked.locator("#text")).to_be_visible()
    expect(marked.locator("#marked .ck-gate").first).to_be_hidden()
    marked.emulate_media(media="screen")
    lines = marked.locator("#marked .ck-gate")
    said = f"Waits for your answer to {BANK[ONE].title}. Show it anyway"
    assert [" ".join(line.inner_text().split()) for line in lines.all()].count(said) == 2
    assert lines.count() == 3  # neighbours have one line, and what waits for two has two,
    assert [line.is_visible() for line in lines.all()].count(True) == 2  # one after the other
    lines.first.get_by_role("link").click()
    expect(block(marked, ONE)).to_be_in_viewport()
    expect(marked.locator("#text")).to_be_hidden()
    answer(marked, ONE, BANK[ONE].questions[0])
    for part in ("text", "cell"):
        expect(marked.locator(f"#{part}")).to_be_visible()
    expect(marked.locator("#both")).to_be_hidden()
    press(lines.first, "Show it anyway")
    expect(marked.locator("#both")).to_be_visible()
    expect(lines).to_have_count(0)


def test_what_is_marked_is_shown_to_who_asks_for_it(marked: Page) -> None:
    press(marked.locator("#marked .ck-gate").first, "Show it anyway")
    expect(marked.locator("#text")).to_be_visible()
    expect(marked.locator("#text")).to_be_focused()
    expect(fold(marked, ONE).locator("> :not(summary)").first).to_be_visible()


def test_a_link_into_what_is_marked_shows_it(marked: Page) -> None:
    marked.evaluate("location.hash = 'inside'")
    expect(marked.locator("#inside")).to_be_in_viewport()
    expect(marked.locator("#cell")).to_be_visible()
    expect(marked.locator("#both")).to_be_hidden()


def test_nobody_is_locked_out(page: Page) -> None:
    opened(page, ONE)
    block(page, ONE).get_by_role("button", name="Check").last.focus()
    for _ in range(8):  # past the hints, if there are any
        page.keyboard.press("Tab")
        if "anyway" in page.evaluate("document.activeElement.textContent"):
            break
    page.keyboard.press("Enter")
    expect(fold(page, ONE).locator("summary")).to_be_focused()
    expect(fold(page, ONE).locator("> :not(summary)").first).to_be_visible()
    expect(page.locator(".ck-progress")).to_contain_text("0 of ")
    page.reload()
    expect(fold(page, ONE).locator("> :not(summary)").first).to_be_visible()


def test_what_appears_and_scrolls_is_reached_by_keyboard(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    settle(opened(page, "predict-one-head"))  # the frame has looked
    while page.locator(GATE).count():
        press(page.locator(GATE).first, "Show it anyway")
    page.wait_for_function(
        """() => [...document.querySelectorAll(".ck-gate, .cell pre")]
            .filter((box) => box.scrollWidth > box.clientWidth)
            .every((box, _, all) => all.length > 3 && box.tabIndex === 0)"""
    )


def test_without_scripts_it_is_an_ordinary_fold(still: Page) -> None:
    page = still
    page.goto(f"{BANK[ONE].chapter}.html")
    expect(page.locator(GATE)).to_have_count(0)
    expect(fold(page, ONE).locator("> :not(summary)").first).to_be_hidden()
    fold(page, ONE).locator("summary").click()
    expect(fold(page, ONE).locator("> :not(summary)").first).to_be_visible()

"""The writer on the first page: it writes, looks back, branches, and stays a recording offline."""

from __future__ import annotations

import re
from functools import cache

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from attnlab.explorables import Writer
from attnlab.explorables.writer import BEGINNINGS
from attnlab.gpt import to_text, to_tokens

FILE = "**/fables.safetensors"
GIVEN = len(to_tokens(BEGINNINGS[0]["text"]))


@cache
def recorded() -> Writer:
    """Return the writer with what it has written, which takes the model some seconds."""
    return Writer()


@pytest.fixture
def writer(page: Page) -> Locator:
    """Return the writer at rest, with the model there."""
    page.emulate_media(reduced_motion="reduce")
    page.goto("welcome.html")
    shown = page.locator("attn-writer")
    expect(shown).to_have_attribute("live", "")
    expect(shown.locator(".chips button").first).to_be_enabled()
    return shown


def words(writer: Locator) -> Locator:
    return writer.locator(".text > span")


def texts(writer: Locator) -> list[str]:
    """Return the words as they stand in the text, the start mark first."""
    found: list[str] = words(writer).evaluate_all("all => all.map(e => e.firstChild.textContent)")
    return found


def is_recorded(written: list[str]) -> bool:
    return "".join(written[1:]) == to_text(recorded().recorded["tokens"][: len(written)]).replace(
        " ", ""
    )


#: Resolves once the page has told what observes the figure whether it is in sight.
TOLD = """figure => new Promise(done => {
    new IntersectionObserver(([entry]) => done(entry.isIntersecting)).observe(figure)
})"""


def test_it_writes_by_itself_until_it_is_paused_or_out_of_sight(page: Page) -> None:
    page.clock.install()
    page.goto("welcome.html")
    writer = page.locator("attn-writer")
    expect(words(writer).nth(GIVEN + 2)).to_be_visible()
    writer.get_by_role("button", name="Pause").click()
    written = texts(writer)
    assert is_recorded(written)
    page.clock.run_for(20_000)
    assert texts(writer) == written
    writer.get_by_role("button", name="Write on").click()
    expect(words(writer).nth(len(written))).to_be_visible()
    page.locator("footer").last.scroll_into_view_if_needed()
    assert not writer.locator(".stage").evaluate(TOLD)
    count = words(writer).count()
    page.clock.run_for(20_000)
    assert words(writer).count() <= count + 1  # one may have been on its way
    writer.scroll_into_view_if_needed()
    expect(words(writer).nth(count + 2)).to_be_visible()


def test_a_word_on_its_way_when_the_model_comes_is_still_the_recorded_one(page: Page) -> None:
    page.clock.install(time=0)
    page.clock.pause_at(1)
    held: list[Route] = []
    page.route(FILE, lambda route: held.append(route))
    page.goto("welcome.html")
    writer = page.locator("attn-writer")
    expect(words(writer)).to_have_count(GIVEN)
    while not writer.locator(".picked").count():
        page.clock.run_for(20)
    held[0].continue_()
    expect(writer.locator(".chips button").last).to_be_enabled()
    expect(words(writer)).to_have_count(GIVEN)
    page.clock.run_for(120_000)
    assert len(texts(writer)) == len(recorded().recorded["tokens"]) - 1  # without the end mark
    assert is_recorded(texts(writer))


def test_still_readers_take_one_word_at_a_time_and_look_back_by_keyboard(writer: Locator) -> None:
    assert len(texts(writer)) == GIVEN
    assert is_recorded(texts(writer))
    for count in (1, 2):
        writer.get_by_role("button", name="One word").click()
        expect(words(writer)).to_have_count(GIVEN + count)
    expect(writer.locator(".writer > [aria-live=polite]")).to_contain_text("of this head’s weight")
    text = writer.locator(".text")
    text.press("ArrowLeft")
    expect(words(writer).nth(GIVEN)).to_have_class(re.compile("query"))
    expect(writer.locator(".likely-part .title")).to_have_text(
        "After “beyond”: choose another word."
    )
    heads = writer.get_by_role("radiogroup", name="Layer and head")
    heads.get_by_role("radio", name="Layer 3, head 4").click()
    expect(writer.get_by_role("checkbox", name="Follow the sharpest head")).not_to_be_checked()
    heads.get_by_role("radio", name="Layer 3, head 4").press("ArrowLeft")
    expect(heads.get_by_role("radio", name="Layer 3, head 3")).to_be_checked()
    expect(writer.locator(".head-bar .title")).to_have_text("Layer 3, head 3")


def test_a_bar_forces_the_word_and_the_text_branches_there(writer: Locator) -> None:
    begun = texts(writer)
    words(writer).nth(5).click()  # “old”
    expect(writer.locator(".likely button")).to_have_count(5)
    chosen = writer.locator(".likely button").nth(3)
    word = chosen.locator(".next").inner_text()
    assert word != begun[6]
    chosen.click()
    expect(words(writer)).to_have_count(7)
    assert texts(writer) == [*begun[:6], word]


def test_a_pinned_head_tells_what_it_sees_and_that_the_model_does_otherwise(
    writer: Locator,
) -> None:
    writer.get_by_role("button", name="“Who has it now?”").click()
    said = writer.locator(".say")
    expect(said).to_contain_text("the opening quote asks, “Mara” answers with 0.94")
    expect(said).to_contain_text("Where a head looks is not yet what the model writes.")
    expect(writer.locator(".likely .next").first).to_have_text("Vera")


def test_without_the_model_the_recorded_run_stays_and_says_so(unwatched: Page) -> None:
    unwatched.route(FILE, lambda route: route.abort())
    unwatched.goto("welcome.html")
    writer = unwatched.locator("attn-writer")
    expect(writer.locator("p[role=status]")).to_contain_text("this is a recorded run")
    expect(words(writer).nth(GIVEN + 3)).to_be_visible()
    expect(writer.locator(".likely button").first).to_be_disabled()
    other = writer.get_by_role("button", name="a thief …")
    expect(other).to_be_disabled()
    writer.get_by_role("button", name="Pause").click()
    other.click(force=True)
    assert is_recorded(texts(writer))

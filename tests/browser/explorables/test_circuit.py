"""The circuit in its chapter: checkpoints, heads off, the answer, and training in the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from attnlab.explorables import Circuit

FIGURE = "[data-exercise=watch-it-form] attn-circuit"


@pytest.fixture
def figure(page: Page) -> Locator:
    page.goto("circuits.html")
    return page.locator(FIGURE)


def to(figure: Locator, step: int) -> None:
    """Move the slider to a checkpoint by keyboard."""
    slider = figure.get_by_role("slider", name="checkpoint")
    slider.press("Home")
    while slider.get_attribute("aria-valuetext") != f"after {step} steps":
        slider.press("ArrowRight")


def test_heads_off_cost_what_numpy_says_and_make_the_answer(figure: Locator) -> None:
    to(figure, 280)
    for number, name in ((12, "layer 1 head 2"), (21, "layer 2 head 1")):
        box = figure.get_by_role("checkbox", name=name)
        box.check()
        loss = Circuit(step=280, off=[number]).loss()
        expect(figure).to_contain_text(f"1.16 nats with all heads, {loss:.2f} without {name}")
        if number == 12:
            box.uncheck()
    figure.get_by_role("button", name="Use as answer").click()
    answer = figure.page.get_by_role("textbox", name="Your code: Watch a circuit form")
    expect(answer).to_have_value(re.compile(r"step = 280\noff = \[21\]"))


def test_a_text_of_the_readers_own_is_read(figure: Locator) -> None:
    to(figure, 1000)
    figure.get_by_role("button", name="Start anew").click()
    expect(figure.locator("section table").first).to_contain_text("nothing repeats")
    figure.get_by_role("button", name="Append K").click()
    expect(figure).to_contain_text("After K, token 3, the model expects")


def test_training_here_lowers_the_loss(figure: Locator) -> None:
    to(figure, 260)
    figure.get_by_role("button", name="Train 10 steps here").click()
    after = re.compile(r"3\.31 nats at the checkpoint, (\d\.\d\d) after 10 more steps")
    result = figure.locator(".said", has_text=after)
    expect(result).to_be_visible(timeout=60_000)
    found = after.search(result.inner_text())
    assert found is not None
    assert float(found[1]) < 3.1
    to(figure, 280)
    expect(figure).not_to_contain_text("more steps")


def test_a_checkpoint_that_does_not_come_is_asked_for_once(browser: Browser, site_url: str) -> None:
    context = browser.new_context(base_url=site_url + "/")  # whose failed requests are no fault
    page = context.new_page()
    page.route("**/*.bin", lambda route: route.abort())
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.goto("circuits.html")
    figure = page.locator(FIGURE)
    figure.scroll_into_view_if_needed()
    expect(figure).to_contain_text("This checkpoint could not be fetched. Is there a network?")
    page.wait_for_timeout(300)
    # Two figures of the page want one each.
    assert 1 <= len([url for url in failed if url.endswith(".bin")]) <= 2
    page.unroute("**/*.bin")
    to(figure, 1000)
    expect(figure).not_to_contain_text("could not be fetched")
    context.close()

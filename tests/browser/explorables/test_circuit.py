"""The circuit in its chapter: checkpoints, heads off, and the answer."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, Route, expect


def figure_in(page: Page) -> Locator:
    """Open the chapter, and show the figure, which waits for predictions."""
    page.goto("circuits.html")
    waiting = page.get_by_role("button", name="Show it anyway")
    while waiting.count():
        waiting.first.click()
    return page.locator("[data-exercise=watch-it-form] attn-circuit[live]")


def to(figure: Locator, step: int) -> None:
    """Move the slider to a checkpoint by keyboard."""
    slider = figure.get_by_role("slider", name="checkpoint")
    slider.press("Home")
    while slider.get_attribute("aria-valuetext") != f"after {step} steps":
        slider.press("ArrowRight")


def test_heads_off_cost_what_numpy_says_and_make_the_answer(page: Page) -> None:
    figure = figure_in(page)
    to(figure, 280)
    figure.get_by_role("checkbox", name="layer 2 head 1").check()
    expect(figure).to_contain_text("1.16 nats with all heads, 2.50 without layer 2 head 1")
    figure.get_by_role("button", name="Use as answer").click()
    answer = page.get_by_role("textbox", name="Your code: Watch a circuit form")
    expect(answer).to_have_value(re.compile(r"step = 280\noff = \[21\]"))


def test_a_text_of_the_readers_own_is_read(page: Page) -> None:
    figure = figure_in(page)
    to(figure, 1000)
    figure.get_by_role("button", name="Start anew").click()
    expect(figure.locator("section table").first).to_contain_text("nothing repeats")
    figure.get_by_role("button", name="Append K").click()
    expect(figure).to_contain_text("After K, token 3, the model expects")


def test_a_checkpoint_that_does_not_come_is_asked_for_once_a_move(unwatched: Page) -> None:
    page, asked = unwatched, []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=404)

    page.route("**/formation/many-periods-*", refuse)
    figure = figure_in(page)
    figure.get_by_role("slider", name="checkpoint").press("End")
    expect(figure).to_contain_text("The checkpoint could not be fetched. Is there a network?")
    with page.expect_request(lambda request: "many-periods" in request.url):
        figure.get_by_role("slider", name="checkpoint").press("ArrowLeft")
    assert len([url for url in asked if "periods-1000" in url]) == 1
    page.unroute("**/formation/many-periods-*")
    figure.get_by_role("button", name="Append K").click()
    expect(figure).to_contain_text("the model expects")
    expect(figure).not_to_contain_text("could not be fetched")

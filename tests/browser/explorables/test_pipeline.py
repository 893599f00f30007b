"""Attention step by step: with the mouse, the keyboard and a finger, for one's own sentence."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from attnlab.explorables import Pipeline

from ..conftest import PHONE
from .conftest import Open


def result(page: Page, row: int, column: int) -> Locator:
    """Return one cell of the result, which is the last table."""
    return page.locator("section table").last.locator("tbody tr").nth(row).locator("td").nth(column)


def test_a_cell_shows_its_row_its_column_and_its_arithmetic(show: Open) -> None:
    page = show(Pipeline())
    result(page, 1, 3).hover()
    # Column of milk above, row of cat on the left, their product.
    expect(page.locator("td.lit")).to_have_text(["0", "1", "0", "1", "1"])
    expect(page.get_by_text("cat · milk: 0 × 0 + 1 × 1 = 1")).to_be_visible()


def test_next_follows_a_cell_from_its_score_to_the_output(show: Open) -> None:
    page = show(Pipeline())
    go_on = page.get_by_role("button", name="Next")
    for line in (
        "drank · cat: 2 ÷ √2 = 2 ÷ 1.41 = 1.41",
        "drank may attend to cat: the score remains 1.41",
        "drank → cat: e^1.41 ÷ sum = 4.11 ÷ (1.00 + 4.11 + 0.24 + 1.00) = 0.65",
        "output of drank: 0.16 × 0 + 0.65 × 0 + 0.04 × 1 + 0.16 × 0 = 0.04",
    ):
        go_on.click()
        expect(page.get_by_text(line)).to_be_visible()
    go_on.press("Enter")  # there is no sixth step
    expect(page.get_by_role("button", name="· V")).to_have_attribute("aria-current", "step")


def test_keyboard_walks_through_steps_and_cells(show: Open) -> None:
    page = show(Pipeline())
    page.get_by_role("button", name="Next").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name="÷ √d_k")).to_have_attribute("aria-current", "step")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")  # one cell is reached: the chosen one
    expect(result(page, 2, 1)).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    expect(result(page, 1, 2)).to_be_focused()
    expect(page.get_by_text("cat · drank: 0 × (−1) + 1 × (−1) = −1")).to_be_visible()


def test_a_hidden_word_gets_no_weight(show: Open) -> None:
    page = show(Pipeline())
    page.get_by_label("Hide later words").check()
    page.get_by_role("button", name="softmax").click()
    result(page, 1, 2).hover()
    line = "drank comes after cat, so it is hidden: e^(−∞) = 0"
    expect(page.get_by_text(line)).to_be_visible()
    assert result(page, 1, 2).get_attribute("class") == "masked lit"


@pytest.mark.parametrize("step", range(5))
def test_six_words_of_the_readers_own_fit_on_a_phone(show: Open, step: int) -> None:
    page = show(Pipeline(step=step, is_causal=True), **PHONE)
    page.get_by_label("Sentence, up to 6 words").fill(
        "elephants chased small birds through gardens too"
    )
    assert page.locator("section table").last.locator("tbody tr").count() == 6
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.get_by_text("Not among them, so zeros only: elephants,")).to_be_visible()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_row_and_a_column_fly_into_their_cell_unless_motion_is_reduced(
    show: Open, motion: str
) -> None:
    page = show(Pipeline(), reduced_motion=motion)
    flying = "() => document.querySelector('attn-pipeline').shadowRoot.querySelectorAll('.flying')"
    count = result(page, 1, 3).evaluate(f"cell => (cell.click(), ({flying})().length)")
    assert count == (4 if motion == "no-preference" else 0)  # two components of q, two of k
    expect(page.locator(".flying")).to_have_count(0)
    # The bars of a softmax end as its weights, in frames as high as what they are shares of.
    page.get_by_role("button", name="softmax").click()
    heights = "cells => cells.map(e => Number(e.style.getPropertyValue('--high')))"
    frames = page.locator("tfoot .power").evaluate_all(heights)
    shares = page.locator("tfoot .bar:not(.power)").evaluate_all(heights)
    assert sum(shares) == pytest.approx(1, abs=1e-3)
    assert frames == pytest.approx([share / max(shares) for share in shares], abs=1e-3)

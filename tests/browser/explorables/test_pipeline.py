"""Attention step by step: with the mouse, the keyboard and a finger, for one's own sentence."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from attnlab.explorables import Pipeline

Open = Callable[..., Page]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def result(page: Page, row: int, column: int) -> Locator:
    """Return one cell of the result, which is the last table."""
    return page.locator("section table").last.locator("tbody tr").nth(row).locator("td").nth(column)


def lit(page: Page) -> list[str]:
    return page.locator("td.lit").all_inner_texts()


def test_a_cell_shows_its_row_its_column_and_its_arithmetic(show: Open) -> None:
    page = show(Pipeline())
    result(page, 1, 3).hover()
    # Column of milk above, row of cat on the left, their product.
    assert lit(page) == ["0", "1", "0", "1", "1"]
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
    page = show(Pipeline(step=step, causal=True), **PHONE)
    page.get_by_label("Sentence, up to 6 words").fill(
        "elephants chased small birds through gardens too"
    )
    assert page.locator("section table").last.locator("tbody tr").count() == 6
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.get_by_text("Without features, so zeros only: elephants,")).to_be_visible()


def test_a_tap_chooses_a_cell(show: Open) -> None:
    page = show(Pipeline(), **PHONE)
    box = result(page, 3, 1).bounding_box()
    assert box is not None
    touch = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session = page.context.new_cdp_session(page)
    for kind, points in (("touchStart", [touch]), ("touchEnd", [])):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(page.get_by_text("milk · cat: 1 × 1 + 0 × 0 = 1")).to_be_visible()


def test_a_known_word_takes_the_place_of_the_chosen_one(show: Open) -> None:
    page = show(Pipeline(sentence="my dog barks loud", row=2), reduced_motion="reduce")
    expect(page.get_by_text("Without features, so zeros only: my, barks and loud.")).to_be_visible()
    chips = page.get_by_role("group", name="In place of barks")
    chips.get_by_role("button", name="drank").click()
    expect(page.get_by_label("Sentence, up to 6 words")).to_have_value("my dog drank loud")
    chips = page.get_by_role("group", name="In place of drank")
    expect(chips.get_by_role("button", name="drank")).to_have_attribute("aria-pressed", "true")


FLOWN = """() => {
    window.flown = [];
    const seen = records => records.flatMap(record => [...record.addedNodes])
        .filter(node => node.className === 'flying').forEach(node => flown.push(node.textContent));
    const root = document.querySelector('attn-pipeline').shadowRoot;
    new MutationObserver(seen).observe(root, { childList: true, subtree: true });
}"""


def test_a_row_and_a_column_fly_into_their_cell(show: Open) -> None:
    page = show(Pipeline(), reduced_motion="no-preference")
    page.evaluate(FLOWN)
    result(page, 1, 3).click()
    page.wait_for_function("flown.length")
    assert page.evaluate("flown") == ["0", "1", "0", "1"]
    expect(page.locator(".flying")).to_have_count(0)  # they have arrived
    calm = show(Pipeline(), reduced_motion="reduce")
    calm.evaluate(FLOWN)
    result(calm, 1, 3).click()
    calm.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert calm.evaluate("flown") == []


RAN = """() => {
    window.ran = [];
    const root = document.querySelector('attn-pipeline').shadowRoot;
    root.addEventListener('transitionrun', ({ target }) => {
        if (target.matches('.ink-bar'))
            ran.push([target.textContent, parseFloat(getComputedStyle(target).borderBottomWidth)]);
    });
}"""


def test_the_softmax_shrinks_powers_to_shares(show: Open) -> None:
    page = show(Pipeline(step=2), reduced_motion="no-preference")
    page.evaluate(RAN)
    page.get_by_role("button", name="softmax").click()
    bars = page.locator(".ink-bar")
    assert bars.all_inner_texts() == ["0.16", "0.65", "0.04", "0.16"]
    page.wait_for_function("ran.length == 4")
    start = dict(page.evaluate("ran"))["0.65"]  # of the largest power
    width = re.compile("4[78]px")  # 0.647 of 72, and 1; browsers differ in how they round
    expect(bars.nth(1)).to_have_css("border-bottom-width", width)
    assert start == pytest.approx(73, abs=6)
    calm = show(Pipeline(step=2), reduced_motion="reduce")
    calm.evaluate(RAN)
    calm.get_by_role("button", name="softmax").click()
    assert calm.evaluate("ran") == []

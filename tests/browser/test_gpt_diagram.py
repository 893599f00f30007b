"""The reader's model so far: in the diagram of a GPT, the parts that are built are filled."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from .test_front import done, remember

PAPER, MARKER = "rgb(255, 255, 255)", "rgb(255, 225, 77)"
FILL = "part => getComputedStyle(part.querySelector('rect')).fill"


def test_parts_are_filled_when_their_exercises_are_done_on_this_page_or_an_earlier(
    page: Page,
) -> None:
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    for name, label in (("build-a-gpt", "Step 3: attention"), ("build-a-gpt-torch", "attention")):
        page.goto(f"{name}.html")
        page.evaluate("localStorage.clear()")
        page.reload()
        part = page.locator(".attn-gpt").first.locator("[data-done-by='gpt-3-attention']")
        expect(part).to_have_accessible_name(label)
        assert part.evaluate(FILL) == PAPER
        remember(page, done("gpt-3-attention"))
        page.reload()
        expect(part).to_have_accessible_name(f"{label}, done")
        assert part.evaluate(FILL) == MARKER
        others = page.locator(".attn-gpt").first.locator("a:not([data-done-by='gpt-3-attention'])")
        assert set(others.evaluate_all(f"parts => parts.map({FILL})")) == {PAPER}
        part.click(position={"x": 20, "y": 8})
        expect(page).to_have_url(re.compile(r"/build-a-gpt\.html#exercise-gpt-3-attention$"))


def test_without_a_script_every_part_is_an_outline_and_still_a_link(
    browser: Browser, site_url: str
) -> None:
    context = browser.new_context(java_script_enabled=False, color_scheme="light")
    page = context.new_page()
    page.goto(f"{site_url}/build-a-gpt.html")
    part = page.locator(".attn-gpt").first.locator("a").first
    expect(part.locator("rect")).to_have_css("fill", PAPER)
    expect(part).to_have_attribute("href", "#exercise-gpt-5-block")
    context.close()

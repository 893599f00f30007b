"""Lines as long as reading wants them, and pages no wider than their screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from .exercises import open_all
from .test_site import PAGES


@pytest.mark.parametrize("name", [*PAGES, "genindex", "search"])
def test_text_keeps_its_measure_and_nothing_scrolls_sideways(page: Page, name: str) -> None:
    for width in (1280, 390, 320):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{name}.html")
        for state in ("as it opens", "with its gates and folds open"):
            overflow = page.evaluate(
                "() => document.scrollingElement.scrollWidth - "
                "document.scrollingElement.clientWidth"
            )
            assert overflow <= 0, f"{width} px: the page is {overflow} px too wide {state}"
            open_all(page)
    page.set_viewport_size({"width": 1600, "height": 900})
    per_line = page.evaluate(
        """() => [...document.querySelectorAll("article section > p:not([class])")]
            .filter(p => p.textContent.length > 300 && !p.querySelector("math"))
            .map(p => p.textContent.length /
                Math.round(p.clientHeight / parseFloat(getComputedStyle(p).lineHeight)))"""
    )
    # A last line is seldom full, so a paragraph's mean lies below its measure.
    assert all(50 <= characters <= 80 for characters in per_line), per_line


def test_letters_have_the_widths_that_readers_see(page: Page) -> None:
    page.goto("welcome.html")
    space = page.evaluate(
        """() => document.fonts.ready.then(() => {
            const canvas = document.createElement("canvas").getContext("2d");
            canvas.font = getComputedStyle(document.querySelector("article p")).font;
            return canvas.measureText("a".repeat(100)).width / 100;
        })"""
    )
    assert abs(space - round(space)) > 0.01  # not rounded to whole pixels

"""A chapter's summary: one page of paper, which reads alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from tests.course import BANK

#: Words that point to a place which is on the chapter's page and not in its summary.
ELSEWHERE = re.compile(
    r"\b(?:that|exercise|case|row|table|figure|question|line) (?:below|above)\b"
    r"|\b(?:last|next|first) (?:figure|chapter|question)\b|\bof the case\b"
    r"|meanings\b|\b(?:two|three) conventions are in use\.",
    re.IGNORECASE,
)
#: Whether each such element is seen now.
SHOWN = "elements => elements.filter(e => e.checkVisibility()).map(e => e.localName)"


@pytest.mark.parametrize("chapter", sorted(set(BANK.chapters) - {"instructors"}))
def test_a_summary_is_one_page_of_paper_that_reads_alone(page: Page, chapter: str) -> None:
    page.add_init_script("window.print = () => {}")
    page.goto(f"{chapter}.html")
    page.get_by_role("button", name="Print this chapter on one page").click()
    page.emulate_media(media="print")
    text = page.locator("article").inner_text()
    assert page.locator("h1").inner_text().split()[0] in text
    assert "Key takeaways" in text
    assert ELSEWHERE.findall(" ".join(text.split())) == []
    others = page.locator("article :is(pre, .ck-exercise, img, svg, [class*='after-predict-'])")
    assert others.evaluate_all(SHOWN) == []
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed)) == 1


def test_formulas_and_tables_of_shapes_are_in_it_and_the_page_comes_back(page: Page) -> None:
    page.add_init_script("window.print = () => {}")
    page.goto("scaled-dot-product.html")
    page.get_by_role("button", name="Print this chapter on one page").click()
    page.emulate_media(media="print")
    parts = page.locator("article :is(div.math, table)")
    assert parts.evaluate_all(SHOWN) == ["div", "div", "table", "div"]
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert "pre" in page.locator("article pre").evaluate_all(SHOWN)

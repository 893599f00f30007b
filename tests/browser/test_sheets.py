"""Summary sheets in a browser: each is one page of paper, and none is wider than a phone."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Page

from coursekit.bank import load_bank

ROOT = Path(__file__).resolve().parents[2]


def test_every_chapter_s_sheet_is_one_page_of_paper(page: Page, site: Path) -> None:
    sheets = sorted(path.name for path in site.glob("sheet-*.html"))
    chapters = set(load_bank(ROOT / "exercises").chapters) - {"instructors"}
    assert {f"sheet-{name}.html" for name in chapters} <= set(sheets)
    pages, wide = {}, {}
    for name in sheets:
        page.set_viewport_size({"width": 390, "height": 800})
        page.goto(name)
        wide[name] = page.evaluate("document.documentElement.scrollWidth")
        pdf = page.pdf(prefer_css_page_size=True)
        pages[name] = len(re.findall(rb"/Type\s*/Page[^s]", pdf))
    assert {name: count for name, count in pages.items() if count != 1} == {}
    assert {name: width for name, width in wide.items() if width > 390} == {}


def test_a_chapter_leads_to_its_sheet_and_back(page: Page) -> None:
    page.goto("masking.html")
    page.get_by_role("link", name="This chapter on one page, to print").click()
    assert page.locator("h1").inner_text().endswith("masking")
    page.get_by_role("link", name="The chapter").click()
    assert page.url.endswith("masking.html")

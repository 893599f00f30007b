"""Summary sheets in a browser: each is one page of paper, and none is wider than a phone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Page

from coursekit.bank import load_bank

from .test_accessibility import violations

#: Words that point to a place which is on the chapter's page and not on its sheet.
ELSEWHERE = re.compile(
    r"\b(?:that|exercise|case|row|table|figure|question|line) (?:below|above)\b"
    r"|\b(?:last|next|first) (?:figure|chapter|question)\b|\bof the case\b"
    r"|meanings\b|\b(?:two|three) conventions are in use\.",
    re.IGNORECASE,
)
#: Resolves when the page has been drawn as it is now.
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
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


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_a_sheet(page: Page, site: Path, width: int) -> None:
    found = {}
    for name in sorted(path.name for path in site.glob("sheet-*.html")):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(name)
        if lines := violations(page):
            found[name] = lines
        page.set_viewport_size({"width": 390, "height": 844})  # turned, or zoomed in
        page.evaluate(DRAWN)  # a page hears of its new size with the next picture, not before
        if lines := violations(page):
            found[name] = lines
    assert found == {}


def test_a_chapter_leads_to_its_sheet_and_back(page: Page) -> None:
    page.goto("masking.html")
    chapter = page.locator("h1").inner_text()
    page.get_by_role("link", name="This chapter on one page, to print").click()
    assert page.url.endswith("sheet-masking.html")
    assert page.locator("h1").inner_text() in chapter  # which ends in its link's sign
    page.get_by_role("link", name="The chapter").click()
    assert page.url.endswith("/masking.html")


def test_every_link_of_a_sheet_leads_to_a_place_that_is_there(site: Path) -> None:
    dead = []
    for path in sorted(site.glob("sheet-*.html")):
        for link in BeautifulSoup(path.read_text("utf-8"), "html.parser").select("main a[href]"):
            name, _, place = str(link["href"]).partition("#")
            target = site / name if name else path
            if "://" in name:
                continue
            is_there = target.is_file() and (not place or f'id="{place}"' in target.read_text())
            dead += [] if is_there else [f"{path.name}: {link['href']}"]
    assert dead == []


def test_a_sheet_reads_alone(site: Path) -> None:
    torn = {
        path.name: found
        for path in sorted(site.glob("sheet-*.html"))
        for sheet in BeautifulSoup(path.read_text("utf-8"), "html.parser").select(".sheet")
        if (found := ELSEWHERE.findall(" ".join(sheet.get_text().split())))
    }
    assert torn == {}


@pytest.mark.parametrize("media", ["screen", "print"])
def test_formulas_of_a_sheet_begin_at_the_left(
    page: Page, media: Literal["screen", "print"]
) -> None:
    page.emulate_media(media=media)
    page.goto("sheet-scaled-dot-product.html")
    away = page.evaluate(
        """[...document.querySelectorAll("div.math")].map(formula =>
            formula.querySelector("math").getBoundingClientRect().left
                - formula.getBoundingClientRect().left)"""
    )
    assert len(away) >= 3
    assert max(away) < 2

"""What stands in a page for a figure before its script runs, and where none will run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .exercises import open_all

HEIGHTS = """() => [...document.querySelectorAll("[data-explorable]")].map(figure =>
    [figure.dataset.explorable, figure.getBoundingClientRect().height])"""
DRAWN = "[...document.querySelectorAll('[state]')].every(e => e.matches('[live]'))"
SCRIPTS = re.compile(r"/_static/explorables.*\.js")
LOADED = """() => [...document.querySelectorAll("[data-explorable]")].every(figure =>
    [...figure.shadowRoot.querySelectorAll("link")].every(link => link.sheet))"""


def pages(site: Path) -> list[str]:
    return [p.name for p in sorted(site.glob("*.html")) if "data-explorable=" in p.read_text()]


def test_every_figure_has_a_still_that_is_ready(site: Path) -> None:
    for name in pages(site):
        text = (site / name).read_text("utf-8")
        figures = re.findall(r"<attn-[^<>]*>(.{0,50})", text)
        assert figures
        assert all(f.startswith('<template shadowrootmode="open"><link') for f in figures), name
        assert "aria-busy" not in text
        assert "is being fetched" not in text


def rooms(page: Page) -> list[list[tuple[str, float]]]:
    """Return the kinds and heights of a page's figures on a screen and on a phone."""
    seen = []
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        seen.append(page.evaluate(HEIGHTS))
    return seen


def test_live_figure_takes_the_room_of_its_still(site: Path, page: Page) -> None:
    for name in pages(site):
        page.route(SCRIPTS, lambda route: route.fulfill(content_type="text/javascript", body=""))
        page.goto(name)
        open_all(page)  # a figure may follow a prediction
        page.wait_for_function(LOADED)
        still = rooms(page)
        page.unroute(SCRIPTS)
        page.goto(name)
        page.wait_for_function(DRAWN)
        open_all(page)
        for figure in page.locator("[data-explorable]:visible").all():
            figure.scroll_into_view_if_needed()  # some fetch what they show when they come near
            expect(figure.locator("[aria-busy]")).to_have_count(0)
            expect(figure.locator("section")).to_have_count(1)  # one: the still is gone
        for before, after in zip(still, rooms(page), strict=True):
            assert [kind for kind, _ in after] == [kind for kind, _ in before]
            for (kind, was), (_, height) in zip(before, after, strict=True):
                assert height == pytest.approx(was, abs=2), (name, kind)


def test_what_paper_alone_shows_is_in_a_still(still: Page) -> None:
    still.goto("fast-exact.html")
    softmax = still.locator("attn-online-softmax").first
    expect(softmax.locator(".on-paper table").last.locator("tbody tr")).to_have_count(4)  # blocks

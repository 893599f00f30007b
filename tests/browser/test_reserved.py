"""The room that is kept for a figure until it is drawn is that which it then takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tools.site.project import Project

from .exercises import open_all

#: Height of each figure that has been drawn, and what is kept for it before; both in pixels.
HEIGHTS = """() => [...document.querySelectorAll("[data-explorable]")].map(figure => {
    const drawn = figure.getBoundingClientRect().height;
    figure.removeAttribute("live");
    const kept = parseFloat(getComputedStyle(figure).minHeight) || 0;
    figure.setAttribute("live", "");
    return [figure.dataset.explorable, drawn, kept];
})"""
DRAWN = "[...document.querySelectorAll('[state]')].every(e => e.matches('[live]'))"
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("width", [1280, pytest.param(390, marks=pytest.mark.heavy)])
def test_the_room_kept_for_a_figure_is_what_it_takes(site: Path, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    seen = set()
    names = [path.stem for path in Project(ROOT).chapters()]
    for name in [n for n in names if "data-explorable" in (site / f"{n}.html").read_text("utf-8")]:
        page.goto(f"{name}.html")
        page.wait_for_function(DRAWN)
        open_all(page)  # a figure may follow a prediction
        for figure in page.locator("[data-explorable]:visible").all():
            figure.scroll_into_view_if_needed()  # some fetch what they show when they come near
            expect(figure.locator("[aria-busy]")).to_have_count(0)
        for kind, drawn, kept in page.evaluate(HEIGHTS):
            seen.add(kind)
            # Letters differ in width from machine to machine, and so the number of lines does.
            assert abs(drawn - kept) <= 32 + drawn / 20, (name, kind, drawn, kept)
    assert seen >= {"axial-grid", "circuit", "head-browser", "pipeline", "translation"}

"""axe finds nothing on any page: light and dark, wide and narrow, exercises opened."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tools.site.project import Project

from .conftest import come_to_rest, settle
from .exercises import open_all

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
GATE = ".ck-gate"
#: Left out by axe unless asked for: targets of a size for fingers, and a header for every cell.
ALSO = {name: {"enabled": True} for name in ("target-size", "td-has-header")}
#: All that a theme can change.
OF_COLOURS = ("color-contrast", "link-in-text-block")
#: The server answers for the one that is not there with the page for that, as hosts do.
PAGES = [path.stem for path in Project(ROOT).chapters()] + ["search", "not-there", "genindex"]


def violations(page: Any, part: str = "html", rules: Sequence[str] = ()) -> list[str]:
    """Return what axe finds, by some rules or by all, one line each: rule, impact, where."""
    page.add_script_tag(path=str(AXE))
    # Without reading the style sheets again, which a page from a folder may not; and without
    # describing what is in order.
    options: dict[str, Any] = {"preload": False, "resultTypes": ["violations"], "rules": ALSO}
    if rules:
        options["runOnly"] = list(rules)
    # From the top: further down the bar covers a target.
    run = """([part, options]) => {
        scrollTo({ top: 0, behavior: "instant" });
        return axe.run(part, options).then(result => result.violations);
    }"""
    found = page.evaluate(run, [part, options])
    return [
        f"{v['id']} ({v['impact']}): {node['target']} {node['html'][:120]}"
        for v in found
        for node in v["nodes"]
    ]


@pytest.mark.heavy
@pytest.mark.timeout(1800)  # seconds for all pages of the course, on a busy machine
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(browser: Browser, site_url: str, width: int) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    found = {}
    for name in PAGES:
        page.emulate_media(color_scheme="light")
        page.goto(f"{site_url}/{name}.html")
        settle(page)
        lines = violations(page, GATE) if page.locator(GATE).count() else []
        open_all(page)
        come_to_rest(page)  # the frame gives what scrolls a keyboard stop
        lines += violations(page)
        if width == 390:  # no colour depends on the width
            page.emulate_media(color_scheme="dark")
            expect(page.locator("html")).to_have_attribute("data-theme", "dark")
            lines += violations(page, rules=OF_COLOURS)
        if lines:
            found[name] = lines
    context.close()
    assert found == {}

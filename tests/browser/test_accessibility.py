"""axe finds nothing on any page: light and dark, wide and narrow, exercises opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tools.site.project import Project

from .conftest import come_to_rest, settle

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
GATE = ".ck-gate"
#: The server answers for the one that is not there with the page for that, as hosts do.
PAGES = [path.stem for path in Project(ROOT).chapters()] + ["search", "not-there", "genindex"]


def violations(page: Any, part: str = "html") -> list[str]:
    """Return what axe finds, one line each: rule, impact, where."""
    page.add_script_tag(path=str(AXE))
    # Without reading the style sheets again, which a page from a folder may not.
    run = "part => axe.run(part, { preload: false }).then(result => result.violations)"
    found = page.evaluate(run, part)
    return [
        f"{v['id']} ({v['impact']}): {node['target']} {node['html'][:120]}"
        for v in found
        for node in v["nodes"]
    ]


@pytest.mark.heavy
@pytest.mark.timeout(1800)  # seconds for all pages of the course, on a busy machine
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, site_url: str, scheme: Any, width: int) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    found = {}
    for name in PAGES:
        page.goto(f"{site_url}/{name}.html")
        settle(page)
        lines = violations(page, GATE) if page.locator(GATE).count() else []
        while page.locator(GATE).count():
            page.locator(GATE).locator("button").first.dispatch_event("click")
        page.evaluate("() => document.querySelectorAll('details').forEach(d => { d.open = true })")
        come_to_rest(page)  # the frame gives what scrolls a keyboard stop
        if lines := lines + violations(page):
            found[name] = lines
    context.close()
    assert found == {}

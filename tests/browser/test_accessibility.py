"""axe finds nothing on any page: light and dark, wide and narrow, exercises opened."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tools.site.project import Project

from .conftest import settle

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
GATE = ".ck-gate"
#: The server answers for the one that is not there with the page for that, as hosts do.
PAGES = [path.stem for path in Project(ROOT).chapters()] + ["search", "not-there", "genindex"]


#: What axe asks of colours; its category has also the contrast of level AAA, 7 to 1.
OF_COLOURS = ("color-contrast", "link-in-text-block")
COLOURS = {"runOnly": {"type": "rule", "values": OF_COLOURS}}


def violations(page: Any, part: str = "html", **options: Any) -> list[str]:
    """Return what axe finds with its ``options``, one line each: rule, impact, where."""
    page.add_script_tag(path=str(AXE))
    found = page.evaluate(
        "([part, options]) => axe.run(part, options).then(result => result.violations)",
        [part, options],
    )
    return [
        f"{v['id']} ({v['impact']}): {node['target']} {node['html'][:120]}"
        for v in found
        for node in v["nodes"]
    ]


def in_both_themes(page: Any, part: str = "html") -> list[str]:
    """Return what axe finds in both themes, which differ in colours, of one page, loaded once."""
    lines = []
    for theme, options in (("dark", COLOURS), ("light", {})):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        lines += [f"{theme}: {line}" for line in violations(page, part, **options)]
    return lines


@pytest.mark.heavy
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(browser: Browser, site_url: str, width: int) -> None:
    found = {}
    for name in PAGES:
        # A context for each: what a page before had asked for, or its worker, is not waited for.
        page = browser.new_page(
            viewport={"width": width, "height": 900}, color_scheme="light", reduced_motion="reduce"
        )
        page.goto(f"{site_url}/{name}.html")
        settle(page)
        look = in_both_themes if width == 1280 else violations  # a colour has one width
        lines = look(page, GATE) if page.locator(GATE).count() else []
        while page.locator(GATE).count():
            page.locator(GATE).locator("button").first.dispatch_event("click")
        page.wait_for_timeout(500)  # until the theme has given what scrolls a keyboard stop
        page.evaluate("() => document.querySelectorAll('details').forEach(d => { d.open = true })")
        if lines := lines + look(page):
            found[name] = lines
        page.close()
    assert found == {}


def test_axe_is_really_run(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<html><body><img src='x.png'><button></button></body></html>")
    rules = {line.split()[0] for line in violations(page)}
    page.close()
    assert {"image-alt", "button-name", "html-has-lang"} <= rules


def test_of_one_kind_of_rules_only_those_are_run(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<body style='color: #ccc; background: #fff'><img src='x.png'>pale</body>")
    assert [line.split()[0] for line in violations(page, **COLOURS)] == ["color-contrast"]
    page.close()

"""A page of its own for explorables, opened from the file system.

It has the figures as Python writes them, the style sheet, the scripts of these figures, and nothing
else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from attnlab.drawing.tokens import style_element
from attnlab.explorables.base import Explorable
from tools.site.project import Project

Open = Callable[..., Page]

ALIVE = """[...document.querySelectorAll('[data-explorable]')].every(figure => figure.shadowRoot
    && [...figure.shadowRoot.querySelectorAll('link')].every(link => link.sheet))"""


@pytest.fixture(scope="session")
def assets(project: Project, site: Path) -> Path:
    """Return the folder with the scripts of explorables, as the site has them."""
    return project.assets


@pytest.fixture
def show(browser: Browser, assets: Path, watch: Any, tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens a page with figures; a fault of a page fails the test."""
    contexts, seen = [], []

    def opened(
        *figures: Explorable, theme: str = "light", around: str = "{}", **options: Any
    ) -> Page:
        body = around.format("".join(figure.html() for figure in figures))
        own = sorted({f"explorables/{figure.element}.js" for figure in figures})
        scripts = "".join(
            f'<script defer src="{(assets / name).as_uri()}"></script>'
            for name in ("explorables.js", *own)
        )
        html = (
            f'<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width"><title>Figures</title>'
            f"{style_element()}{scripts}</head>"
            '<body style="background: var(--attn-paper); color: var(--attn-ink)">'
            f'<main style="max-width: 44rem"><h1>Figures</h1>{body}</main></body></html>'
        )
        path = tmp_path / "figures.html"
        path.write_text(html, encoding="utf-8")
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
        page = context.new_page()
        contexts.append(context)
        seen.append(watch(page, "file://"))
        page.goto(path.as_uri())
        if options.get("java_script_enabled", True):  # a figure comes to life once it is near
            page.wait_for_function(ALIVE)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [fault for each in seen for fault in each.faults] == []

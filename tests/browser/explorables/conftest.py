"""A page of its own for explorables, opened from the file system.

It has the figures as Python writes them, the style sheet, the scripts of these figures, and nothing
else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from attnlab.drawing.tokens import style_element
from attnlab.explorables.base import Explorable
from tools.site.project import Project

from ..conftest import DESKTOP, watched

Open = Callable[..., Page]

ALIVE = """[...document.querySelectorAll('[data-explorable]')].every(figure => figure.shadowRoot
    && [...figure.shadowRoot.querySelectorAll('link')].every(link => link.sheet))"""


@pytest.fixture
def show(browser: Browser, project: Project, site: Path, tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens a page with figures; a fault of a page fails the test."""
    with ExitStack() as pages:

        def opened(
            *figures: Explorable, theme: str = "light", around: str = "{}", **options: Any
        ) -> Page:
            body = around.format("".join(figure.html() for figure in figures))
            own = sorted({f"explorables/{figure.element}.js" for figure in figures})
            scripts = "".join(
                f'<script defer src="{(project.assets / name).as_uri()}"></script>'
                for name in ("explorables.js", *own)
            )
            html = (
                f'<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8">'
                '<meta name="viewport" content="width=device-width"><title>Figures</title>'
                f"{style_element()}{scripts}</head>"
                '<body style="color-scheme: var(--attn-scheme); background: var(--attn-paper); '
                'color: var(--attn-ink)">'
                f'<main style="max-width: 44rem"><h1>Figures</h1>{body}</main></body></html>'
            )
            path = tmp_path / "figures.html"
            path.write_text(html, encoding="utf-8")
            page = pages.enter_context(watched(browser, "file://", **DESKTOP | options))
            page.goto(path.as_uri())
            page.wait_for_function(ALIVE)  # a figure comes to life once it is near
            return page

        yield opened

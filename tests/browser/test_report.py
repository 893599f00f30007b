"""Reporting a mistake: the issue quotes what the reader has marked, with its section."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page

from tools.site.publish.report import SCRIPT

PAGE = f"""<script>{SCRIPT}</script>
  <article><section><h1>Walks</h1><section><h2>How far?<a>#</a></h2><p>Five <b>miles</b>.</p>
  </section></section></article>
  <a data-report href="https://example.org/new?title=Walks%3A+&body=Page%3A+Walks%0A">report</a>"""


@pytest.mark.parametrize(
    ("marked", "body"),
    [("", "Page: Walks\n"), ("b", "Section: How far?\nPage: Walks\n\n\n> miles\n")],
)
def test_what_is_marked_is_quoted(page: Page, marked: str, body: str) -> None:
    page.set_content(PAGE)
    page.evaluate("addEventListener('click', event => event.preventDefault())")
    if marked:
        page.evaluate(
            "marked => getSelection().selectAllChildren(document.querySelector(marked))", marked
        )
    page.locator("a[data-report]").dispatch_event("click")
    address = page.locator("a[data-report]").evaluate("link => link.href")
    assert parse_qs(urlsplit(address).query) == {"title": ["Walks: "], "body": [body]}

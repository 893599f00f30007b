"""An address at which there is nothing, as the preview's server answers it: the page leads on."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Response, expect


def test_page_leads_on_at_any_depth_without_a_script(still: Page, site_url: str) -> None:
    page = still
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    first = page.goto(f"{site_url}/some/where/Masking/")
    assert first is not None
    assert first.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no page at this address")
    assert [answer.url for answer in answers[1:] if not answer.ok] == []
    article = page.locator("article")
    assert article.locator("li a").count() > 25
    field = article.get_by_role("searchbox")
    field.fill("softmax")
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"/search\.html\?q=softmax"))
    page.goto(f"{site_url}/no/such/page")
    article.locator(".not-found-start").click()
    expect(page).to_have_url(f"{site_url}/welcome.html")

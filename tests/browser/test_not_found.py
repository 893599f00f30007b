"""An address at which there is nothing, as the preview's server answers it: the page leads on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Response, expect


@pytest.mark.parametrize("address", ["/maskng.html", "/some/where/Masking/", "/mask"])
def test_nearest_page_is_named_at_any_depth(browser: Browser, site_url: str, address: str) -> None:
    page = browser.new_page()
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    first = page.goto(f"{site_url}{address}")
    page.wait_for_load_state("networkidle")
    assert first is not None
    assert first.status == 404
    assert [answer.url for answer in answers[1:] if not answer.ok] == []
    expect(page.get_by_role("heading", level=1)).to_have_text("There is no page at this address")
    page.locator("#nearest a").click()
    expect(page).to_have_url(f"{site_url}/masking.html")
    page.close()


def test_words_of_the_address_can_be_searched_for(browser: Browser, site_url: str) -> None:
    page = browser.new_page()
    page.goto(f"{site_url}/softmax-jacobian")
    expect(page.locator("#nearest")).to_be_hidden()
    field = page.locator("article").get_by_role("searchbox")
    expect(field).to_have_value("softmax jacobian")
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"/search\.html\?q=softmax"))
    page.close()


def test_it_leads_on_without_a_script(browser: Browser, site_url: str) -> None:
    context = browser.new_context(java_script_enabled=False, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{site_url}/no/such/page")
    expect(page.locator("#nearest")).to_be_hidden()
    article = page.locator("article")
    assert article.locator(".not-found-list a").count() > 25
    article.locator(".not-found-start").click()
    expect(page).to_have_url(f"{site_url}/welcome.html")
    context.close()

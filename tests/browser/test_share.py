"""A figure's state has an address, a figure a page of its own and a picture, and all a gallery."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Locator, Page, Response, expect

CHAPTER = "scaled-dot-product.html"
#: Bytes on the way, fonts included, without what a figure fetches in use.
LIGHT = 60 * 1024


def slider(page: Page | FrameLocator) -> Locator:
    return page.locator("[live]").get_by_role("slider", name="Width of the keys, d_k")


def test_an_address_sets_a_figure_and_brings_it_into_view(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/{CHAPTER}#figure=saturation&exponent=9")
    expect(slider(page)).to_have_value("9")
    expect(slider(page)).to_be_in_viewport()
    page.evaluate("location.hash = 'figure=saturation&exponent=3'")
    expect(slider(page)).to_have_value("3")
    # What does not fit leaves it as it is, and is no fault of the page.
    for parts in ("exponent=x", "exponent=%22deep%22", "exponent=", "draws=[1]&no=1", "%E0"):
        page.evaluate("parts => { location.hash = `figure=saturation&${parts}` }", parts)
    page.evaluate("location.hash = 'figure=none&exponent=5'")
    expect(slider(page)).to_have_value("3")


def test_a_copied_link_and_a_frame_lead_to_the_state(browser: Browser, site_url: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page, other = context.new_page(), context.new_page()
    page.goto(f"{site_url}/{CHAPTER}#figure=saturation")
    figure = page.locator("attn-saturation[live]")
    slider(page).fill("7")
    figure.get_by_text("Share").click()
    figure.get_by_role("button", name="Copy link").click()
    expect(figure.get_by_text("Copied.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    page.wait_for_url(lambda url: url == link)
    other.goto(link)
    expect(slider(other)).to_have_value("7")
    figure.get_by_role("button", name="Copy embed code").click()
    page.wait_for_function("async () => (await navigator.clipboard.readText()).startsWith('<')")
    other.set_content(page.evaluate("navigator.clipboard.readText()"))
    expect(slider(other.frame_locator("iframe"))).to_have_value("7")
    context.close()


def test_a_figure_is_saved_as_a_picture(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/{CHAPTER}#figure=saturation")
    figure = page.locator("attn-saturation[live]")
    figure.get_by_text("Share").click()
    for kind, begin in (("png", b"\x89PNG"), ("svg", b"<svg")):
        with page.expect_download() as download:
            figure.get_by_role("button", name=f"Save {kind.upper()}").click()
        assert download.value.suggested_filename == f"saturation.{kind}"
        assert Path(download.value.path()).read_bytes().startswith(begin)


def test_the_gallery_shows_each_kind_once_and_leads_to_it(
    page: Page, site: Path, site_url: str
) -> None:
    embeds = [path.read_text("utf-8") for path in (site / "embed").glob("*.html")]
    page.goto(f"{site_url}/figures.html")
    cards = page.locator(".figure-gallery > ul > li")
    kinds = {kind for text in embeds for kind in re.findall("<(attn-[a-z-]+)", text)}
    expect(cards).to_have_count(len(kinds))
    title = cards.first.get_by_role("link").inner_text()
    cards.first.get_by_role("link").click()
    expect(page.locator("[live]").get_by_role("group", name=title).first).to_be_in_viewport()


@pytest.mark.heavy
def test_embedded_figures_live_fit_a_phone_and_are_light(
    page: Page, site: Path, site_url: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    data, weight = f"{site_url}/_static/data/", [0]

    def weigh(response: Response) -> None:
        if not response.url.startswith(data):
            body = response.body()
            weight.append(len(body if ".woff2" in response.url else gzip.compress(body)))

    page.on("response", weigh)
    for path in sorted((site / "embed").glob("*.html")):
        weight.clear()
        page.goto(f"{site_url}/embed/{path.name}", wait_until="networkidle")
        expect(page.locator("[live]").get_by_role("group").first).to_be_visible()
        assert sum(weight) < LIGHT, (path.name, weight)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path.name

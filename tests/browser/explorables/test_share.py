"""A state has an address, a figure a page of its own and a picture, and all stand in a gallery."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import attnlab.explorables
from attnlab.explorables.base import Explorable

CHAPTER = "scaled-dot-product.html"
ALONE = sorted(
    each.element.removeprefix("attn-")
    for name in attnlab.explorables.__all__
    if issubclass(each := getattr(attnlab.explorables, name), Explorable) and each.alone
)
#: Bytes on the way, fonts included. One carries all tensors of a model, 11 kB, in its state.
LIGHT = dict.fromkeys(ALONE, 60 * 1024) | {"transformer-blocks": 75 * 1024}


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Width of the keys, d_k")


def test_an_address_brings_a_figure_into_its_state_and_into_view(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/{CHAPTER}#figure=saturation&exponent=9")
    expect(slider(page)).to_have_value("9")
    expect(slider(page)).to_be_in_viewport()
    page.evaluate("location.hash = 'figure=saturation&exponent=3'")
    expect(slider(page)).to_have_value("3")


@pytest.mark.parametrize(
    "parts",
    [
        "exponent=x",
        "exponent=%22deep%22",
        "exponent=",
        "draws=[1,2]&none=1",
        "exponent=1e999",
        "%E0",
    ],
)
def test_an_address_that_does_not_fit_leaves_the_figure_as_it_is(
    page: Page, site_url: str, parts: str
) -> None:
    page.goto(f"{site_url}/{CHAPTER}#figure=saturation&{parts}")
    expect(slider(page)).to_have_value("2")
    expect(slider(page)).to_be_in_viewport()


def test_an_unknown_figure_is_no_fault(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/{CHAPTER}#figure=none&exponent=3")
    expect(page.locator("attn-saturation")).to_be_attached()


def test_a_copied_link_leads_back_to_the_state(browser: Browser, site_url: str) -> None:
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{site_url}/{CHAPTER}#figure=saturation")
    figure = page.locator("attn-saturation")
    slider(page).fill("7")
    figure.get_by_text("Share").click()
    figure.get_by_role("button", name="Copy link").click()
    expect(figure.get_by_text("Copied.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    other = context.new_page()
    other.goto(link)
    expect(slider(other)).to_have_value("7")
    figure.get_by_role("button", name="Copy embed code").click()
    code = page.evaluate("navigator.clipboard.readText()")
    source = re.search(r'src="([^"]+)"', code)
    assert source
    other.set_content(code)
    expect(slider_in(other)).to_have_value("7")
    context.close()


def slider_in(page: Page) -> Locator:
    return page.frame_locator("iframe").get_by_role("slider", name="Width of the keys, d_k")


@pytest.mark.parametrize(("format", "begin"), [("PNG", b"\x89PNG"), ("SVG", b"<svg")])
def test_a_figure_is_saved_as_a_picture(
    page: Page, site_url: str, format: str, begin: bytes
) -> None:
    page.goto(f"{site_url}/{CHAPTER}#figure=saturation")
    figure = page.locator("attn-saturation")
    figure.get_by_text("Share").click()
    with page.expect_download() as download:
        figure.get_by_role("button", name=f"Save {format}").click()
    data = Path(download.value.path()).read_bytes()
    assert download.value.suggested_filename == f"saturation.{format.lower()}"
    assert data.startswith(begin)
    assert len(data) > 5000
    expect(figure.get_by_text(f"Saved as saturation.{format.lower()}.")).to_be_visible()


def test_each_figure_has_a_page_of_its_own_that_is_light(site: Path) -> None:
    shown = {path.stem for path in (site / "embed").glob("*.html")}
    assert shown <= set(ALONE)
    in_chapters = "".join(path.read_text("utf-8") for path in site.glob("*.html"))
    assert shown == {kind for kind in ALONE if f'data-explorable="{kind}"' in in_chapters}


@pytest.mark.parametrize("kind", ALONE)
def test_an_embedded_figure_lives_and_is_light(
    page: Page, site: Path, site_url: str, kind: str
) -> None:
    if not (site / "embed" / f"{kind}.html").exists():
        pytest.skip("no chapter shows it")
    own = f"{site_url}/_static/data/"  # a model or a run of one, which a figure fetches in use
    weight = []

    def weigh(response) -> None:
        if not response.url.startswith(own):
            body = response.body()
            weight.append(len(body if ".woff2" in response.url else gzip.compress(body)))

    page.on("response", weigh)
    page.goto(f"{site_url}/embed/{kind}.html", wait_until="networkidle")
    page.wait_for_function("document.querySelector('[data-explorable]').shadowRoot")
    expect(page.get_by_role("group").first).to_be_visible()
    assert sum(weight) < LIGHT[kind], weight
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_gallery_shows_all_and_leads_to_each(page: Page, site: Path, site_url: str) -> None:
    page.goto(f"{site_url}/figures.html")
    cards = page.locator(".figure-gallery li")
    expect(cards).to_have_count(len(list((site / "embed").glob("*.html"))))
    first = cards.first.get_by_role("link")
    title = first.inner_text()
    frame = cards.first.locator("iframe")
    expect(frame).to_have_attribute("title", title)
    first.click()
    expect(page.get_by_role("group", name=title).first).to_be_in_viewport()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_gallery_fits_any_screen(page: Page, site_url: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{site_url}/figures.html")
    assert page.evaluate("document.documentElement.scrollWidth") <= width

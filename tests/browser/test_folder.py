"""The whole site as one zip: unpacked, its pages work from the folder."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, expect

from tools.site.offline import zip_name
from tools.site.project import Project
from tools.site.serve import Handler

from .conftest import serving, watched
from .exercises import CHAPTER, IN_CODE, answer_by_hand, solve


@pytest.fixture(scope="module")
def folder(project: Project, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the unpacked site."""
    place = tmp_path_factory.mktemp("kept")
    with zipfile.ZipFile(site / zip_name(project)) as archive:
        archive.extractall(place)
    return place / Path(zip_name(project)).stem


def test_every_link_leads_to_a_file(folder: Path) -> None:
    broken = set()
    for page in folder.glob("*.html"):
        text = re.sub(r"(?s)<(script|pre)\b[^>]*>.*?</\1>", "", page.read_text(encoding="utf-8"))
        for address in re.findall(r'\s(?:href|src)="([^"#?][^"#?]*)', text):
            is_here = not re.match(r"[a-z]+:|/", address)
            if is_here and page.name != "404.html" and not (folder / unquote(address)).exists():
                broken.add(address)
    assert broken == set()


class Old(Handler):
    """A host that does not know what files of these kinds are."""

    extensions_map = Handler.extensions_map | dict.fromkeys((".mjs", ".wasm", ".whl"), "x/x")


def test_code_runs_in_the_folder_once_any_server_sends_it(browser: Browser, folder: Path) -> None:
    assert "python3 -m http.server --bind 127.0.0.1 8000" in (folder / "README.txt").read_text()
    with serving(folder, Old) as address, watched(browser, address) as page:
        page.goto(CHAPTER)
        solve(page, IN_CODE)


def test_pages_work(browser: Browser, folder: Path) -> None:
    with watched(browser, folder.as_uri(), reduced_motion="reduce") as page:
        page.goto("welcome.html")
        row = page.locator("attn-attention-row[live]")  # a still takes no key
        row.get_by_role("slider", name="How sharply it chooses").press("Home")
        expect(row.locator(".weight")).to_have_text(["0.25"] * 4)
        page.get_by_role("link", name="Start:").click()
        page.wait_for_url("file://**/motivation.html")
        page.goto("using.html")
        expect(page.locator(".keep-offline")).to_have_text(re.compile("lies in a folder"))
        page.goto(CHAPTER)
        expect(answer_by_hand(page, "0.42, 0.58")).not_to_be_empty()
        page.goto("circuits.html")
        expect(page.locator("attn-circuit[live] section").first).to_be_attached()
        page.goto("search.html")
        page.locator(".bd-search-container input").fill("sofmax")
        page.locator(".search-results a[href*='scaled-dot-product.html#']").first.click()
        page.wait_for_url("file://**/scaled-dot-product.html#*")

"""The whole site as one zip: unpacked, its pages work from the folder."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Page, expect

from tools.site.offline import zip_name
from tools.site.project import Project
from tools.site.serve import Handler

from .conftest import serving
from .exercises import BANK, BY_HAND, IN_CODE, LOADED, block, press, results, unfold, write


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


def test_code_runs_in_the_folder_once_any_server_sends_it(
    browser: Browser, watch: Any, folder: Path
) -> None:
    assert "python3 -m http.server --bind 127.0.0.1 8000" in (folder / "README.txt").read_text()
    page = browser.new_page()
    with serving(folder, Old) as address:
        seen = watch(page, address)
        page.goto(f"{address}/queries-keys-values.html")
        exercise = block(page, IN_CODE)
        unfold(exercise)
        write(exercise, BANK[IN_CODE].solution)
        press(exercise, "Check")
        expect(results(exercise)).to_contain_text("Done.", timeout=LOADED)
        page.close()
    assert seen.faults == []


@pytest.mark.parametrize("name", ["welcome", "using", "queries-keys-values", "circuits", "search"])
def test_pages_work(browser: Browser, watch: Any, folder: Path, name: str) -> None:
    page = browser.new_page(reduced_motion="reduce")
    seen = watch(page, "file://")
    page.goto((folder / f"{name}.html").as_uri())
    expect(page.locator("h1").first).to_be_visible()
    uses = {"welcome": welcome, "using": using, "circuits": figure, "search": search}
    uses.get(name, chapter)(page)
    page.close()
    assert seen.faults == []


def using(page: Page) -> None:
    expect(page.locator(".keep-offline")).to_have_text(re.compile("lies in a folder"))


def welcome(page: Page) -> None:
    row = page.locator("attn-attention-row[live]")  # a still takes no key
    row.get_by_role("slider", name="How sharply it chooses").press("Home")
    expect(row.locator(".weight")).to_have_text(["0.25"] * 4)
    page.get_by_role("link", name="Start:").click()
    page.wait_for_url("file://**/motivation.html")
    expect(page.locator("h1")).not_to_be_empty()


def chapter(page: Page) -> None:
    question = block(page, BY_HAND)
    unfold(question)
    question.locator("input.ck-number").fill("0.42, 0.58")
    press(question, "Check")
    expect(question.locator(".ck-feedback")).not_to_be_empty()


def figure(page: Page) -> None:
    expect(page.locator("attn-circuit[live] section").first).to_be_attached()


def search(page: Page) -> None:
    page.locator(".bd-search-container input").fill("sofmax")
    page.locator(".search-results a[href*='scaled-dot-product.html#']").first.click()
    page.wait_for_url("file://**/scaled-dot-product.html#*")

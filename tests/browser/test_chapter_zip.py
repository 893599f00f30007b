"""The zip of one chapter, which the page makes of the notebook and the library."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tools.site.project import Project

ROOT = Path(__file__).resolve().parents[2]
WHEEL = Project(ROOT).settings.course.wheel


def open_menu(page: Page) -> None:
    page.get_by_role("button", name="Notebook", exact=True).click()


def test_zip_of_a_chapter_has_its_notebook_the_library_and_what_to_do(
    page: Page, site: Path
) -> None:
    page.goto("masking.html")
    open_menu(page)
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download chapter and library (zip, 4 MB)").click()
    assert waiting.value.suggested_filename == "attention-course-06-masking.zip"
    with zipfile.ZipFile(io.BytesIO(Path(waiting.value.path()).read_bytes())) as made:
        assert made.testzip() is None
        folder = "attention-course-06-masking/"
        names = ("install.py", "README.txt", "06-masking.ipynb", WHEEL)
        assert made.namelist() == [folder + name for name in names]
        for name in ("06-masking.ipynb", WHEEL):
            assert made.read(folder + name) == (site / "notebooks" / name).read_bytes()
        readme = made.read(f"{folder}README.txt").decode()
    assert "python3 install.py" in readme
    assert "how to open 06-masking.ipynb" in readme
    expect(page.locator("#notebook-zip")).to_contain_text("Download chapter")


@pytest.fixture
def unlucky(browser: Browser, site_url: str) -> Iterator[Page]:
    """Return a page that may have requests which fail."""
    made = browser.new_page()
    made.goto(f"{site_url}/hashing.html")
    yield made
    made.close()


def test_zip_that_cannot_be_made_says_so_and_is_made_at_the_next_try(unlucky: Page) -> None:
    page = unlucky
    open_menu(page)
    page.route("**/*.whl", lambda route: route.abort())
    link = page.locator("#notebook-zip")
    link.click()
    expect(link.get_by_role("status")).to_contain_text("could not be fetched")
    page.unroute("**/*.whl")
    with page.expect_download():
        link.click()


def test_page_whose_script_does_not_come_gives_the_zip_of_all_chapters(unlucky: Page) -> None:
    page = unlucky
    open_menu(page)
    page.route("**/zip.js*", lambda route: route.abort())
    with page.expect_download() as waiting:
        page.locator("#notebook-zip").click()
    assert urlsplit(waiting.value.url).path.endswith("/notebooks/attention-course.zip")


def test_page_opened_as_a_file_offers_what_a_browser_takes_from_a_folder(
    browser: Browser, site: Path
) -> None:
    page = browser.new_page()
    page.goto((site / "masking.html").as_uri())
    open_menu(page)
    expect(page.get_by_role("link", name="Download all chapters")).to_be_visible()
    expect(page.locator("#notebook-zip")).to_be_hidden()
    page.close()

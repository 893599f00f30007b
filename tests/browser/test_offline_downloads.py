"""Downloads of a reader who is offline: the notebooks are kept with the rest, PDFs are not."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from . import test_offline
from .exercises import LOADED
from .test_offline import Site, visit

published, reader = test_offline.published, test_offline.reader
MENU = "Run or download this chapter"


def test_notebooks_and_their_zips_are_kept_with_the_rest(reader: Page, published: Site) -> None:
    reader.goto("welcome.html")
    place = reader.locator(".keep-offline")
    place.get_by_role("button", name="Keep offline").click()
    expect(place).to_contain_text("the notebooks are kept offline:", timeout=LOADED)
    published.stop()
    reader.goto("masking.html")
    reader.get_by_role("button", name=MENU).click()
    with reader.expect_download() as waiting:
        reader.get_by_role("link", name="Download all chapters").click()
    assert Path(waiting.value.path()).stat().st_size > 10_000
    alone = reader.goto("notebooks/masking.ipynb")  # which this host has browsers show
    assert alone is not None
    assert alone.status == 200
    assert "cells" in alone.json()


@pytest.mark.parametrize("name", ["notebooks/attention-course.zip", "attention-course.pdf"])
def test_a_download_that_is_not_kept_is_told_offline(
    reader: Page, published: Site, name: str
) -> None:
    visit(reader, "masking.html", published)
    published.stop()
    reader.reload()
    reader.evaluate("name => void (location.href = name)", name)
    reader.wait_for_url("**/offline.html")
    expect(reader.locator("h1")).to_contain_text("Not kept in this browser")
    assert "serif" in reader.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily")

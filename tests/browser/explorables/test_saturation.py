"""Scale and saturation: one slider, two rows."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from attnlab.explorables import Saturation

Open = Callable[..., Page]


def test_wide_keys_saturate_the_row_without_the_scale_only(show: Open) -> None:
    page = show(Saturation())
    slider = page.get_by_role("slider", name="Width of the keys, d_k")
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "1024")
    rows = page.locator("section table").last.locator("tbody tr")
    assert rows.first.locator("td").all_inner_texts() == ["1.000", "0.0000", "0.0005"]
    scaled = rows.last.locator("td").all_inner_texts()
    slider.press("Home")
    assert rows.last.locator("td").all_inner_texts()[:2] == scaled[:2] == ["0.373", "0.4028"]
    expect(rows.first).to_contain_text("not measured")

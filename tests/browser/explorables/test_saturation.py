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
    plain, scaled = page.locator("section table tbody tr").all()
    assert plain.locator("td").all_inner_texts() == [
        "0.00",
        "0.00",
        "1.00",
        "0.00",
        "0.00",
        "0.00",
        "0.0000",
    ]
    wide = scaled.locator("td").all_inner_texts()
    slider.press("Home")
    assert plain.locator("td").all_inner_texts() == scaled.locator("td").all_inner_texts() == wide
    assert [wide[2], wide[-1]] == ["0.37", "0.4028"]

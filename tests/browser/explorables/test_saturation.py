"""Scale and saturation: one slider, two rows."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from attnlab.explorables import Saturation

Open = Callable[..., Page]


def test_wide_keys_collapse_the_row_without_the_scale_and_put_its_lamps_out(show: Open) -> None:
    page = show(Saturation(), reduced_motion="reduce")
    slider = page.get_by_role("slider", name="Width of the keys, d_k")
    plain, scaled = page.get_by_role("img").all()
    lamps = page.locator(".lamp")
    tallest = plain.locator(".ink-bar").nth(2)

    def at(exponent: int) -> tuple[list[str], float]:
        slider.fill(str(exponent))
        height = tallest.evaluate("bar => bar.getBoundingClientRect().height")
        return lamps.locator("b").all_inner_texts(), height

    numbers, low = at(0)
    assert numbers == ["0.403"] * 4
    numbers, middle = at(4)
    assert numbers == ["0.283", "1.131", "0.403", "0.403"]
    assert page.locator(".lamp[data-out]").count() == 0
    numbers, high = at(10)
    expect(slider).to_have_attribute("aria-valuetext", "1024")
    assert numbers == ["0.000", "0.000", "0.403", "0.403"]
    assert page.locator(".lamp[data-out]").count() == 2
    assert low < middle < high
    expect(plain).to_have_accessible_name(
        "Weights, no scale: 0.00, 0.00, 1.00, 0.00, 0.00 and 0.00"
    )
    expect(scaled).to_have_accessible_name("Weights, scaled: 0.12, 0.06, 0.37, 0.17, 0.03 and 0.25")


def test_bars_move_unless_the_reader_wants_no_motion(show: Open) -> None:
    for motion, seconds in (("no-preference", "0.45s"), ("reduce", "0s")):
        page = show(Saturation(), reduced_motion=motion)
        bar = page.locator(".ink-bar").first
        expect(bar).to_have_css("transition-duration", seconds)

"""A picture in patches is drawn by mouse, finger and keyboard, and the queries look again."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from attnlab.explorables import Patches

from ..conftest import box_of
from .conftest import Open

#: A patch without a glyph, and the one with the ring, by row.
MARKED, RING = 5, 9


def numbers(page: Page) -> list[str]:
    return page.locator("attn-patches .picture text").all_text_contents()


def test_a_second_ring_takes_weight_from_the_first_and_adds_nothing(show: Open) -> None:
    page = show(Patches())
    said, before = page.locator("attn-patches .reading"), numbers(page)
    assert (before[RING], before[MARKED]) == ("1.00", "0.00")
    expect(said).to_contain_text("add up to 11.3")
    page.get_by_role("button", name="Put the ring into the marked patch").click()
    expect(said).to_contain_text("add up to 11.0")
    assert (numbers(page)[RING], numbers(page)[MARKED]) == ("0.75", "0.25")
    page.get_by_role("button", name="Empty the marked patch").click()
    assert numbers(page) == before


def test_pixels_are_drawn_by_keyboard_and_a_fast_stroke_has_no_holes(show: Open) -> None:
    page = show(Patches(ink=["." * 20] * 20, noise=[[0.0] * 20] * 20))
    figure, picture = page.locator("attn-patches"), page.get_by_role("slider", name="Pixel")
    ink = "e => e.address.includes('%23') ? decodeURIComponent(e.address).split('#').length - 1 : 0"
    picture.press("ArrowRight")
    expect(picture).to_have_attribute("aria-valuenow", str(7 * 20 + 8))
    picture.press("Space")
    assert figure.evaluate(ink) == 1
    assert "ink, pixel 3, 4 of the patch in row 2, column 2" in (
        picture.get_attribute("aria-valuetext") or ""
    )
    picture.press("Space")
    assert figure.evaluate(ink) == 0
    first, last = (box_of(picture.locator(".ground").nth(at)) for at in (0, 3))
    y = first["y"] + first["height"] / 2
    page.mouse.move(first["x"] + 2, y)
    page.mouse.down()
    page.mouse.move(last["x"] + last["width"] - 2, y)
    page.mouse.up()
    assert figure.evaluate(ink) == 20


def test_a_finger_scrolls_between_the_patches_and_draws_in_them(show: Open) -> None:
    page = show(Patches(), viewport={"width": 390, "height": 800}, has_touch=True)
    picture = page.locator("attn-patches .picture")
    action = "e => getComputedStyle(e).touchAction"
    assert picture.evaluate(action) == "auto"
    assert picture.locator(".ground").first.evaluate(action) == "none"
    before = picture.locator(".pixels").last.get_attribute("d")
    picture.locator(".ground").nth(MARKED).tap()
    assert picture.locator(".pixels").last.get_attribute("d") != before

"""Figures under a finger: what is dragged stays put, and everything else scrolls the page.

A browser decides by ``touch-action`` whether a finger drags or scrolls. Pointer events made by a
script never ask it; the touches of the DevTools protocol do, as those of a real screen.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from attnlab.explorables import ContextVector, LshCircle, MaskPaint, Reach, RotaryDial, WindowMask

from ..conftest import PHONE, box_of
from .conftest import Open

ROOM = '<p style="height: 60rem">Above</p>{}<p style="height: 80rem">Below</p>'
STEPS = 6


@pytest.fixture
def phone(show: Open) -> Open:
    """Return a function that opens figures on a phone, with room to scroll above and below."""
    return lambda *figures: show(*figures, around=ROOM, **PHONE)


def centre(element: Locator) -> tuple[float, float]:
    """Bring an element into the middle of the screen, and return its own middle there."""
    # Until the next frame a finger would meet what was there before.
    element.evaluate("""e => {
        e.scrollIntoView({ block: "center", behavior: "instant" })
        return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    }""")
    box = box_of(element)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def swipe(page: Page, start: tuple[float, float], right: float, down: float) -> float:
    """Draw a finger over the screen, and return by how many pixels the page scrolled."""
    before = page.evaluate("scrollY")
    session = page.context.new_cdp_session(page)
    for step in range(STEPS + 1):
        part = step / STEPS
        session.send(
            "Input.dispatchTouchEvent",
            {"type": "touchMove" if step else "touchStart",
             "touchPoints": [{"x": start[0] + part * right, "y": start[1] + part * down}]},
        )  # fmt: skip
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()
    # A scroll is drawn in the frames that follow.
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return float(page.evaluate("scrollY") - before)


def movable(page: Page, name: str) -> Locator:
    return page.get_by_role("application", name=re.compile(rf"^{name} \("))


def components(mark: Locator) -> list[float]:
    label = str(mark.get_attribute("aria-label")).replace("−", "-")
    return [float(part) for part in re.findall(r"-?\d+\.\d+", label)]


@pytest.mark.parametrize(("right", "down"), [(0, 60), (-60, -60)])
@pytest.mark.parametrize("name", ["query", "key 2", "value 1"])
def test_vector_follows_the_finger_and_the_page_stays(
    phone: Open, name: str, right: float, down: float
) -> None:
    page = phone(ContextVector(query=[1.0, 0.0]))
    mark = movable(page, name)
    before = components(mark)
    # Half the side of the frame: the plane of the values fits them, from −0.2 to 1.
    which, limit = (1, 0.6) if name.startswith("value") else (0, 2)
    assert swipe(page, centre(mark.locator(".hit")), right, down) == 0
    # The whole way of the finger: one that the browser takes for a scroll ends after a few pixels.
    frame = box_of(page.locator("svg.plane .grid rect").nth(which))
    per_pixel = 2 * limit / frame["width"]
    expected = [before[0] + right * per_pixel, before[1] - down * per_pixel]
    assert components(mark) == pytest.approx(expected, abs=0.05 * max(limit, 1))


def test_empty_part_of_the_plane_scrolls_the_page(phone: Open) -> None:
    page = phone(ContextVector(query=[1.0, 0.0]))
    plane = page.locator("svg.plane").first
    x, y = centre(plane)
    corner = (x - 90, y + 90)  # no mark stands at the lower left
    assert swipe(page, corner, 0, -120) > 50


@pytest.mark.parametrize("last", [(4, 0), (0, 4), (4, 4)])
def test_mask_is_painted_in_every_direction_and_the_page_stays(
    phone: Open, last: tuple[int, int]
) -> None:
    page = phone(MaskPaint())
    rows = page.locator("attn-mask-paint .paint tbody tr")
    cells = [rows.nth(i).get_by_role("button") for i in range(5)]
    start = centre(cells[0].nth(0))
    target = box_of(cells[last[0]].nth(last[1]))
    right = target["x"] + target["width"] / 2 - start[0]
    down = target["y"] + target["height"] / 2 - start[1]
    assert swipe(page, start, right, down) == 0
    pressed = {
        (i, j)
        for i in range(5)
        for j in range(5)
        if cells[i].nth(j).get_attribute("aria-pressed") == "false"
    }
    step = (last[0] // 4, last[1] // 4)
    assert pressed == {(n * step[0], n * step[1]) for n in range(5)}


def test_beside_the_cells_of_the_mask_the_page_scrolls(phone: Open) -> None:
    page = phone(MaskPaint())
    names = page.locator("attn-mask-paint .paint tbody th")
    assert swipe(page, centre(names.nth(2)), 0, -120) > 50
    assert page.locator("attn-mask-paint .paint [aria-pressed=false]").count() == 0


def test_slider_is_drawn_sideways_and_the_page_stays(phone: Open) -> None:
    slider = phone(Reach()).get_by_role("slider", name="layers", exact=True)
    _, y = centre(slider)
    box = box_of(slider)
    share = slider.evaluate("e => (e.value - e.min) / (e.max - e.min)")
    thumb = (box["x"] + 8 + share * (box["width"] - 16), y)
    assert swipe(slider.page, thumb, box["x"] + box["width"] - 4 - thumb[0], 8) == 0
    assert slider.input_value() == slider.get_attribute("max")


def test_map_of_a_pattern_takes_a_tap_and_scrolls_the_page(phone: Open) -> None:
    page = phone(WindowMask())
    pattern = page.get_by_role("slider", name=re.compile("^Query whose row"))
    x, _ = centre(pattern)
    box = box_of(pattern)
    page.touchscreen.tap(x, box["y"] + box["height"] * 0.3)
    expect(pattern).to_have_attribute("aria-valuenow", "3")
    assert swipe(page, centre(pattern), 0, -120) > 50
    expect(pattern).to_have_attribute("aria-valuenow", "3")


def test_a_finger_moves_the_key_along_the_strips(phone: Open) -> None:
    page = phone(RotaryDial())
    key, strips = page.get_by_role("slider", name="position of the key"), page.locator(".strips")
    x, y = centre(strips)
    box = box_of(strips)
    assert swipe(page, (x - 0.3 * box["width"], y), 0.4 * box["width"], 0) == 0
    expect(key).to_have_value("38")


def test_a_finger_turns_the_query_on_its_circle(phone: Open) -> None:
    page = phone(LshCircle())
    direction = page.get_by_role("slider", name="direction of the query")
    assert swipe(page, centre(page.locator(".movable")), 0, 80) == 0
    assert int(direction.input_value()) > 300

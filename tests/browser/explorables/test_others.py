"""The other explorables in a real browser, by keyboard and mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from attnlab.explorables import ContextVector, FaultChecks, MaskPaint, Reach, SelfCross, WindowMask
from attnlab.explorables.base import Explorable

from ..conftest import PHONE, box_of, font_sizes
from .conftest import Open


def pressed(page: Page) -> list[list[bool]]:
    rows = page.locator("attn-mask-paint .paint tbody tr").all()
    return [
        [cell.get_attribute("aria-pressed") == "true" for cell in row.get_by_role("button").all()]
        for row in rows
    ]


@pytest.mark.parametrize("width", [1280, 672, 640, 390])
def test_no_column_of_a_mask_is_cut(show: Open, width: int) -> None:
    # 640 is a window of 1280 at 200 %: there two maps side by side do not fit.
    page = show(MaskPaint())
    page.set_viewport_size({"width": width, "height": 900})
    room = page.locator("attn-mask-paint .scroll").evaluate_all(
        "maps => maps.map(map => map.clientWidth - map.scrollWidth)"
    )
    assert room == [0, 0]


def test_mask_is_painted_with_the_mouse(show: Open) -> None:
    page = show(MaskPaint())
    row = page.locator("attn-mask-paint .paint tbody tr").nth(1).get_by_role("button")
    boxes = [box_of(row.nth(i)) for i in (1, 2, 3)]
    page.mouse.move(boxes[0]["x"] + 9, boxes[0]["y"] + 9)
    page.mouse.down()
    for box in boxes[1:]:
        page.mouse.move(box["x"] + 9, box["y"] + 9)
    page.mouse.up()
    assert pressed(page)[1] == [True, False, False, False, True]
    row.nth(2).click()  # one click, one change
    assert pressed(page)[1] == [True, False, True, False, True]


def test_mask_is_painted_by_keyboard_down_to_a_blind_row(show: Open) -> None:
    page = show(MaskPaint(answers=["mask"]))
    page.evaluate("addEventListener('answer', e => (window.got = e.detail))")
    first = page.locator("attn-mask-paint .paint button").first
    first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")
    assert pressed(page)[1] == [False] * 5
    assert pressed(page)[0] == [True] * 5
    figure = page.locator("attn-mask-paint")
    expect(figure).to_contain_text("“cat” sees nothing. Its row is all zero")
    blind = figure.locator("table.heat:not([role]) tbody tr").nth(1).locator("td")
    assert blind.all_inner_texts() == ["0.00"] * 5
    expect(blind.first).to_have_class("masked")
    page.get_by_role("button", name="Use as answer").click()
    mask = [[True] * 5, [False] * 5, *[[True] * 5] * 3]
    assert page.evaluate("window.got.values") == {"mask": mask}
    assert page.evaluate("window.got.code").splitlines()[:2] == [
        "mask = [",
        "    [True, True, True, True, True],",
    ]


@pytest.mark.parametrize("tapped", ["word", "name", "cell"])
def test_a_tap_on_a_word_or_a_cell_shows_that_query(show: Open, tapped: str) -> None:
    page = show(SelfCross(), has_touch=True)
    figure = page.locator("attn-self-cross section")
    marked = figure.locator("tr[aria-current] th")
    expect(marked).to_have_text("chat")
    assis = figure.locator("tbody tr", has_text="assis")
    target = {
        "word": figure.locator(".ribbons g", has_text="assis").locator(".hit"),
        "name": assis.locator("th"),
        "cell": assis.locator("td").nth(2),
    }[tapped]
    target.tap()
    expect(marked).to_have_text("assis")
    expect(page.get_by_label("assis")).to_be_checked()
    expect(figure.locator(".ribbons .label.query:not(.other)")).to_have_text("assis")
    box = box_of(target)
    assert min(box["width"], box["height"]) >= 24


@pytest.mark.parametrize(
    "figure",
    [ContextVector(), WindowMask(), Reach(), Reach(phrases=8, layers=8), SelfCross()],
    ids=repr,
)
def test_text_in_a_drawing_is_legible_on_a_phone(show: Open, figure: Explorable) -> None:
    page = show(figure, **PHONE)
    assert min(font_sizes(page.locator(f"{figure.element} section svg text"))) >= 11


def test_a_press_on_a_curve_chooses_the_step_at_which_checks_raise_the_alarm(show: Open) -> None:
    page = show(FaultChecks())
    figure = page.locator("attn-fault-checks")
    slider = page.get_by_role("slider", name="Look at the log after")
    slider.press("End")
    page.get_by_role("radio", name="no causal mask").check()
    # The correct program and the fault, check by check.
    raised = ["quiet", "alarm", "quiet", "quiet", "quiet", "alarm"]
    expect(figure.locator(".alarms td")).to_have_text(raised)
    chart = figure.locator(".chart").first
    box = box_of(chart)
    chart.click(position={"x": box["width"] * 0.39, "y": box["height"] / 2})
    expect(slider).to_have_attribute("aria-valuetext", "50 steps")
    said = "no causal mask: held-out loss 1.58, 0.38 of the decoded"
    expect(figure.locator("[aria-live]")).to_contain_text(said)

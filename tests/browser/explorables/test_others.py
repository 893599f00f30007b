"""The other explorables in a real browser, by keyboard and mouse."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

import attn
from attnlab.explorables import (
    ContextVector,
    MaskPaint,
    Reach,
    SelfCross,
    SoftDictionary,
    WindowMask,
)
from attnlab.explorables.base import Explorable

Open = Callable[..., Page]
LISTEN = "addEventListener('answer', e => (window.got = e.detail))"


def test_soft_dictionary_by_keyboard(show: Open) -> None:
    page = show(SoftDictionary())
    figure, slider = page.locator("attn-soft-dictionary"), page.get_by_role("slider")
    expect(figure).to_contain_text("KeyError: 'teal'")
    slider.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "0, exact lookup")
    expect(figure.locator("tfoot td").last).to_have_text("470.0")
    slider.press("End")
    weight = figure.locator("section tbody td:nth-child(3)")
    for shown in weight.all_inner_texts():
        assert float(shown) == pytest.approx(0.25, abs=0.006)
    slider.press("ArrowLeft")
    page.evaluate("document.querySelector('attn-soft-dictionary').setState({temperature: 0.5})")
    expected = SoftDictionary(temperature=0.5)
    expect(figure.locator("tfoot td").last).to_have_text(f"{expected.answer():.1f}")


def pressed(page: Page) -> list[list[bool]]:
    rows = page.locator("attn-mask-paint .paint tbody tr").all()
    return [
        [cell.get_attribute("aria-pressed") == "true" for cell in row.get_by_role("button").all()]
        for row in rows
    ]


def test_mask_presets_are_those_of_attn(show: Open) -> None:
    page = show(MaskPaint())
    causal = attn.causal_mask(5, 5)
    padding = np.broadcast_to(attn.padding_mask([4], 5)[0], (5, 5))
    presets = {"Causal": causal, "Padding": padding, "Causal and padding": causal & padding}
    for name, mask in presets.items():
        page.get_by_role("button", name=name, exact=True).click()
        assert pressed(page) == mask.tolist()
        shown = page.locator("attn-mask-paint table.heat:not([role]) tbody td").all_inner_texts()
        expected = attn.softmax(np.array(MaskPaint().score), mask=mask).ravel()
        seen = [float(t) if t != "masked" else 0.0 for t in shown]
        np.testing.assert_allclose(seen, expected, atol=6e-3)


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
    found = [row.nth(i).bounding_box() for i in (1, 2, 3)]
    boxes = [box for box in found if box]
    assert len(boxes) == 3
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
    page.evaluate(LISTEN)
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
    assert page.evaluate("window.got.code") == MaskPaint(mask=mask).answer_code()


def test_cross_attention_becomes_self_attention_by_its_keys(show: Open) -> None:
    page = show(SelfCross())
    figure = page.locator("attn-self-cross section")
    expect(figure.locator("thead th")).to_have_text(["The", "cat", "sat", "on", "the", "mat"])
    page.get_by_label("the same sentence").check()
    expect(figure.locator("thead th")).to_have_text(["Le", "chat", "était", "assis"])
    shown = [float(text) for text in figure.locator("tbody td").all_inner_texts()]
    own = SelfCross(attention="self").weights().ravel()
    np.testing.assert_allclose(shown, own, atol=6e-3)
    page.get_by_label("assis").check()
    spoken = "assis looks most at assis, with weight 0.63."
    expect(page.locator("attn-self-cross [aria-live]")).to_have_text(spoken)


def test_window_and_global_tokens_by_keyboard(show: Open) -> None:
    page = show(WindowMask(answers=["window", "global_tokens"]))
    page.evaluate(LISTEN)
    counts = page.locator("attn-window-mask section tbody td")
    expect(counts.nth(0)).to_have_text("74")
    page.get_by_role("slider", name="window").press("ArrowRight")
    page.get_by_role("button", name="0", exact=True).press("Enter")
    page.get_by_role("slider", name="layers").press("ArrowRight")
    expected = WindowMask(window=3, global_tokens=[0], num_layers=2)
    expect(counts.nth(0)).to_have_text(str(expected.mask().sum()))
    page.get_by_role("slider", name="Query whose row").press("End")
    expect(counts.nth(2)).to_have_text(str(expected.reach()[15].sum()))
    page.get_by_role("button", name="Use as answer").click()
    assert page.evaluate("window.got.code") == "window = 3\nglobal_tokens = [0]"
    page.locator("attn-window-mask").evaluate("el => el.setState({window: 0, global_tokens: []})")
    expect(counts.nth(0)).to_have_text("16")


def test_last_word_sees_further_by_keyboard_and_everything_by_attention(show: Open) -> None:
    page = show(Reach(answers=["kernel", "layers"]))
    page.evaluate(LISTEN)
    figure = page.locator("attn-reach")
    cells = figure.locator("section tbody tr").first.locator("td")
    expect(cells).to_have_text(["8 back", "out of reach", "5 layers"])
    expect(figure.locator(".words .masked")).to_have_text(["the apple", "under"])
    page.get_by_role("slider", name="layers").press("ArrowRight")
    expect(cells).to_have_text(["10 back", "seen", "5 layers"])
    expect(figure.locator(".words .masked")).to_have_count(0)
    page.get_by_role("slider", name="phrases").press("End")
    expect(figure.locator(".cone .unlit")).to_have_count(8)
    spoken = "“picked” does not see “the apple”, 18 tokens back: it sees 10 of them."
    expect(figure.get_by_role("img", name=spoken)).to_be_visible()
    expect(figure.locator("[aria-live]")).to_have_text(spoken)
    page.get_by_label("attention").check()
    expect(figure.locator(".cone .unlit")).to_have_count(0)
    expect(figure.locator(".cone .lit")).to_have_count(19 + 1)
    page.get_by_role("button", name="Use as answer").click()
    assert page.evaluate("window.got.code") == "kernel = 3\nlayers = 5"
    page.get_by_role("button", name="Reset").click()
    expect(cells).to_have_text(["8 back", "out of reach", "5 layers"])


@pytest.mark.parametrize("click", ["word", "name", "cell"])
@pytest.mark.parametrize("has_touch", [False, True])
def test_click_on_a_word_or_a_cell_shows_that_query(
    show: Open, click: str, has_touch: bool
) -> None:
    page = show(SelfCross(), has_touch=has_touch)
    figure = page.locator("attn-self-cross section")
    marked = figure.locator("tr[aria-current] th")
    expect(marked).to_have_text("chat")
    assis = figure.locator("tbody tr", has_text="assis")
    target = {
        "word": figure.locator(".ribbons g", has_text="assis").locator(".hit"),
        "name": assis.locator("th"),
        "cell": assis.locator("td").nth(2),
    }[click]
    target.tap() if has_touch else target.click()
    expect(marked).to_have_text("assis")
    expect(page.get_by_label("assis")).to_be_checked()
    expect(figure.locator(".ribbons .label.query:not(.other)")).to_have_text("assis")
    box = target.bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 24


def test_chosen_row_is_marked_in_both_matrices(show: Open) -> None:
    page = show(SelfCross(selected=2))
    figure = page.locator("attn-self-cross section")
    page.get_by_label("the same sentence").check()
    expect(figure.locator("tr[aria-current] th")).to_have_text("était")
    shadow = "e => getComputedStyle(e).boxShadow"
    assert figure.locator("tr[aria-current] td").first.evaluate(shadow) != "none"
    assert figure.locator("tbody tr:not([aria-current]) td").first.evaluate(shadow) == "none"


def font_sizes(page: Page, figure: str) -> list[float]:
    """Return the sizes at which the texts of a figure's drawings are displayed, in CSS pixels."""
    return page.locator(f"{figure} section svg text").evaluate_all(
        """all => all.map(t => {
            const m = t.getScreenCTM();
            return parseFloat(getComputedStyle(t).fontSize) * Math.hypot(m.a, m.b);
        })"""
    )


@pytest.mark.parametrize(
    "figure",
    [ContextVector(), WindowMask(), Reach(), Reach(phrases=8, layers=8), SelfCross()],
    ids=repr,
)
def test_text_in_a_drawing_is_legible_on_a_phone(show: Open, figure: Explorable) -> None:
    page = show(figure, viewport={"width": 390, "height": 844})
    sizes = font_sizes(page, figure.element)
    assert sizes
    assert min(sizes) >= 11

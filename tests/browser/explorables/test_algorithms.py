"""Explorables of algorithms in a real browser: by keyboard, mouse and finger."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from attnlab.explorables import AxialGrid, LshCircle, OnlineSoftmax, RotaryDial, Tiles

Open = Callable[..., Page]
LISTEN = "addEventListener('answer', e => (window.got = e.detail))"


def test_rotary_positions_move_together_and_the_score_stays(show: Open) -> None:
    page = show(RotaryDial(answers=["query_position", "key_position"]))
    page.evaluate(LISTEN)
    figure = page.locator("attn-rotary-dial")
    products = figure.locator("section tbody td:last-child")
    before = products.all_inner_texts()
    query = page.get_by_role("slider", name="position of the query")
    key = page.get_by_role("slider", name="position of the key")
    page.get_by_label("Move both").check()
    query.press("End")
    expect(query).to_have_value("63")
    expect(key).to_have_value("60")
    assert products.all_inner_texts() == before
    page.get_by_label("Move both").uncheck()
    strips = figure.locator(".strips")
    box = strips.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 19.5 / 64, box["y"] + 40)
    page.mouse.up()
    expect(key).to_have_value("19")
    expect(products.first).to_have_text("1.000")
    page.get_by_role("button", name="Use as answer").click()
    assert page.evaluate("window.got.code") == "query_position = 63\nkey_position = 19"
    expect(figure.locator("[aria-live]")).to_contain_text("Query at 63, key at 19, 44 apart")
    page.get_by_role("button", name="Reset").click()
    assert products.all_inner_texts() == before


def test_a_finger_moves_the_key_along_the_strips(show: Open) -> None:
    page = show(
        RotaryDial(), viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    strips = page.locator("attn-rotary-dial .strips")
    strips.scroll_into_view_if_needed()
    box = strips.bounding_box()
    assert box is not None
    session = page.context.new_cdp_session(page)
    y = box["y"] + box["height"] / 2
    for kind, part in (("touchStart", 0.2), ("touchMove", 0.4), ("touchMove", 0.6)):
        touch = {"x": box["x"] + part * box["width"], "y": y}
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [touch]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.get_by_role("slider", name="position of the key")).to_have_value("38")


def test_blocks_arrive_one_by_one_and_end_at_the_softmax(show: Open) -> None:
    page = show(OnlineSoftmax(answers=["scores"]))
    page.evaluate(LISTEN)
    figure = page.locator("attn-online-softmax")
    steps = figure.locator("section .scroll tbody tr")
    last = figure.locator("section tfoot td").last
    following = page.get_by_role("button", name="Next block")
    expect(steps).to_have_count(1)
    expect(figure.locator(".keys .masked")).to_have_count(3 * 6)
    expect(last).to_have_text("…")
    for _ in range(5):  # two presses more than there are blocks
        following.press("Enter")
    expect(steps).to_have_count(4)
    expect(following).to_be_focused()
    expect(following).to_have_attribute("aria-disabled", "true")
    expected = f"{OnlineSoftmax().output():.2f}"
    expect(last).to_have_text(expected)
    expect(steps.last.locator("td").last).to_have_text(expected)
    page.get_by_label("fifth component").or_(page.get_by_label("5th component")).fill("5")
    expect(steps.nth(2).locator("td").nth(2)).to_have_text("0.050")
    page.get_by_role("button", name="Use as answer").click()
    code = "scores = [2.0, 1.0, 0.0, 1.0, 5.0, -1.0, 3.0, 2.0]"
    assert page.evaluate("window.got.code") == code
    page.get_by_role("slider", name="keys in a block").press("End")
    expect(steps).to_have_count(1)
    expect(last).to_have_text(f"{OnlineSoftmax(scores=[2, 1, 0, 1, 5, -1, 3, 2]).output():.2f}")


def test_a_query_is_dragged_round_the_circle_and_rounds_find_more(show: Open) -> None:
    page = show(LshCircle(answers=["num_buckets", "num_rounds"]))
    page.evaluate(LISTEN)
    figure = page.locator("attn-lsh-circle")
    direction = page.get_by_role("slider", name="direction of the query")
    box, handle = figure.locator(".circle").bounding_box(), figure.locator(".movable")
    assert box is not None
    handle.hover()
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] / 2)
    page.mouse.up()
    expect(direction).to_have_value("180")
    page.get_by_role("slider", name="buckets").press("ArrowLeft")
    page.get_by_role("slider", name="rounds").press("ArrowRight")
    recall, compared = LshCircle(num_buckets=6, num_rounds=2).mean()
    everywhere = figure.locator("section tbody tr").nth(1).locator("td")
    expect(everywhere).to_have_text([f"{recall:.2f}", f"{compared:.1f}"])
    expect(figure.locator(".arc")).to_have_count(2)
    page.get_by_role("button", name="Use as answer").click()
    assert page.evaluate("window.got.code") == "num_buckets = 6\nnum_rounds = 2"
    # An answer that a reader typed may be anything, and must not stop the page.
    figure.evaluate("el => el.setState({num_buckets: 1e9, num_rounds: -3})")
    expect(figure.locator(".arc")).to_have_count(1)
    page.get_by_role("button", name="Draw other rotations").click()
    expect(figure.locator("[aria-live]")).to_contain_text("Query at 180 degrees")
    page.get_by_role("button", name="Reset").click()
    expect(direction).to_have_value("40")


def test_a_finger_turns_the_query_and_the_page_stays(show: Open) -> None:
    room = '<p style="height: 60rem">Above</p>{}<p style="height: 80rem">Below</p>'
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = show(LshCircle(), around=room, **phone)
    circle = page.locator("attn-lsh-circle .circle")
    circle.evaluate("e => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box, start = circle.bounding_box(), page.locator("attn-lsh-circle .movable").bounding_box()
    assert box is not None
    assert start is not None
    before = page.evaluate("scrollY")
    session = page.context.new_cdp_session(page)
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    for step in range(5):
        touch = {"x": x, "y": y + step * 20}
        kind = "touchMove" if step else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [touch]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function(
        "document.querySelector('attn-lsh-circle').shadowRoot.querySelector('input').value > 300"
    )
    assert page.evaluate("scrollY") == before


def test_a_tile_grows_until_it_does_not_fit(show: Open) -> None:
    page = show(Tiles(answers=["tile"]))
    page.evaluate(LISTEN)
    figure = page.locator("attn-tiles")
    moved = figure.locator("section tbody tr").nth(1).locator("td").first
    tile = page.get_by_role("slider", name="queries and keys in a tile")
    for _ in range(3):
        tile.press("ArrowRight")
    expect(moved).to_have_text(f"{Tiles(tile=128).moved_by_tiles() / 2**20:.1f} MiB")
    page.get_by_role("button", name="Use as answer").click()
    assert page.evaluate("window.got.code") == "tile = 128"
    tile.press("ArrowRight")
    expect(moved).to_have_text("does not fit")
    page.get_by_role("slider", name="memory on the chip").press("End")
    expect(figure.locator(".verdict")).to_contain_text("does not fit")
    page.get_by_role("button", name="Reset").click()
    expect(figure.locator(".verdict")).to_contain_text("16 × 16")


def test_a_position_is_composed_of_two_rows(show: Open) -> None:
    page = show(AxialGrid())
    figure = page.locator("attn-axial-grid")
    words, learned = figure.locator(".verdict"), figure.locator("section tbody td:last-child")
    expect(words).to_contain_text("Position 21: row 1 of the first table beside row 5")
    expect(learned).to_have_text(["640", "4096"])
    figure.locator("[data-position='63']").click()
    expect(words).to_contain_text("Position 63: row 3 of the first table beside row 15")
    page.get_by_label("column by column").check()
    figure.locator("[data-position='1']").click()
    expect(words).to_contain_text("Position 1: row 1 of the first table beside row 0")
    page.get_by_role("slider", name="position").press("End")
    page.get_by_role("slider", name="rows of the second table").press("Home")
    expect(words).to_contain_text("Position 3: row 3 of the first table beside row 0")
    expect(learned).to_have_text(["160", "256"])

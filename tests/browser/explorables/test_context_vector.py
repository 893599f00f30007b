"""The context vector in a real browser: mouse, keyboard, numbers, answers."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from attnlab.explorables import ContextVector

from ..conftest import PHONE, box_of
from .conftest import Open


def point(page: Page, name: str) -> Locator:
    return page.get_by_role("application", name=re.compile(rf"^{name} \("))


def drag(page: Page, mark: Locator, right: float, down: float) -> None:
    """Drag a mark by so many CSS pixels."""
    box = box_of(mark.locator(".hit"))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right / 2, y + down / 2)
    page.mouse.move(x + right, y + down)
    page.mouse.up()


def test_everything_by_keyboard(show: Open) -> None:
    page = show(ContextVector(answers=["query"]))
    order = []
    for _ in range(20):
        page.keyboard.press("Tab")
        active = page.evaluate(
            "() => { const a = document.activeElement?.shadowRoot?.activeElement;"
            " return a && (a.getAttribute('aria-label') || a.textContent || a.type) }"
        )
        if active is None:
            break
        order.append(re.sub(r" \(.*", "", active))
    assert order[:4] == ["key 1", "key 2", "query", "checkbox"]
    assert order[4:] == ["value 1", "value 2", "Type numbers", "Reset", "Use as answer"]

    query = point(page, "query")
    query.focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowUp")
    expect(query).to_have_attribute("aria-label", "query (0.40, 0.00)")
    page.get_by_text("Type numbers").press("Enter")
    field = page.get_by_label("query, first component")
    expect(field).to_have_value("0.4")
    field.press("ArrowUp")
    expect(query).to_have_attribute("aria-label", "query (0.50, 0.00)")


def test_numbers_are_typed_and_half_typed_ones_are_left_alone(show: Open) -> None:
    page = show(ContextVector(query=[1.0, 0.0]))
    page.get_by_text("Type numbers").click()
    field = page.get_by_label("query, first component")
    field.fill("")
    expect(point(page, "query")).to_have_attribute("aria-label", "query (1.00, 0.00)")
    field.press_sequentially("-1.25")
    expect(point(page, "query")).to_have_attribute("aria-label", "query (−1.25, 0.00)")
    field.fill("99")
    field.blur()
    expect(field).to_have_value("9")  # the farthest that can be typed, and the plane grows
    expect(page.locator("attn-context-vector svg .tick").last).to_be_attached()


def test_an_exercise_states_the_task_and_has_a_button_for_the_answer(show: Open) -> None:
    page = show(ContextVector(task="Look"))
    expect(page.get_by_text("Look")).to_be_visible()
    expect(page.get_by_role("button", name="Use as answer")).to_have_count(0)
    page = show(ContextVector(task="Look"), around='<section data-exercise="x">{}</section>')
    expect(page.get_by_text("Look")).to_have_count(0)
    expect(page.get_by_role("button", name="Use as answer")).to_be_visible()


THREE = {
    "key": [[1.0, 0.5], [-0.5, 1.0], [-0.5, -1.0]],
    "value": [[0.9, 0.2], [0.2, 0.9], [0.1, 0.1]],
}


def test_cause_and_effect_share_a_phone_screen(show: Open) -> None:
    page = show(ContextVector(**THREE), **PHONE)
    planes = page.locator("attn-context-vector svg.plane")
    first, last = box_of(planes.first), box_of(planes.last)
    table = box_of(page.locator("attn-context-vector section table"))
    assert first["y"] < table["y"] < last["y"]
    assert last["y"] + last["height"] - first["y"] <= 844
    output = page.get_by_role("img", name=re.compile("^context"))
    weights = page.locator("attn-context-vector section tbody td:nth-child(4)")
    before = (output.get_attribute("transform"), weights.all_inner_texts())
    point(page, "query").press("Shift+ArrowLeft")
    assert output.get_attribute("transform") != before[0]
    assert weights.all_inner_texts() != before[1]


def test_plane_of_values_shows_what_is_there(show: Open) -> None:
    page = show(ContextVector(**THREE))
    frame = box_of(page.locator("attn-context-vector svg.plane").last.locator(".grid rect"))
    boxes = [box_of(point(page, f"value {n}").locator(".hit")) for n in (1, 2, 3)]
    places = [box["x"] + box["width"] / 2 for box in boxes]
    assert max(places) - min(places) > 0.6 * frame["width"]
    # A value that is dragged to the edge has room beyond it once it is let go.
    drag(page, point(page, "value 1"), right=0, down=600)
    expect(point(page, "value 1")).to_have_attribute("aria-label", re.compile(r"−0\.20\)$"))
    drag(page, point(page, "value 1"), right=0, down=600)
    expect(point(page, "value 1")).not_to_have_attribute("aria-label", re.compile(r"−0\.20\)$"))


def test_a_task_that_is_done_is_acknowledged(show: Open) -> None:
    goal = {"goal": [1 / 3] * 3, "goal_text": "equal weights"}
    page = show(ContextVector(query=[0.5, 0.0], **THREE, **goal))
    done = page.get_by_text("✓ equal weights")
    expect(done).to_have_count(0)
    for _ in range(5):
        point(page, "query").press("ArrowLeft")
    expect(done).to_be_visible()
    live = page.locator("attn-context-vector [aria-live=polite]")
    expect(live).to_contain_text("Done: equal weights.")
    point(page, "query").press("ArrowLeft")
    expect(done).to_have_count(0)


def test_a_goal_for_divided_scores_is_not_reached_without(show: Open) -> None:
    goal = {"goal": [0.881, 0.119], "goal_scaled": True, "goal_text": "the first weights"}
    page = show(ContextVector(query=[2.0, 0.0], **goal))
    expect(page.get_by_text("✓")).to_have_count(0)
    page.get_by_label("Divide the scores by √2").check()
    expect(page.get_by_text("✓")).to_have_count(0)
    page.locator("attn-context-vector").evaluate("el => el.setState({query: [2.83, 0]})")
    expect(page.get_by_text("✓ the first weights")).to_be_visible()

"""The context vector in a real browser: mouse, touch, keyboard, numbers, answers."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from attnlab.explorables import ContextVector

Open = Callable[..., Page]


def numbers(text: str) -> list[float]:
    return [float(x) for x in re.findall(r"-?\d+(?:\.\d+)?", text.replace("−", "-"))]


def sums(page: Page) -> list[float]:
    """Return the context vector that the table below the figure shows."""
    return numbers(page.locator("attn-context-vector tfoot td").last.inner_text())


def weights(page: Page) -> list[float]:
    shown = page.locator("attn-context-vector section tbody td:nth-child(4)")
    return [float(text) for text in shown.all_inner_texts()]


def point(page: Page, name: str) -> Locator:
    return page.get_by_role("application", name=re.compile(rf"^{name} \("))


def drag(page: Page, mark: Locator, right: float, down: float) -> None:
    """Drag a mark by so many CSS pixels."""
    box = mark.locator(".hit").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right / 2, y + down / 2)
    page.mouse.move(x + right, y + down)
    page.mouse.up()


def test_query_is_dragged_with_the_mouse(show: Open) -> None:
    page = show(ContextVector(query=[1.0, 0.0]))
    assert sums(page) == [0.419, 0.581]
    drag(page, point(page, "query"), right=-400, down=0)
    # It stops at the edge of the plane: (-2, 0) turns the weights over.
    expect(point(page, "query")).to_have_attribute("aria-label", "query (−2.00, 0.00)")
    assert weights(page) == [0.119, 0.881]


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
    field.fill("")
    field.blur()
    expect(field).to_have_value("9")


def test_summary_is_spoken_once_the_figure_rests(show: Open) -> None:
    page = show(ContextVector(query=[1.0, 0.0]))
    live = page.locator("attn-context-vector [aria-live=polite]")
    expect(live).to_have_text("")
    point(page, "query").press("ArrowLeft")
    expect(live).to_have_text("Weights 0.71 and 0.29. Context vector (0.41, 0.59).")


EXERCISE = '<section data-exercise="x">{}</section>'
LISTEN = "addEventListener('answer', e => (window.got = e.detail))"


def test_answer_is_offered_in_an_exercise_and_restored_from_it(show: Open) -> None:
    page = show(ContextVector(task="Not shown here"), around=EXERCISE)
    expect(page.get_by_text("Not shown here")).to_have_count(0)  # the exercise states the task
    page.evaluate(LISTEN)
    page.locator("attn-context-vector").evaluate("el => el.setState({query: [-1.5, 0.5]})")
    page.get_by_role("button", name="Use as answer").click()
    assert page.evaluate("window.got") == {
        "code": "query = [-1.5, 0.5]",
        "values": {"query": [-1.5, 0.5]},
    }


def test_answers_that_do_not_fit_are_left_out(show: Open) -> None:
    page = show(ContextVector(query=[1.0, 0.0]))
    for bad in ("{query: [1]}", "{query: 'x', key: null}", "{query: [NaN, 1]}", "{nonsense: 1}"):
        page.locator("attn-context-vector").evaluate(f"el => el.setState({bad})")
    assert sums(page) == [0.419, 0.581]


def test_no_button_for_answers_where_nothing_asks(show: Open) -> None:
    page = show(ContextVector(task="Look"))
    expect(page.get_by_text("Look")).to_be_visible()
    expect(page.get_by_role("button", name="Use as answer")).to_have_count(0)


THREE = {
    "key": [[1.0, 0.5], [-0.5, 1.0], [-0.5, -1.0]],
    "value": [[0.9, 0.2], [0.2, 0.9], [0.1, 0.1]],
}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def test_cause_and_effect_share_a_phone_screen(show: Open) -> None:
    page = show(ContextVector(**THREE), **PHONE)
    planes = page.locator("attn-context-vector svg.plane")
    first, last = planes.first.bounding_box(), planes.last.bounding_box()
    table = page.locator("attn-context-vector section table").bounding_box()
    assert first
    assert last
    assert table
    assert first["y"] < table["y"] < last["y"]
    assert last["y"] + last["height"] - first["y"] <= 844
    # What a finger does at the top changes the numbers and the picture below, without scrolling.
    page.evaluate(f"scrollTo(0, {first['y'] - 20})")
    query, output = point(page, "query"), page.get_by_role("img", name=re.compile("^context"))
    before = (output.get_attribute("transform"), weights(page))
    query.press("Shift+ArrowLeft")
    assert output.get_attribute("transform") != before[0]
    assert weights(page) != before[1]
    for seen in (query, output):
        box = seen.bounding_box()
        assert box
        assert 0 <= box["y"] <= 844 - box["height"]


def test_plane_of_values_shows_what_is_there(show: Open) -> None:
    page = show(ContextVector(**THREE))
    plane = page.locator("attn-context-vector svg.plane").last
    frame, spread = plane.locator(".grid rect").bounding_box(), []
    for name in ("value 1", "value 2", "value 3"):
        box = point(page, name).locator(".hit").bounding_box()
        assert box
        spread.append(box["x"] + box["width"] / 2)
    assert frame
    assert max(spread) - min(spread) > 0.6 * frame["width"]
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

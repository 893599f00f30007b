"""A gradient from draws, in a real browser: by keyboard, by finger, and what is typed."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from attnlab.explorables import GradientDraws

Open = Callable[..., Page]
LISTEN = "addEventListener('answer', e => (window.got = e.detail))"


def errors(shown: GradientDraws, *baselines: float) -> list[list[str]]:
    """Return the table that belongs to a state, without its first row."""
    return [[f"{shown.standard_error(b):.3f}", f"{shown.error(b):.3f}"] for b in baselines]


def rows(page: Page) -> list[list[str]]:
    found = page.locator("attn-gradient-draws .outcome tbody tr").all()
    return [row.locator("td").all_inner_texts() for row in found]


def test_the_error_falls_with_draws_and_with_a_baseline(show: Open) -> None:
    page = show(GradientDraws(answers=["score", "baseline", "num_draws"]))
    page.evaluate(LISTEN)
    figure = page.locator("attn-gradient-draws")
    assert rows(page) == [["0.000", "0.000"], *errors(GradientDraws(), 0)]
    page.get_by_role("button", name="Draw one more").press("Enter")
    page.get_by_role("button", name="Draw one more").press("Enter")
    chosen = GradientDraws(num_draws=12).chosen()
    expect(figure.locator(".drawn")).to_contain_text(f"Draw 12: key {chosen[-1] + 1}, loss")
    assert rows(page)[1:] == errors(GradientDraws(num_draws=12), 0)
    page.get_by_role("slider", name="draws").press("ArrowRight")
    page.get_by_role("slider", name="draws").press("ArrowRight")
    for _ in range(6):
        page.get_by_role("slider", name="score of the right key").press("ArrowRight")
    for _ in range(13):
        page.get_by_role("slider", name="baseline").press("ArrowRight")
    reached = GradientDraws(score=3, baseline=0.8125, num_draws=50)
    assert rows(page)[1:] == errors(reached, 0, 0.8125)
    page.get_by_role("button", name="Use as answer").click()
    assert page.evaluate("window.got.code") == "score = 3.0\nbaseline = 0.8125\nnum_draws = 50"
    expect(figure.locator("[aria-live]")).to_contain_text("50 draws with baseline 0.8125")
    page.get_by_role("button", name="Other draws").click()
    other = GradientDraws(score=3, baseline=0.8125, num_draws=50, seed=1)
    assert rows(page)[1:] == errors(other, 0, 0.8125)
    page.get_by_text("The numbers of all keys").click()
    right = figure.locator("details tbody tr").nth(3)
    expect(right).to_contain_text(f"4 (right)−{-other.exact()[3]:.4f}")
    # An answer that a reader typed may be anything, and must not stop the page.
    figure.evaluate("el => el.setState({num_draws: 1e9, baseline: -3, score: 99})")
    widest = GradientDraws(score=5, num_draws=30_000, seed=1)
    assert rows(page)[1:] == errors(widest, 0)
    page.get_by_role("button", name="Reset").click()
    assert rows(page)[1:] == errors(GradientDraws(), 0)


def test_a_finger_moves_the_baseline(show: Open) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = show(GradientDraws(), **phone)
    slider = page.get_by_role("slider", name="baseline")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    session = page.context.new_cdp_session(page)
    y = box["y"] + box["height"] / 2
    for kind, part in (("touchStart", 0.03), ("touchMove", 0.3), ("touchMove", 0.5)):
        touch = {"x": box["x"] + part * box["width"], "y": y}
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [touch]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(slider).to_have_value("12")
    assert rows(page)[1:] == errors(GradientDraws(baseline=0.75), 0, 0.75)


FALLEN = """() => {
    window.fallen = 0;
    const bins = document.querySelector('attn-gradient-draws').shadowRoot.querySelector('.bins');
    const count = records => records.forEach(record => (fallen += record.addedNodes.length));
    new MutationObserver(count).observe(bins.lastChild, { childList: true });
}"""


def test_draws_fall_into_their_bins(show: Open) -> None:
    counts = [0] * 16
    for key in GradientDraws(num_draws=21).chosen():
        counts[key] += 1
    told = f"Draws on each key: {', '.join(map(str, counts[:-1]))} and {counts[-1]}"
    for motion, fallen in (("no-preference", [1, 22]), ("reduce", [0, 0])):
        page = show(GradientDraws(num_draws=20), reduced_motion=motion)
        page.evaluate(FALLEN)
        page.get_by_role("button", name="Draw one more").click()
        assert page.evaluate("fallen") == fallen[0]
        expect(page.locator(".bins")).to_have_accessible_name(told)
        page.get_by_role("button", name="Other draws").click()
        assert page.evaluate("fallen") == fallen[1]
        expect(page.locator(".bins circle")).to_have_count(0)  # they have arrived

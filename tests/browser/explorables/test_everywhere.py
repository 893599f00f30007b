"""What holds for all explorables: accessible, at rest, bounded, there when needed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from attnlab import explorables
from attnlab.explorables import ContextVector
from attnlab.explorables.base import Explorable

from ..test_accessibility import violations
from .conftest import Open


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_accessible_and_within_the_page(show: Open, theme: str, width: int) -> None:
    kinds = Explorable.__subclasses__()
    shown = [kind(task="Move it.", answers=list(kind.names[:1])) for kind in kinds]
    # Without motion, so that no colour is measured on its way from one weight to the next.
    page = show(*shown, theme=theme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    page.get_by_role("button", name="Causal", exact=True).click()
    for fold in page.locator("summary").all():
        fold.click()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_nothing_moves_for_readers_who_asked_for_that(show: Open) -> None:
    moving = """[...document.querySelectorAll("[data-explorable]")].flatMap(figure =>
        [...figure.shadowRoot.querySelectorAll("*")].filter(e => {
            const { transitionDuration, animationName } = getComputedStyle(e);
            return !/^0s(, 0s)*$/.test(transitionDuration) || animationName !== "none";
        }).map(e => `${figure.localName} ${e.localName}.${e.getAttribute("class")}`))"""
    kinds = Explorable.__subclasses__()
    assert show(*(kind() for kind in kinds)).evaluate(moving) != []
    assert show(*(kind() for kind in kinds), reduced_motion="reduce").evaluate(moving) == []


#: Moves each slider of a figure to its ends; returns the labels of those that change nothing.
IDLE = """figure => {
    const root = figure.shadowRoot;
    const shown = () => [...root.querySelectorAll("svg, table, p")].map(e => e.outerHTML).join();
    const move = (slider, to) => {
        slider.value = to;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        return shown();
    };
    const labels = [...root.querySelectorAll("input[type=range]")].map((_, at) => {
        [...root.querySelectorAll("button")].find(e => e.textContent === "Reset")?.click();
        const slider = root.querySelectorAll("input[type=range]")[at];
        const first = move(slider, slider.min);
        const label = slider.ariaLabel ?? slider.labels[0].textContent;
        return move(slider, slider.max) === first ? label : "";
    });
    return labels.filter(Boolean);
}"""
#: What fetches a model before it follows has tests of its own.
HAVE_MODELS = {"Circuit", "HeadBrowser", "Translation", "Writer", "YourWriter"}


def test_every_slider_changes_what_is_shown(show: Open) -> None:
    kinds = [kind for kind in Explorable.__subclasses__() if kind.__name__ not in HAVE_MODELS]
    page = show(*(kind() for kind in kinds))
    for kind in kinds:
        assert page.locator(kind.element).evaluate(IDLE) == [], kind


def test_an_answer_beyond_all_bounds_does_not_stop_a_figure(show: Open) -> None:
    kinds = ("GradientDraws", "LshCircle", "OnlineSoftmax", "AttentionRow")
    page = show(*(getattr(explorables, kind)() for kind in kinds))
    circle = page.locator("attn-lsh-circle")
    circle.evaluate("e => e.setState({num_buckets: 1e9, num_rounds: -3})")
    expect(circle.locator(".arc")).to_have_count(1)
    draws = page.locator("attn-gradient-draws")
    draws.evaluate("e => e.setState({num_draws: 1e9, baseline: -3, score: 99})")
    expect(draws.get_by_role("slider", name="draws")).to_have_attribute("aria-valuetext", "30,000")
    page.locator("attn-online-softmax").evaluate("e => e.setState({block: -3, arrived: 1e9})")
    row = page.locator("attn-attention-row")
    before = row.evaluate("e => e.shadowRoot.textContent")
    row.evaluate("e => e.setState({selected: 99})")
    assert row.evaluate("e => e.shadowRoot.textContent") == before


#: Pretends that the page is never idle, and counts what asks for it.
BUSY = "window.requestIdleCallback = () => (window.asked = (window.asked ?? 0) + 1)"


@pytest.mark.parametrize("by", ["scrolling", "print", "answer", "idleness"])
def test_a_figure_far_below_waits_until_it_is_needed(show: Open, by: str) -> None:
    far_below = '<p style="height: 6000px">Above</p>{}'
    page = show(ContextVector(query=[1.0, 0.0]), around=far_below)
    figure = page.locator("attn-context-vector")
    if by != "idleness":
        page.add_init_script(BUSY)
        page.reload()
        page.wait_for_function("() => window.asked === 1")
        assert not figure.evaluate("e => !!e.shadowRoot")
        expect(figure.locator(".attn-note")).to_be_visible()
    if by == "scrolling":
        figure.evaluate("e => e.scrollIntoView()")
    if by == "print":
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
    if by == "answer":
        figure.evaluate("e => e.setState({ query: [0, 1] })")
        expect(figure.get_by_role("application", name="query (0.00, 1.00)")).to_be_attached()
        figure.get_by_role("button", name="Reset").click()
    expect(figure.get_by_role("application", name="query (1.00, 0.00)")).to_be_attached()

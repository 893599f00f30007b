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

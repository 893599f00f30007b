"""A fault's log beside the healthy one: the slider and a press on a curve choose the step."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from attnlab.explorables import FaultChecks

Open = Callable[..., Page]


def test_checks_raise_the_alarm_over_the_chosen_fault_at_the_chosen_step(show: Open) -> None:
    page = show(FaultChecks())
    cells = page.locator("attn-fault-checks .alarms td")

    def raised(*expected: str) -> None:
        # The correct program and the fault, check by check.
        expect(cells).to_have_text(list(expected))

    raised("quiet", "quiet", "quiet", "quiet", "alarm", "alarm")
    page.get_by_role("radio", name="learning rate").check()
    raised("quiet", "quiet", "quiet", "alarm", "alarm", "alarm")
    slider = page.get_by_role("slider", name="Look at the log after")
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "800 steps")
    raised("quiet", "quiet", "quiet", "quiet", "quiet", "quiet")
    page.get_by_role("radio", name="no causal mask").check()
    raised("quiet", "alarm", "quiet", "quiet", "quiet", "alarm")
    chart = page.locator("attn-fault-checks .chart").first
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": box["width"] * 0.39, "y": box["height"] / 2})
    expect(slider).to_have_attribute("aria-valuetext", "50 steps")
    summary = page.locator("attn-fault-checks [aria-live]")
    expect(summary).to_contain_text("no causal mask: held-out loss 1.58, 0.38 of the decoded")

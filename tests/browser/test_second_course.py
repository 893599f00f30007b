"""The page of a second course in a browser: its figure, its folds, its code, its colours."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tools.site.project import Project

from .conftest import serving, watched
from .exercises import LOADED, block, press, results, write
from .test_accessibility import violations


@pytest.fixture(scope="module")
def address(second_course: Project) -> Iterator[str]:
    with serving(second_course.html) as made:
        yield made


@pytest.fixture
def walks(address: str, browser: Browser) -> Iterator[Page]:
    """Return the chapter's page. A fault of it fails the test."""
    with watched(browser, address) as page:
        page.goto("random-walks.html")
        yield page


def test_figure_is_alive(walks: Page) -> None:
    figure = walks.locator("walks-spread")
    expect(figure).to_be_hidden()
    summary = walks.locator("#deeper-how-far-is-typical > details > summary")
    expect(summary).to_have_text("What goes deeper: about 10 minutes")
    summary.press("Enter")
    expect(figure.locator("rect")).to_have_count(17)
    figure.get_by_label("Steps").press("ArrowRight")
    expect(figure.locator("output")).to_have_text(" 17 steps, typical distance 4.12")
    expect(figure.locator("rect")).to_have_count(18)


@pytest.mark.parametrize("place", ["deeper-how-far-is-typical", "exercise-twice-as-far"])
def test_a_link_opens_the_section_that_it_leads_to(walks: Page, place: str) -> None:
    expect(block(walks, "twice-as-far")).to_be_hidden()
    walks.evaluate("place => { location.hash = place }", place)
    expect(block(walks, "twice-as-far")).to_be_visible()
    walks.reload()
    expect(walks.locator(f"#{place}")).to_be_in_viewport()
    expect(block(walks, "twice-as-far")).to_be_visible()


def test_what_goes_deeper_is_printed(walks: Page) -> None:
    walks.emulate_media(media="print")
    expect(block(walks, "twice-as-far")).to_be_visible()
    expect(walks.locator("details.ck-deeper > summary")).to_be_hidden()


def test_axe_finds_nothing_in_what_goes_deeper(walks: Page) -> None:
    assert violations(walks) == []
    walks.locator("details.ck-deeper > summary").click()
    assert violations(walks) == []


def test_code_is_run_and_checked_with_the_course_s_own_library(walks: Page) -> None:
    exercise = block(walks, "mean-square")
    write(exercise, "import walks\ndef mean_square(x):\n    return (x**2).mean(axis=0)\n")
    press(exercise, "Check")
    expect(results(exercise)).to_contain_text("Three walks of four steps", timeout=LOADED)
    expect(results(exercise)).not_to_contain_text("No module named")


def test_colours_are_the_course_s(walks: Page) -> None:
    colour = "e => getComputedStyle(e).getPropertyValue('--ck-ink').trim()"
    assert block(walks, "mean-square").evaluate(colour) == "#7a4b00"

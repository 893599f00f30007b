"""Lines put in order with a mouse, a finger and the keyboard, on a desktop and on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tools.site.project import Project

from ..coursekit_web.conftest import build
from .conftest import BARE, DESKTOP, PHONE, box_of, come_to_rest, serving, watched
from .explorables.test_touch import swipe

RIGHT = ["g", "d", ">b", ">f", "e", "a"]
TEXT = "# Lines\n\n```{exercise} order-lines\n```\n\n" + "A line of text.\n\n" * 40


@pytest.fixture(scope="module")
def book(project: Project, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a page with one Parsons problem."""
    folder = tmp_path_factory.mktemp("parsons")
    (folder / "index.md").write_text(TEXT, encoding="utf-8")
    out = build(folder, assets=project.assets).out
    with serving(out) as address:
        yield address


@pytest.fixture
def show(browser: Browser, book: str) -> Iterator[Callable[..., Page]]:
    """Return a function that opens the page in a window of some size."""
    with ExitStack() as pages:

        def opened(**settings: Any) -> Page:
            page = pages.enter_context(watched(browser, book, **settings))
            page.route(BARE, lambda route: route.fulfill(body=""))
            page.goto("index.html")
            return page

        yield opened


def line(page: Page, letter: str) -> Locator:
    return page.locator(f"[data-line={letter}]")


def placed(page: Page) -> list[str]:
    """Return the answer as the page shows it."""
    return page.locator(".ck-placed > li").evaluate_all(
        "items => items.map(i => '>'.repeat(i.style.getPropertyValue('--ck-depth')) "
        "+ i.dataset.line)"
    )


def middle(place: Locator) -> tuple[float, float]:
    """Return the middle of a place once no line glides any more."""
    place.page.evaluate("Promise.allSettled(document.getAnimations().map(a => a.finished))")
    box = box_of(place)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, letter: str, right: float, to: tuple[float, float]) -> None:
    """Take a line by its code with the mouse, and let it go at a height."""
    x, y = middle(line(page, letter).locator("code"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, to[1], steps=8)
    page.mouse.up()


def below(page: Page) -> tuple[float, float]:
    """Return a point at the lower end of the answer."""
    box = box_of(page.locator(".ck-placed"))
    return box["x"] + 10, box["y"] + box["height"] - 2


def check(page: Page) -> Locator:
    page.get_by_role("button", name="Check", exact=True).click()
    return page.locator(".ck-feedback")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["1280", "390"])
def test_lines_are_dragged_with_the_mouse(show: Callable[..., Page], size: dict[str, Any]) -> None:
    page = show(viewport=size["viewport"])
    for entry in RIGHT:
        drag(page, entry[-1], 40.0 * (len(entry) - 1), below(page))
    assert placed(page) == RIGHT
    drag(page, "e", 0, middle(line(page, "d")))
    assert placed(page).index("e") in (1, 2)
    assert sorted(placed(page)) == sorted(RIGHT)
    drag(page, "a", 0, middle(page.locator(".ck-pool")))
    assert "a" not in placed(page)


@pytest.mark.parametrize("size", [DESKTOP | {"has_touch": True}, PHONE], ids=["1280", "390"])
def test_a_finger_drags_by_the_grip_and_scrolls_beside_it(
    show: Callable[..., Page], size: dict[str, Any]
) -> None:
    page = show(**size)
    page.evaluate("document.querySelector('.ck-parsons').scrollIntoView()")
    for letter in ("g", "d"):
        line(page, letter).get_by_role("button").tap()
    expect(page.locator(".ck-placed > li")).to_have_count(2)  # clicks come after touches
    assert placed(page) == ["g", "d"]
    start, to = middle(line(page, "d").locator(".ck-grip")), middle(line(page, "g"))
    assert swipe(page, start, 0, to[1] - start[1] - 15) == 0
    assert placed(page) == ["d", "g"]
    start, to = middle(line(page, "b").locator(".ck-grip")), below(page)
    assert swipe(page, start, 40, to[1] - start[1]) == 0
    assert placed(page) == ["d", "g", ">b"]
    code = middle(line(page, "a").locator("code"))
    assert swipe(page, code, 0, -120) > 50
    assert placed(page) == ["d", "g", ">b"]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["1280", "390"])
def test_the_keyboard_orders_indents_and_takes_out(
    show: Callable[..., Page], size: dict[str, Any]
) -> None:
    page = show(**size)
    spoken = page.locator(".ck-spoken[role=status]")
    for letter in ("b", "g", "d", "f", "e", "a", "c"):
        line(page, letter).get_by_role("button").focus()
        page.keyboard.press("Enter")
    expect(spoken).to_have_text("Line c is line 7 of 7 in your answer.")
    page.keyboard.press("Delete")
    expect(spoken).to_have_text("Line c is not in your answer.")
    line(page, "b").get_by_role("button").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(spoken).to_have_text("Line b is line 3 of 6 in your answer, indented once.")
    expect(line(page, "b").get_by_role("button")).to_be_focused()
    assert placed(page) == ["g", "d", ">b", "f", "e", "a"]
    expect(check(page)).to_contain_text("The square is added outside of the loop.")
    expect(page.locator(".ck-feedback")).to_contain_text("1.33 of 2 points so far.")
    expect(page.locator(".ck-off .ck-letter")).to_have_text("f")  # the first that cannot follow
    line(page, "f").get_by_role("button").click()
    page.get_by_role("button", name="Indent", exact=True).click()
    assert placed(page) == RIGHT
    expect(page.locator(".ck-feedback")).to_be_empty()
    expect(check(page)).to_contain_text("The total grows by one square in each turn.")
    page.reload()
    assert placed(page) == RIGHT
    expect(page.locator(".ck-feedback .ck-right")).to_be_visible()


def test_nothing_moves_where_motion_is_reduced(show: Callable[..., Page]) -> None:
    for motion, moving in (("no-preference", True), ("reduce", False)):
        page = show(**DESKTOP, reduced_motion=motion)
        for letter in ("g", "d"):
            line(page, letter).get_by_role("button").click()
        come_to_rest(page)
        glides = "document.getAnimations().filter(a => a.effect.getKeyframes()[0].transform).length"
        script = f"b => {{ b.click(); return {glides}; }}"
        up = page.get_by_role("button", name="Up", exact=True)
        assert (up.evaluate(script) > 0) == moving


def test_a_problem_whose_script_does_not_come_says_so_and_shows_its_lines(
    browser: Browser, book: str
) -> None:
    page = browser.new_page()  # not watched: it asks for what cannot come
    page.route("**/parsons.js*", lambda route: route.abort())
    page.goto(book)
    question = page.locator("#exercise-order-lines .ck-question")
    expect(question.locator(".ck-note")).to_have_text(
        "This question could not be loaded: the site does not answer. Check the connection and "
        "reload the page."
    )
    assert question.locator("ol.ck-given.loweralpha > li").count() > len(RIGHT)
    page.close()

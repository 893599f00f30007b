"""The front of the course: something that moves, where to go on, and what has been done."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from coursekit.page.page_data import page_data
from coursekit.times import chapter_time
from tests.course import BANK

from .conftest import box_of
from .exercises import BY_HAND, CHAPTER, answer_by_hand, block
from .test_accessibility import violations

ROOT = Path(__file__).resolve().parents[2]
COURSE = "attention-course"
FIRST = "motivation"


def finish(page: Page, *exercises: str) -> None:
    """Have the browser of an open page keep that exercises are done; a reload shows it."""
    for id in exercises:
        kept = {"version": page_data(BANK[id])["version"], "done": True, "at": 1}
        stored = [f"{COURSE}:exercise:{id}", json.dumps(kept)]
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", stored)


def chapter_ids(chapter: str) -> list[str]:
    return [exercise.id for exercise in BANK.chapter(chapter) if not exercise.notebook_only]


def row(page: Page) -> Locator:
    return page.locator("attn-attention-row[live]")


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_first_screen_has_a_button_and_a_model_that_writes(
    page: Page, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto("")  # the site's own address
    start = page.get_by_role("link", name="Start: Why attention looks back")
    expect(start).to_be_in_viewport()
    words = page.locator("attn-writer[live] .text > span")
    expect(words.nth(8)).to_be_in_viewport()
    expect(words.nth(9)).to_be_in_viewport()  # nobody has pressed anything
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.get_by_role("button", name="Contents").click()
    expect(page.locator("#contents").get_by_role("link", name="The Transformer")).to_be_visible()


def test_the_row_follows_a_press_and_the_keyboard(page: Page) -> None:
    page.goto("welcome.html")
    words = row(page).get_by_role("group", name="The query of").get_by_role("button")
    expect(words).to_have_text(["the", "cat", "drank", "milk"])
    expect(row(page).locator(".weight")).to_have_text(["0.05", "0.38", "0.05", "0.52"])
    words.first.click()
    assert box_of(words.first)["height"] >= 44  # for a finger
    expect(words.first).to_have_attribute("aria-pressed", "true")
    expect(row(page).locator(".weight")).to_have_text(["0.10", "0.60", "0.08", "0.22"])
    row(page).get_by_role("slider", name="How sharply it chooses").focus()
    page.keyboard.press("Home")
    expect(row(page).locator(".weight")).to_have_text(["0.25"] * 4)
    expect(row(page).locator(".mixed")).to_contain_text("0.25 milk")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_front_is_accessible_with_all_opened(page: Page, width: int, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("welcome.html")
    finish(page, *chapter_ids(FIRST), BY_HAND)
    page.reload()
    row(page).locator("summary").first.click()
    expect(page.get_by_role("button", name="Save to a file")).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize("name", [CHAPTER, "workshop.html"])
def test_finished_chapters_fill_their_dots_beside_every_page_of_the_part(
    page: Page, name: str
) -> None:
    page.goto("welcome.html")
    finish(page, *chapter_ids(FIRST), BY_HAND)
    page.goto(name)
    rows, many = page.locator("nav .toctree-l1"), len(chapter_ids(FIRST))
    finished = page.locator("nav .ck-done")
    expect(finished).to_contain_text(f"Why attention looks back: {many} of {many} exercises done")
    begun = page.locator("nav .ck-begun:not(.ck-done)")
    expect(begun).to_contain_text(re.compile(r"Queries, keys and values: 1 of \d+ exercises done"))
    grounds = rows.evaluate_all("rows => rows.map(e => getComputedStyle(e, '::before').background)")
    assert len({*grounds[:3]}) == 3  # full, half, empty


def test_the_bar_has_a_dot_for_each_exercise_that_fills_when_it_is_done(page: Page) -> None:
    page.goto(CHAPTER)
    dots = page.locator(".ck-dots li")
    count = len(chapter_ids(CHAPTER.removesuffix(".html")))
    expect(dots).to_have_count(count)
    expect(page.locator(".ck-dots .ck-done")).to_have_count(0)
    finish(page, BY_HAND)
    page.reload()
    expect(page.locator(".ck-dots .ck-done a")).to_have_accessible_name(re.compile(", done$"))
    page.set_viewport_size({"width": 390, "height": 800})  # where a finger has one target for all
    expect(page.locator(".ck-dots li a").first).to_be_hidden()
    page.get_by_role("link", name=re.compile(f"1 of {count} done, go to")).click()
    first = page.locator("[data-exercise]:not(.ck-done)").first
    expect(page).to_have_url(re.compile(f"#{first.get_attribute('id')}$"))


def test_parts_of_the_drawn_gpt_are_filled_when_their_exercises_are_done(page: Page) -> None:
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    fills = "parts => parts.map(part => getComputedStyle(part.querySelector('rect')).fill)"
    for name, label in (("build-a-gpt", "Step 3: attention"), ("build-a-gpt-torch", "attention")):
        page.goto(f"{name}.html")
        page.evaluate("localStorage.clear()")
        page.reload()
        drawn = page.locator(".attn-gpt").first
        part = drawn.locator("[data-done-by='gpt-3-attention']")
        expect(part).to_have_accessible_name(label)
        assert len({*drawn.locator("a").evaluate_all(fills)}) == 1
        finish(page, "gpt-3-attention")
        page.reload()
        expect(part).to_have_accessible_name(f"{label}, done")
        filled, (own,) = (parts.evaluate_all(fills) for parts in (drawn.locator("a"), part))
        assert filled.count(own) == 1 < len(filled)
        part.click(position={"x": 20, "y": 8})
        expect(page).to_have_url(re.compile(r"/build-a-gpt\.html#exercise-gpt-3-attention$"))


def test_start_becomes_continue(page: Page) -> None:
    page.goto(CHAPTER)
    page.goto("welcome.html")
    page.get_by_role("link", name="Continue: Queries, keys and values").click()
    page.wait_for_url(f"**/{CHAPTER}")
    finish(page, *chapter_ids(CHAPTER.removesuffix(".html")))
    page.goto("welcome.html")
    expect(page.get_by_role("link", name="Continue: Scaled dot-product attention")).to_be_visible()


def test_path_counts_and_ticks(page: Page) -> None:
    page.goto("welcome.html")
    finish(page, *chapter_ids(FIRST))
    page.reload()
    first = page.locator(".ck-path li").first
    many = len(chapter_ids(FIRST))
    text = (ROOT / "book" / f"{FIRST}.md").read_text(encoding="utf-8")
    minutes = chapter_time(text, BANK).in_table
    expect(first.locator("small")).to_have_text(f"{minutes} min ✓ {many} of {many}")
    expect(first).to_have_class(re.compile("ck-done"))
    expect(first).to_contain_text("What goes missing")
    expect(page.locator(".ck-aside")).to_contain_text("Chapter 2,")


def test_a_row_of_the_path_shows_what_it_builds_on(page: Page) -> None:
    page.goto("welcome.html")
    rows = page.locator(".ck-path li")
    gpt = page.locator(".ck-path [data-chapter=build-a-gpt]")
    gpt.get_by_role("link").focus()
    chapters = "all => all.map(e => e.dataset.chapter)"
    needed = page.locator(".ck-path .ck-to").evaluate_all(chapters)
    assert needed == ["multi-head", "masking", "positions"]
    expect(page.locator(".ck-path svg .ck-on")).to_have_count(3)
    expect(page.locator(".ck-aside")).to_contain_text("Can all these parts together write a story?")
    card = page.locator(".ck-aside a")
    assert card.evaluate_all("all => all.map(e => e.href.split('/').at(-1))") == [
        f"{name}.html" for name in ("build-a-gpt", *needed)
    ]
    rows.first.hover()
    expect(page.locator(".ck-path svg .ck-on")).to_have_count(0)
    card.click()
    page.wait_for_url(f"**/{FIRST}.html")


def test_two_tabs_agree(page: Page) -> None:
    other = page.context.new_page()
    for tab in (page, other):
        tab.goto(CHAPTER)
    counter = other.locator(".ck-progress .ck-count")
    expect(counter).to_contain_text("0 of")
    answer_by_hand(page, "0.42, 0.58")
    expect(counter).to_contain_text("1 of")
    note = block(other, BY_HAND).locator(".ck-elsewhere")
    expect(note).to_contain_text("changed in another tab")
    expect(page.locator(".ck-elsewhere")).to_have_count(0)
    with other.expect_navigation():
        note.get_by_role("button", name="Show that answer").click()
    expect(block(other, BY_HAND).locator("input.ck-number")).to_have_value("0.42, 0.58")
    expect(block(other, BY_HAND).locator(".ck-elsewhere")).to_have_count(0)


def test_answers_are_handed_in_as_the_chapters_notebook(page: Page) -> None:
    page.goto(CHAPTER)
    hand_in = page.get_by_role("button", name="Hand in as a notebook")
    expect(hand_in).to_be_hidden()  # there is nothing to hand in
    answer_by_hand(page, "1/2; ,25")
    with page.expect_download() as saved:
        hand_in.click()
    assert saved.value.suggested_filename == CHAPTER.replace(".html", ".ipynb")
    cells = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))["cells"]
    sources = {cell["id"]: "".join(cell["source"]) for cell in cells}
    assert sources[f"{BY_HAND}-answer"] == "context = [0.5, 0.25]"
    expect(page.locator(".ck-progress .ck-said")).to_contain_text("your answers to 1 of")

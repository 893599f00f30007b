"""The chapter that builds a GPT, as a reader does it: step by step, until his code writes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from coursekit.bank.mistakes import wrong_answers
from tests.course import BANK

from .conftest import Watch
from .exercises import LOADED, block, press, write

PAGE = "build-a-gpt.html"
NINTH = "gpt-9-cache"
STEPS = [
    exercise
    for exercise in BANK.chapter("build-a-gpt")
    if exercise.id.startswith("gpt-") and exercise.id != NINTH
]
WEIGHTS = "fables.npz"


def solve(page: Page, id: str, code: str = "") -> None:
    """Write an answer into a step and wait until all its checks have passed."""
    exercise = block(page, id)
    write(exercise, code or BANK[id].solution)
    press(exercise, "Check")
    checks = sum(not check.hidden for check in BANK[id].checks)
    expect(exercise.locator("li.ck-pass")).to_have_count(checks, timeout=LOADED)


def wrong_first(page: Page, id: str) -> None:
    """Write a wrong answer of a step, and wait until the page names its mistake."""
    exercise, known = block(page, id), BANK[id]
    wrong = next(w for w in wrong_answers(known).values() if known.mistakes[w.mistake].text)
    write(exercise, wrong.code)
    press(exercise, "Check")
    explanation = known.explanations[wrong.mistake].replace("`", "")
    named = exercise.locator(".ck-fail .ck-why").filter(has_text=explanation)
    expect(named.first).to_be_visible(timeout=LOADED)


@pytest.fixture(params=[pytest.param("1280", marks=pytest.mark.heavy), "390"])
def reader(
    request: pytest.FixtureRequest, browser: Browser, site_url: str, watch: type[Watch]
) -> Iterator[Page]:
    """Return the chapter on a desktop, and on a phone with a touch screen; nothing is stored."""
    size = {"width": int(request.param), "height": 844}
    touch = {"has_touch": True, "is_mobile": True} if request.param == "390" else {}
    context = browser.new_context(viewport=size, base_url=site_url + "/", **touch)
    page = context.new_page()
    watched = watch(page, site_url)
    page.goto(PAGE)
    yield page
    context.close()
    assert watched.faults == []


def test_all_steps_with_ones_own_code_until_it_writes(reader: Page) -> None:
    fetched: list[str] = []
    reader.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
    for step in STEPS[:5]:
        wrong_first(reader, step.id)
        solve(reader, step.id)
    assert WEIGHTS not in fetched
    for step in STEPS[5:-1]:
        wrong_first(reader, step.id)
        solve(reader, step.id)
    last = BANK["gpt-8-writing"]
    names = [name for used in last.used for name in used.names]
    mine = "Runs first: your " + ", ".join(names) + "."
    expect(block(reader, last.id).locator(".ck-uses")).to_have_text(mine)
    finale = reader.locator(".ck-finale")
    expect(finale.locator(".ck-finale-status")).to_contain_text("Still missing: Step 8: it writes.")
    wrong_first(reader, last.id)
    solve(reader, last.id)
    # It begins by itself: what ran is measured, and no function of the ninth step has.
    finale.scroll_into_view_if_needed()
    expect(finale.locator(".text .new")).to_be_visible(timeout=LOADED)
    expect(finale.locator(".text > .given").first).to_contain_text("Once")
    ran = finale.locator(".functions li:not(.rests) code")
    expect(ran).to_contain_text(["softmax", "attend", "block", "gpt"])
    expect(finale.locator(".functions .rests")).to_contain_text(["attend_next", "gpt_next"])
    assert finale.locator(".likely button").count() == 5
    assert fetched.count(WEIGHTS) == 1
    width = reader.viewport_size["width"]  # type: ignore[index]
    assert reader.evaluate("document.documentElement.scrollWidth") <= width
    for formula in reader.locator(".ck-exercise math[display=block]").all():
        assert formula.evaluate("f => f.scrollWidth - f.clientWidth") <= 1


def test_a_step_can_be_done_first_and_says_what_stands_in(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/{PAGE}")
    step = block(page, "gpt-3-attention")
    line = step.locator(".ck-uses")
    lent = "Runs first: the course’s softmax, causal_mask, until yours pass."
    expect(line).to_have_text(lent)
    solve(page, "gpt-3-attention")
    solve(page, "gpt-1-softmax")
    expect(line).to_have_text(
        "Runs first: your softmax; the course’s causal_mask, until yours pass."
    )


@pytest.mark.heavy
def test_a_later_step_runs_the_last_answer_that_passed(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/{PAGE}")
    mine = "CALLS = []\n" + BANK["gpt-1-softmax"].solution.replace(
        "    exponentials", "    CALLS.append(1)\n    exponentials", 1
    )
    solve(page, "gpt-1-softmax", mine)
    write(block(page, "gpt-1-softmax"), "def softmax(scores):\n    return None\n")
    page.reload()
    exercise = block(page, "gpt-3-attention")
    code = BANK["gpt-3-attention"].solution
    write(exercise, code + "\nsoftmax(np.ones((1, 2)))\nprint('called', len(CALLS))\n")
    press(exercise, "Run")
    expect(exercise.locator(".ck-output")).to_contain_text("called 1", timeout=LOADED)


def all_passed(page: Page, *, ninth: bool = False) -> None:
    """Let the page remember that every step has passed, and open it again."""
    ids = [step.id for step in STEPS] + ([NINTH] if ninth else [])
    course = page.locator("script[data-course]").first.get_attribute("data-course")
    for id in ids:
        code = BANK[id].solution
        memory = {"version": str(BANK[id].version), "code": code, "passed": code, "done": True}
        key = f"{course}:exercise:{id}"
        page.evaluate("([k, v]) => localStorage.setItem(k, v)", [key, json.dumps(memory)])
    page.reload()


@pytest.mark.heavy
def test_the_finale_stops_where_a_step_fails_and_goes_on_where_it_passes(
    page: Page, site_url: str
) -> None:
    page.goto(f"{site_url}/{PAGE}")
    all_passed(page)
    finale = page.locator(".ck-finale")
    press(finale, "Let it write")
    expect(finale.locator(".text .new")).to_be_visible(timeout=LOADED)
    write(block(page, "gpt-1-softmax"), "def softmax(scores):\n    return scores\n")
    press(block(page, "gpt-1-softmax"), "Check")
    expect(finale.locator(".ck-finale-status")).to_have_text(
        f"Stopped: {BANK['gpt-1-softmax'].title} does not pass any more.", timeout=LOADED
    )
    expect(finale.locator(".text")).to_be_hidden()
    solve(page, "gpt-1-softmax")
    expect(finale.locator(".text")).to_be_visible()
    expect(finale.locator(".ck-finale-status")).to_be_empty()


def test_an_unknown_word_is_answered_with_words_to_choose(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/{PAGE}")
    all_passed(page)
    finale = page.locator(".ck-finale")
    press(finale, "Let it write")
    expect(finale.locator(".text .new")).to_be_visible(timeout=LOADED)
    press(finale, "Pause")
    finale.get_by_label("A beginning of your own").fill("Once there was a foxx")
    press(finale, "Begin")
    expect(finale.locator(".own")).to_contain_text("“foxx” is in no fable")
    press(finale.locator(".own"), "fox")
    # One word after the other: a word may also show the weight that it got.
    given = ["Once", "there", "was", "a", "fox"]
    expect(finale.locator(".text > .given")).to_contain_text(given)


@pytest.mark.heavy
def test_the_ninth_step_makes_it_faster_and_changes_no_word(page: Page, site_url: str) -> None:
    page.goto(f"{site_url}/{PAGE}")
    all_passed(page, ninth=True)
    finale = page.locator(".ck-finale")
    press(finale, "Let it write")
    expect(finale.locator(".functions li:not(.rests)")).to_contain_text(
        ["gpt_next"], timeout=LOADED
    )
    press(finale, "Write one fable both ways, as fast as it goes")
    said = finale.locator(".speed [role=status]")
    expect(said).to_contain_text("Both fables are the same, word for word.", timeout=60_000)
    times = float(re.search(r"writes ([\d.]+) times", said.inner_text())[1])  # type: ignore[index]
    assert times > 1.5

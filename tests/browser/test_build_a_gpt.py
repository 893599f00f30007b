"""The chapter that builds a GPT, as a reader does it: step by step, until his code writes."""

from __future__ import annotations

import json

from playwright.sync_api import Browser, Page, expect

from .conftest import PHONE, watched
from .exercises import BANK, LOADED, block, press, solve, write

PAGE = "build-a-gpt.html"
STEPS = [exercise for exercise in BANK.chapter("build-a-gpt") if exercise.id.startswith("gpt-")]


def wrong_first(page: Page, id: str) -> None:
    """Write a wrong answer of a step, and wait until the page names its mistake."""
    exercise, known = block(page, id), BANK[id]
    wrong = next(w for w in known.wrong.values() if w.misconception in known.misconceptions)
    write(exercise, wrong.code)
    press(exercise, "Check")
    explanation = known.misconceptions[wrong.misconception].replace("`", "")
    named = exercise.locator(".ck-fail .ck-why").filter(has_text=explanation)
    expect(named.first).to_be_visible(timeout=LOADED)


def test_all_steps_with_ones_own_code_until_it_writes_on_a_phone(
    browser: Browser, site_url: str
) -> None:
    with watched(browser, site_url, **PHONE) as page:
        page.goto(PAGE)
        all_steps(page)


def all_steps(reader: Page) -> None:
    fetched: list[str] = []
    reader.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
    for step in STEPS[:-1]:
        wrong_first(reader, step.id)
        solve(reader, step.id)
    last = STEPS[-1]
    names = [name for used in last.used for name in used.names]
    mine = "Runs first: your " + ", ".join(names) + "."
    expect(block(reader, last.id).locator(".ck-uses")).to_have_text(mine)
    wrong_first(reader, last.id)
    # The starter's last line prints once the reader has taken the mark of a comment away.
    tell = last.starter.splitlines()[-1]
    assert tell.startswith("# print(")
    solve(reader, last.id, f"{last.solution}\n{tell}\n")
    expect(block(reader, last.id).locator(".ck-output")).to_be_hidden()
    write(block(reader, last.id), f"{last.solution}\n{tell.removeprefix('# ')}\n")
    press(block(reader, last.id), "Run")
    output = block(reader, last.id).locator(".ck-output")
    expect(output).to_contain_text("Once there was an old fox named Mara, who", timeout=LOADED)
    expect(output).to_contain_text("The moral: ")
    assert fetched.count("fables.npz") == 1
    it_writes(reader)
    assert reader.evaluate("document.documentElement.scrollWidth") <= 390
    for formula in reader.locator(".ck-exercise div.math").all():
        assert formula.evaluate("f => f.scrollWidth - f.clientWidth") <= 1


def it_writes(page: Page) -> None:
    """See that the model writes with the reader's functions, and what he may do with it."""
    stage = page.locator(".ck-finale")
    expect(stage).to_have_attribute("data-theme", "dark")
    words = stage.locator(".text > span")
    expect(words.nth(1)).to_be_attached(timeout=LOADED)
    words.nth(1).scroll_into_view_if_needed()  # out of sight it waits
    expect(words.nth(words.count() + 2)).to_be_attached(timeout=LOADED)
    expect(stage.locator(".functions li", has_text="attend")).to_contain_text("8×")
    expect(stage.locator(".likely button").first).to_be_enabled()
    field = stage.get_by_role("textbox", name="Or begin it yourself")
    field.fill("Once there was a dragon named Mara")
    stage.get_by_role("button", name="Begin", exact=True).click()
    expect(stage.locator(".own .status")).to_contain_text("“dragon” is in no fable")
    stage.locator(".own .status button").first.click()
    expect(stage.locator(".own .status")).to_be_empty()
    expect(words.nth(4)).not_to_have_text("old")
    stage.get_by_role("button", name="Pause").click()


def test_the_finale_says_what_is_missing_and_takes_pasted_solutions(page: Page) -> None:
    page.goto(PAGE)
    stage = page.locator(".ck-finale")
    expect(stage).to_contain_text("Still missing: Step 1")
    expect(stage.locator("attn-your-writer")).to_be_hidden()
    last = BANK["gpt-8-writing"]
    for step in last.used:
        kept = {"version": str(step.version), "passed": step.solution, "done": True}
        key = f"attention-course:exercise:{step.id}"
        page.evaluate("([k, v]) => localStorage.setItem(k, v)", [key, json.dumps(kept)])
    page.reload()
    expect(stage.get_by_role("link")).to_have_text(["Step 8: it writes"])
    solve(page, last.id)
    it_writes(page)

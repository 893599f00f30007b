"""The chapter that builds a GPT, as a reader does it: step by step, until his code writes."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .exercises import BANK, LOADED, block, press, write

PAGE = "build-a-gpt.html"
STEPS = [exercise for exercise in BANK.chapter("build-a-gpt") if exercise.id.startswith("gpt-")]
WEIGHTS = "fables.npz"


def solve(page: Page, id: str, code: str = "") -> None:
    """Write an answer into a step and wait until all its checks have passed."""
    exercise = block(page, id)
    write(exercise, code or BANK[id].solution)
    press(exercise, "Check")
    checks = sum(not check.hidden for check in BANK[id].checks)
    expect(exercise.locator("li.ck-pass")).to_have_count(checks, timeout=LOADED)


@pytest.mark.parametrize("width", [1280, 390])
def test_all_steps_with_ones_own_code_until_it_writes(
    page: Page, site_url: str, width: int
) -> None:
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{site_url}/{PAGE}")
    for step in STEPS[:5]:
        solve(page, step.id)
    assert WEIGHTS not in fetched
    for step in STEPS[5:-1]:
        solve(page, step.id)
    last = STEPS[-1]
    names = [name for used in last.used for name in used.names]
    mine = "Runs first: your " + ", ".join(names) + "."
    expect(block(page, last.id).locator(".ck-uses")).to_have_text(mine)
    solve(page, last.id, last.solution + "\nprint(tell(temperature=0.8))\n")
    output = block(page, last.id).locator(".ck-output")
    expect(output).to_contain_text("Once there was an old fox named Mara, who lived")
    expect(output).to_contain_text("The moral: ")
    assert fetched.count(WEIGHTS) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width


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

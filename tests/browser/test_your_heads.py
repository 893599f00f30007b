"""A reader's multi-head attention in all six layers of an encoder, in the page."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from attnlab.minilm import at_hand, page_files

from .exercises import BANK, LOADED, block, press, results, solve, unfold, write

ID, USED = "your-heads-in-the-model", "multi-head-attention"
PLANTED = """
from attnlab.minilm import swap
swap.by_layer(lambda x, weights, num_heads, mask: attend(x, weights, num_heads, None))
"""


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """Return what a page fetches of an encoder with 12 narrow heads and the model's words."""
    state = at_hand.random_state()
    rows = np.random.default_rng(1).normal(size=(25_000, 24)).astype(np.float32)
    state["embeddings.word_embeddings.weight"] = rows
    whole = page_files.model_files(state, ["a"], 12)
    return {name: whole[name] for name in (Path(path).name for path in at_hand.FILES)}


def opened(page: Page, files: dict[str, bytes], arrives: dict[str, bytes]) -> Locator:
    """Open the chapter of a site that was built with these files, of which others may arrive."""

    def manifest(route: Route) -> None:
        told = route.fetch().json()
        told["data"]["files"] = {name: len(content) for name, content in files.items()}
        route.fulfill(body=json.dumps(told))

    page.route("**/pyodide/manifest.json", manifest)
    page.route(
        "**/_static/data/*",
        lambda route: route.fulfill(body=arrives[route.request.url.rpartition("/")[2]]),
    )
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("masking.html")
    for id in (USED, ID):
        unfold(block(page, id))
    return block(page, ID)


def test_ones_own_code_runs_the_model_and_a_planted_mistake_shows(
    page: Page, files: dict[str, bytes]
) -> None:
    exercise = opened(page, files, arrives=files)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
    uses = exercise.locator(".ck-uses")
    expect(uses).to_have_text("Runs first: the course’s multi_head_attention, until yours pass.")
    solve(page, USED)
    write(block(page, USED), "x = 1")  # what has passed still counts
    expect(uses).to_have_text("Runs first: your multi_head_attention.")
    assert not set(files) & set(fetched)
    write(exercise, BANK[ID].wrong["no-output-bias"].code)
    press(exercise, "Check")
    named = exercise.locator(".ck-fail .ck-why").filter(has_text="b_output, is missing")
    expect(named.first).to_be_visible(timeout=LOADED)
    failed = exercise.locator(".ck-fail").filter(has_text=f"x after layer 1 of {at_hand.IN_8_BITS}")
    expect(failed).to_be_visible()
    solve(page, ID)
    write(exercise, BANK[ID].solution + PLANTED)
    press(exercise, "Run")
    output = exercise.locator(".ck-output")
    expect(output).to_contain_text(f"In {at_hand.IN_8_BITS}:", timeout=LOADED)
    rows = [line.split() for line in output.inner_text().splitlines()[3:9]]
    assert [row[:3] for row in rows] == [[str(n), "0.000", "1.000"] for n in range(1, 7)]
    assert all(float(row[4]) < 0.9995 for row in rows)
    assert sorted(name for name in fetched if name in files) == sorted(files)  # each of them once
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_site_without_the_model_says_what_takes_its_place(page: Page) -> None:
    exercise = opened(page, {}, arrives={})
    write(exercise, BANK[ID].solution + PLANTED)
    press(exercise, "Run")
    output = exercise.locator(".ck-output")
    expect(output).to_contain_text(f"In {at_hand.STAND_IN}:", timeout=LOADED)


def test_a_file_that_is_not_whole_is_one_sentence(page: Page, files: dict[str, bytes]) -> None:
    name, content = "layer-2.safetensors", files["layer-2.safetensors"]
    exercise = opened(page, files, arrives={**files, name: content[:-5]})
    press(exercise, "Check")
    said = f"{name} came with {len(content) - 5} bytes; expected {len(content)}. Reload the page."
    expect(results(exercise)).to_contain_text(said, timeout=LOADED)

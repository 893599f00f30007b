"""The head browser: stored sentences at once, then any sentence, by a model in a worker.

The live model here has random weights of the right sizes, so that these tests need no package.
"""

from __future__ import annotations

import json

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from attnlab.data import minilm_scores
from attnlab.explorables import HeadBrowser
from attnlab.minilm import at_hand, page_files

from ..exercises import open_all
from .conftest import Open

WORDS = ["the", "dog", "barked", "because", "it", "was", "old", "cat", "sat", "on", "mat", ".", ","]
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
OWN = "The old dog barked because it was, because it was old."


def numbers(row: Locator) -> list[float]:
    return [float(text) for text in row.locator(".keys .weight").all_inner_texts()]


def head(page: Page, layer: int, number: int) -> Locator:
    return page.get_by_role("button", name=f"layer {layer}, head {number}", exact=True)


def test_a_stored_sentence_answers_from_all_heads_down_to_one_cell(show: Open) -> None:
    page = show(HeadBrowser(layer=1, head=1, token=2, key=1))
    stored = minilm_scores.load("cat")
    expect(page.get_by_role("button", name="layer")).to_have_count(72)
    head(page, 4, 2).click()
    expect(page.get_by_role("grid")).to_have_count(1)
    expect(page.locator(".keys .weight").first).not_to_have_text("…")
    np.testing.assert_allclose(
        numbers(page.locator(".row").first), stored.head(4, 2)[2], atol=0.0051
    )
    # By keyboard one head to the right, and to the left of the cell that is pressed.
    head(page, 4, 2).press("ArrowRight")
    expect(head(page, 4, 3)).to_be_focused()
    expect(head(page, 4, 3)).to_have_attribute("aria-pressed", "true")
    page.locator("table.map tbody tr").nth(3).locator("td").nth(1).click()
    page.locator("td.chosen").press("ArrowLeft")
    expect(page.locator("td.chosen")).to_be_focused()
    expect(page.locator(".cell-steps caption")).to_have_text("From “sat” to “[CLS]”, step by step")
    score = stored.scores[3, 2, 3, 0] / minilm_scores.UNIT
    steps = page.locator(".cell-steps td").all_inner_texts()
    assert [float(text.replace("−", "-")) for text in steps[:2]] == pytest.approx(
        [score * 32**0.5, score], abs=0.006
    )
    assert float(steps[-1].split(" = ")[1]) == pytest.approx(stored.head(4, 3)[3, 0], abs=0.0006)


def test_without_the_model_there_are_stored_sentences_and_what_one_head_does(show: Open) -> None:
    # This page was opened from a file, and asks for a sentence that is not stored.
    page = show(HeadBrowser(layer=6, head=12, sentence="Not stored."))
    expect(page.get_by_role("status")).to_have_text(
        "The model runs in the course's pages on the web; here are its stored sentences."
    )
    has_stored_sentences_only(page)
    page.get_by_label("Switch layer 6, head 12 off").check()
    stored = minilm_scores.load(next(iter(minilm_scores.SENTENCES)))
    expect(page.locator(".effects tfoot td").last).to_have_text(f"{stored.effects[5, 11]:.3f}")
    head(page, 6, 11).click()
    page.get_by_label("Switch layer 6, head 11 off").check()
    expect(page.locator(".effects")).to_have_text(
        "What is stored is the effect of one head. Press “Undo all”, and switch one off."
    )
    page.get_by_role("button", name="Undo all").click()
    expect(page.locator(".effects")).to_have_text(
        "Nothing is off. Switch a head off, and see what changes."
    )


def has_stored_sentences_only(browser: Page | Locator) -> None:
    """See that nothing is offered that needs the model, and that no tile is empty."""
    for hidden in (browser.get_by_label("Your sentence"), browser.get_by_label("Cut “")):
        expect(hidden).to_be_hidden()
    for name in ("Read it", "Load the model"):
        expect(browser.get_by_role("button", name=name)).to_have_count(0)
    choice, stored = browser.get_by_label("Sentence", exact=True), minilm_scores.SENTENCES
    expect(choice.locator("option")).to_have_text(list(stored.values()))
    for sentence in reversed(stored.values()):
        choice.select_option(sentence)
        word = sentence.lower().strip(".").split()[-1]
        expect(browser.locator("table.map").first).to_contain_text(word)
        expect(choice).to_have_value(sentence)
        tiles = browser.locator(".tile canvas")
        assert tiles.count() == 72
        assert all(tiles.evaluate_all(PAINTED))


PAINTED = """tiles => {
    const copy = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    return tiles.map(tile => {
        copy.clearRect(0, 0, 99, 99);
        copy.drawImage(tile, 0, 0);
        return copy.getImageData(0, 0, 99, 99).data.some(value => value > 0);
    }); }"""


def files() -> dict[str, bytes]:
    """Return the files of an encoder that is as wide as the model, random, and knows `WORDS`."""
    state, drawn = at_hand.random_state(384, 96), np.random.default_rng(2).normal
    for name, rows in (("word", len(VOCABULARY)), ("position", 40)):
        vectors = drawn(size=(rows, 384)).astype(np.float32)
        state[f"embeddings.{name}_embeddings.weight"] = vectors
    return page_files.model_files(state, VOCABULARY, 12, shard=8)


def read(browser: Locator, text: str) -> None:
    """Have a head browser read a sentence."""
    browser.get_by_label("Your sentence").fill(text)
    browser.get_by_role("button", name="Read it").click()


def test_a_sentence_of_one_s_own_and_a_head_that_is_off(page: Page) -> None:
    for name, content in files().items():
        page.route(
            f"**/_static/data/{name}", lambda route, _, body=content: route.fulfill(body=body)
        )
    page.goto("interpretation.html")
    browser = page.locator("attn-head-browser[live]").first
    status = browser.get_by_role("status")
    read(browser, "dog " * 60)
    expect(status).to_have_text("That makes 62 tokens; this figure shows at most 40.")
    read(browser, OWN)
    expect(status).to_have_text("", timeout=60_000)
    tokens = ["[CLS]", *OWN.lower().replace(",", " ,").replace(".", " .").split(), "[SEP]"]
    expect(browser.locator("table.map").first.locator("th.query")).to_have_text(tokens)
    browser.get_by_role("button", name="layer 5, head 7", exact=True).click()
    assert sum(numbers(browser.locator(".row").first)) == pytest.approx(1, abs=0.06)
    expect(browser.locator(".cell-steps td").first).to_contain_text("the largest:")
    browser.get_by_label("Switch layer 5, head 7 off").check()
    shown = browser.locator(".effects tbody tr")
    expect(shown).to_have_count(len(tokens), timeout=30_000)
    seen = browser.locator(".effects tbody td:last-child").all_inner_texts()
    assert max(map(float, seen)) > 0.001


@pytest.mark.parametrize("name", ["interpretation", "multi-head"])
def test_a_site_without_the_model_says_so_and_keeps_its_maps(page: Page, name: str) -> None:
    missing = json.dumps({"missing": page_files.MISSING})
    page.route("**/_static/data/model.json", lambda route: route.fulfill(body=missing))
    page.goto(f"{name}.html")
    open_all(page)
    browsers = page.locator("attn-head-browser")
    for browser in browsers.all():
        browser.scroll_into_view_if_needed()
        expect(browser).to_have_attribute("live", "")
        expect(browser.get_by_role("status")).to_have_text(page_files.MISSING)
        has_stored_sentences_only(browser)
    assert browsers.count() >= 1

"""Figures that are made for one chapter, in a real browser."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import expect

from attnlab.explorables import TransformerBlocks

from .conftest import Open


def test_blocks_open_by_keyboard_and_mouse_and_streams_under_the_pointer(show: Open) -> None:
    page = show(TransformerBlocks())
    card = page.locator("attn-transformer-blocks .card")
    page.get_by_role("radio", name="2").last.check()
    shown = card.locator("table.heat tbody tr").last.locator("td").all_inner_texts()
    expected = TransformerBlocks().tensors["decoder.cross"][1][1][6]
    np.testing.assert_allclose([float(text) for text in shown], expected)
    output = page.get_by_role("button", name="Output layer, decoder, (7, 74)")
    output.press("Enter")
    expect(output).to_have_attribute("aria-pressed", "true")
    expect(card.get_by_role("table", name="What comes next")).to_contain_text("ramassée")
    page.get_by_role("button", name="Residual stream, encoder").nth(1).hover()
    expect(card).to_contain_text("the embedding plus what 3 sublayers have added")
    page.get_by_role("button", name="Feed-forward network, encoder").hover()
    expect(card).to_contain_text("Output layer")
    page.get_by_role("button", name="Feed-forward network, encoder").click()
    expect(card.get_by_role("img")).to_have_count(7)


def test_masks_grow_while_the_decoder_reads_what_it_has_written(show: Open) -> None:
    page = show(TransformerBlocks(selected="decoder.self", step=1), has_touch=True)
    figure = page.locator("attn-transformer-blocks section")
    pairs, seen = figure.locator(".blocks :is(.seen, .unseen)"), figure.locator(".seen")
    for step in range(1, 4):
        # The source to itself, the target to itself and earlier, the target to the source.
        expect(pairs).to_have_count(7 * 7 + step * step + step * 7)
        expect(seen).to_have_count(7 * 7 + step * (step + 1) // 2 + step * 7)
        word = TransformerBlocks().target_tokens[step]
        expect(figure.locator(".next")).to_have_text(word)
        page.get_by_role("button", name="Next word").tap()
        expect(figure.locator(".arrives")).to_have_text(f"… {word}")
    expect(figure.locator(".card tbody tr").first.locator(".masked")).to_have_count(3)


def test_a_figure_keeps_its_height_whatever_is_open(show: Open) -> None:
    page = show(TransformerBlocks())
    figure = page.locator("attn-transformer-blocks")
    height = figure.evaluate("e => e.offsetHeight")
    for block in figure.get_by_role("button", name="coder, (").all():
        block.press("Enter")
        assert figure.evaluate("e => e.offsetHeight") == height

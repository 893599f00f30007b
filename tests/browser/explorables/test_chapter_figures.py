"""Figures that are made for one chapter, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from attnlab.explorables import LayerStack, PictureQueries, Sink, TextMasks, TransformerBlocks

Open = Callable[..., Page]


def test_blocks_open_by_keyboard_and_mouse_and_streams_under_the_pointer(show: Open) -> None:
    page = show(TransformerBlocks())
    card = page.locator("attn-transformer-blocks .card")
    shown = card.locator("table.heat tbody td").all_inner_texts()
    expected = TransformerBlocks().tensor()[0].ravel()
    np.testing.assert_allclose([float(t) for t in shown], expected, atol=6e-3)
    output = page.get_by_role("button", name="Output layer, decoder, 7 by 74")
    output.focus()
    page.keyboard.press("Enter")
    expect(output).to_have_attribute("aria-pressed", "true")
    expect(card).to_contain_text("(7, 74)")
    expect(card.locator(".likeliest li").first).to_contain_text("ramassée")
    page.get_by_role("button", name="Residual stream, encoder").nth(1).hover()
    expect(card).to_contain_text("the embedding plus what 3 sublayers have added")
    page.get_by_role("button", name="Feed-forward network, encoder").hover()
    expect(card).to_contain_text("Output layer")
    page.get_by_role("button", name="Self-attention, encoder").click()
    page.get_by_label("pad the source").check()
    expect(card.locator("tbody tr").first.locator(".masked")).to_have_count(2)


def test_masks_grow_while_the_decoder_reads(show: Open) -> None:
    page = show(TransformerBlocks(selected="decoder.self", step=1), has_touch=True)
    figure = page.locator("attn-transformer-blocks section")
    pairs, seen = figure.locator(".glyph rect"), figure.locator(".glyph .seen")
    for step in range(1, 4):
        # The source to itself, the target to itself and earlier, the target to the source.
        expect(pairs).to_have_count(7 * 7 + step * step + step * 7)
        expect(seen).to_have_count(7 * 7 + step * (step + 1) // 2 + step * 7)
        expect(figure.locator(".next")).to_have_text(TransformerBlocks(step=step).next_token())
        page.get_by_role("button", name="Next word").tap()
    expect(figure.locator(".card tbody tr").first.locator(".masked")).to_have_count(3)


def test_weight_drains_into_the_sink_by_keyboard(show: Open) -> None:
    page = show(Sink(answers=["sink"]))
    slider = page.get_by_role("slider", name="Score of the sink")
    expect(page.locator(".sum").last).to_have_text("1.00 of the weight is on words.")
    for _ in range(24):
        slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "0.0")
    sums = Sink(sink=0).weights().sum(axis=1)
    expect(page.locator(".sum")).to_have_text([f"{x:.2f} of the weight is on words." for x in sums])
    page.get_by_role("slider", name="Soft cap").press("End")
    weights = Sink(sink=0, cap=1).weights()
    listed = f"dogs {weights[0, 0]:.2f}, that {weights[0, 1]:.2f}"
    expect(page.locator(".columns").first).to_have_accessible_name(re.compile(listed))
    heights = (
        page.locator(".columns")
        .first.locator("i")
        .evaluate_all("bars => bars.map(bar => bar.style.getPropertyValue('--share'))")
    )
    expected = [*weights[0], 1 - weights[0].sum()]
    np.testing.assert_allclose([float(share) for share in heights], expected)


@pytest.mark.parametrize("width", [390, 1280])
def test_what_is_said_of_a_query_stands_below_its_words(show: Open, width: int) -> None:
    page = show(Sink())
    page.set_viewport_size({"width": width, "height": 844})
    for query in page.locator(".query-row").all():
        low = max(score.bounding_box()["y"] for score in query.locator(".score").all())
        assert query.locator(".sum").bounding_box()["y"] > low


def test_a_place_is_chosen_and_its_view_changes_with_the_objective(show: Open) -> None:
    page = show(TextMasks(), has_touch=True)
    figure = page.locator("attn-text-masks section")
    page.get_by_role("button", name="la lampe, hidden from the chosen place").tap()
    said = figure.locator(".said")
    expect(said).to_contain_text("may look at (begin), la pomme, sous and la lampe. The loss")
    expect(figure.locator(".arc")).to_have_count(3)
    page.get_by_label("the hidden token").check()
    expect(said).to_contain_text(
        "“[MASK]” may look at the whole text. The loss asks for “la lampe”"
    )
    expect(figure.locator(".place.masked")).to_have_count(0)
    page.get_by_label("after a visible prefix").check()
    page.get_by_role("button", name="(begin), seen").press("Enter")
    expect(said).to_contain_text("(begin), la pomme and sous. The loss asks nothing here.")


def test_a_stack_is_built_layer_by_layer(show: Open) -> None:
    page = show(LayerStack(answers=["layers"]))
    figure = page.locator("attn-layer-stack section")
    page.get_by_role("button", name="All local").click()
    expect(figure.locator(".said")).to_contain_text("can depend on 19 of 64 tokens")
    page.get_by_label("Layer 3", exact=True).select_option("latent")
    expected = LayerStack(layers=["local"] * 2 + ["latent"] + ["local"] * 3)
    expect(figure.locator(".said")).to_contain_text(f"{sum(expected.sizes()):,} bytes in all")
    expect(figure.locator(".said")).to_contain_text("can depend on 64 of 64 tokens")
    shown = figure.locator(".layer:not(.reached) .size").all_inner_texts()
    assert shown[::-1] == [f"{size:,}" for size in expected.sizes()]  # the last layer at the top


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_glyph_that_is_drawn_is_found(show: Open, by: str) -> None:
    empty = [[0.0] * 25] * 16
    page = show(PictureQueries(cells=empty, selected=0))
    canvas = page.get_by_role("application", name="Picture.")
    said = page.locator(".share")
    expect(said).to_have_text(f"Is there one? The model says {absent(empty):.2f}.")
    # A cross: the third row and the third column of the first cell.
    pixels = [(2, x) for x in range(5)] + [(y, 2) for y in (0, 1, 3, 4)]
    if by == "mouse":
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        assert box
        for row, column in pixels:
            page.mouse.click(
                box["x"] + (column + 0.5) * box["width"] / 20,
                box["y"] + (row + 0.5) * box["height"] / 20,
            )
    else:
        canvas.focus()
        at = (0, 0)
        for row, column in pixels:
            moves = {"ArrowDown": row - at[0], "ArrowUp": at[0] - row}
            moves |= {"ArrowRight": column - at[1], "ArrowLeft": at[1] - column}
            for key, times in moves.items():
                for _ in range(times):
                    page.keyboard.press(key)
            page.keyboard.press("Space")
            at = (row, column)
    bitmap = PictureQueries().bitmaps[0]
    expected = PictureQueries(cells=[bitmap, *empty[1:]], selected=0)
    expect(said).to_have_text(f"Is there one? The model says {expected.shares()[0]:.2f}.")
    expect(page.locator(".cells td").first).to_have_text(f"{expected.weights()[0]:.2f}")
    assert expected.shares()[0] > 0.9
    page.get_by_role("button", name="Clear the picture").click()
    expect(said).to_have_text(f"Is there one? The model says {absent(empty):.2f}.")
    page.get_by_role("button", name="Add: cross").click()
    expect(said).to_have_text(f"Is there one? The model says {expected.shares()[0]:.2f}.")


def absent(cells: list[list[float]]) -> float:
    return float(PictureQueries(cells=cells, selected=0).shares()[0])

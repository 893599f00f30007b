"""Drawings lose decimals that nobody can see, and nothing else changes."""

from __future__ import annotations

import re
from pathlib import Path

from tools.site.publish.decimals import shorten


def test_places_have_two_decimals_and_all_else_stays() -> None:
    drawing = (
        '<svg viewBox="0 0 460.123 9"><g transform="translate(7.23456 1) scale(0.015625)">'
        '<path d="M 58.868842 -155.996C 1 2.345 3 4 1234.5678 1.5"/><text x="0.001">0.123456</text>'
        "</g></svg>"
    )
    assert shorten(f"3.14159 {drawing}") == (
        '3.14159 <svg viewBox="0 0 460.123 9"><g transform="translate(7.23 1) scale(0.015625)">'
        '<path d="M 58.87 -156C 1 2.35 3 4 1234.57 1.5"/><text x="0">0.123456</text></g></svg>'
    )


def test_a_large_drawing_has_one_decimal_and_a_small_one_two() -> None:
    for width, place in ((199.5, "7.23"), (200, "7.2")):
        drawing = '<svg viewBox="0 0 {} 9"><text x="{}">7.2345</text></svg>'
        assert shorten(drawing.format(width, 7.2345)) == drawing.format(width, place)


def test_text_that_is_not_turned_says_so_by_saying_nothing() -> None:
    drawing = '<svg><text{}>a</text><text transform="rotate(-90 1.5 2)">b</text></svg>'
    assert shorten(drawing.format(' transform="rotate(-0 58.868842 206.779703)"')) == (
        drawing.format("")
    )


def test_no_drawing_of_the_site_is_so_small_that_a_hundredth_shows(site: Path) -> None:
    boxes = [
        [float(number) for number in box.split()]
        for page in site.glob("*.html")
        for box in re.findall(
            r'<svg\b[^>]*viewbox="([^"]*)"', page.read_text("utf-8"), re.IGNORECASE
        )
    ]
    assert any(box[2] > 300 for box in boxes)
    # The smallest are icons and marks, a unit a pixel.
    assert min(max(box[2:]) for box in boxes) >= 16

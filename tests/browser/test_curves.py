"""Curves at the width of a desktop and of a phone: as wide as the column, and legible."""

from __future__ import annotations

import matplotlib as mpl
import pytest
from playwright.sync_api import Browser

from attnlab import drawing
from attnlab.drawing.matplotlib_style import settings
from attnlab.drawing.svg import html_of
from attnlab.drawing.tokens import style_element
from attnlab.results import Curve

from .conftest import font_sizes


@pytest.mark.parametrize(
    ("width", "widest", "legible"),
    [(1280, 640, (14, 18)), (700, 420, (14, 18)), (390, 358, (13, 15))],
)
def test_curves_fill_the_column_and_their_text_is_that_of_the_page(
    browser: Browser, width: int, widest: int, legible: tuple[int, int]
) -> None:
    curves = {name: Curve((1, 2, 4), [[0.1, 0.5, 0.9]]) for name in ("softmax", "linear")}
    with mpl.rc_context(settings()):
        figure = html_of(drawing.plot_curves(curves, accent="softmax", chance=0.25))
    column = '<main style="max-width: 42rem">' + figure + "</main>"
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.set_content(
        f'<!doctype html><html data-theme="light"><body style="margin: 16px">'
        f"{style_element()}{column}</body></html>"
    )
    drawn = page.evaluate("document.querySelector('svg').getBoundingClientRect().width")
    sizes = font_sizes(page.locator("svg text"))
    page.close()
    assert 0.85 * widest <= drawn <= widest
    assert legible[0] <= min(sizes)
    assert max(sizes) <= legible[1]

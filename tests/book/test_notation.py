"""The page of notation draws the marks as the figures do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from attnlab.drawing.marks import MARKS, Role

#: What SVG draws for matplotlib's markers.
SHAPES = {"o": "<circle ", "s": "<rect ", "^": "<path "}
PAGE = Path(__file__).resolve().parents[2] / "book" / "notation.md"


@pytest.mark.parametrize("role", MARKS)
def test_mark_is_the_one_that_figures_draw(role: Role) -> None:
    (line,) = re.findall(rf"(?m)^\| {role} \|.*<svg.*$", PAGE.read_text(encoding="utf-8"))
    assert f"var(--attn-{MARKS[role][0]})" in line
    assert line.count(SHAPES[MARKS[role][1]]) == (2 if role == "output" else 1)


@pytest.mark.parametrize("scale", ["score", "weight", "masked"])
def test_scale_has_its_swatch(scale: str) -> None:
    assert re.search(rf"(?m)^\| {scale} \|.*attn-swatch-{scale}", PAGE.read_text(encoding="utf-8"))

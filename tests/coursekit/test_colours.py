"""Pages, feedback and figures take their colours from one file, and all of them are legible."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import coursekit
from coursekit.colours import colours, css
from coursekit.reports import feedback


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_words_are_legible_on_paper_and_desk(theme: int) -> None:
    known = {name: pair[theme] for name, pair in colours().items()}
    grounds = {"paper", "desk", "line", "marker"}
    words = known.keys() - grounds - {"on-marker"}
    assert len(words) == 6
    low = {
        (word, ground): round(contrast(known[word], known[ground]), 2)
        for word in words
        for ground in ("paper", "desk")
        if contrast(known[word], known[ground]) < 4.5
    }
    assert low == {}
    assert contrast(known["on-marker"], known["marker"]) >= 7


def test_styles_use_no_variable_without_a_value() -> None:
    styles = (Path(coursekit.__file__).parent / "web").glob("*.css")
    text = "\n".join(path.read_text("utf-8") for path in styles)
    used, defined = (set(re.findall(p, text)) for p in (r"var\((--[\w-]+)\)", r"(--[\w-]+):"))
    assert used - defined == set()
    assert not any(name.startswith("--attn-") for name in used)


def test_feedback_has_the_colours_of_the_page() -> None:
    assert css() in feedback.page("ada", [], {})

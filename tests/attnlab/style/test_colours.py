"""The colours: one source, legible in both themes, weights never a hue."""

from __future__ import annotations

import re

import pytest

from attnlab.style import scales
from attnlab.style.tokens import HERE, Theme, css, palette, var

THEMES: tuple[Theme, Theme] = ("light", "dark")
#: look-and-voice: contrast of the three hues on paper, light and dark.
HUES = {"query": (6.3, 7.8), "key": (6.1, 8.3), "value": (6.1, 8.4)}


def blocks() -> list[dict[str, str]]:
    """Return the colours of each rule of tokens.css that has any."""
    text = re.sub(r"/\*.*?\*/", "", (HERE / "tokens.css").read_text("utf-8"), flags=re.DOTALL)
    found = [
        dict(re.findall(r"(--attn-[a-z-]+):\s*([^;]+);", body)) for body in re.split("}", text)
    ]
    return [block for block in found if "--attn-ink" in block]


def test_every_dark_rule_says_the_same() -> None:
    light, *dark = blocks()
    assert len(dark) == 2
    assert dark[0] == dark[1]
    assert dark[0].keys() <= light.keys()


@pytest.mark.parametrize("name", HUES)
@pytest.mark.parametrize("theme", THEMES)
def test_hues_have_the_contrast_that_the_design_promises(name: str, theme: Theme) -> None:
    colours = palette(theme)
    seen = scales.contrast(colours[name], colours["paper"])
    assert round(seen, 1) == HUES[name][THEMES.index(theme)]


@pytest.mark.parametrize("theme", THEMES)
def test_text_is_legible_on_paper_and_panel(theme: Theme) -> None:
    colours = palette(theme)
    words = ("ink", "muted", "accent", "query", "key", "value", "good", "bad")
    low = {
        (name, ground): round(scales.contrast(colours[name], colours[ground]), 2)
        for name in words
        for ground in ("paper", "panel")
        if scales.contrast(colours[name], colours[ground]) < 4.5
    }
    assert low == {}
    assert scales.contrast(colours["hatch"], colours["paper"]) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("token", ["ink", "positive", "negative"])
def test_number_on_every_step_of_a_scale_is_legible(theme: Theme, token: str) -> None:
    colours = palette(theme)
    low = []
    for percent in range(101):
        name = scales.text_token(token, percent)
        text = colours.get(name, name)
        if scales.contrast(text, scales.cell_colour(token, percent, theme)) < 4.5:
            low.append(percent)
    assert low == []


def test_weights_run_from_paper_to_ink_and_clip() -> None:
    colours = palette()
    assert scales.cell_colour(*scales.step(0.0)) == colours["paper"]
    assert scales.cell_colour(*scales.step(1.0)) == colours["ink"]
    assert scales.step(1.7) == ("ink", 100)
    assert scales.step(-0.2) == ("ink", 0)


def test_scores_lean_orange_below_zero_and_blue_above() -> None:
    assert scales.step(-1.0, "scores", limit=4.0) == ("negative", 25)
    assert scales.step(9.0, "scores", limit=4.0) == ("positive", 100)
    assert scales.step(0.0, "scores", limit=0.0) == ("positive", 0)


def test_unknown_names_say_what_there_is() -> None:
    with pytest.raises(ValueError, match=r"no colour 'pink'.*query"):
        var("pink")
    with pytest.raises(ValueError, match="'sepia'; expected 'light' or 'dark'"):
        palette("sepia")  # type: ignore[arg-type]


def test_figures_use_no_variable_that_tokens_lack() -> None:
    named = set(re.findall(r"var\((--attn-[a-z-]+)", css()))
    # The two that a cell sets on itself.
    assert named - set(blocks()[0]) == {"--attn-cell", "--attn-level"}

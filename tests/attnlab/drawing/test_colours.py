"""The colours: one source, legible in both themes, weights never a hue."""

from __future__ import annotations

import re

import pytest

from attnlab.drawing import scales
from attnlab.drawing.svg import follow_theme
from attnlab.drawing.tokens import FOLDER, PLAIN, Theme, css, palette, theme_colours, var

THEMES: tuple[Theme, Theme] = ("light", "dark")


def blocks() -> list[dict[str, str]]:
    """Return the colours of each rule of tokens.css that has any."""
    text = re.sub(r"/\*.*?\*/", "", (FOLDER / "tokens.css").read_text("utf-8"), flags=re.DOTALL)
    rules = [
        dict(re.findall(r"(--attn-[a-z-]+):\s*([^;]+);", body)) for body in re.split("}", text)
    ]
    return [block for block in rules if "--attn-ink" in block]


def test_every_dark_rule_says_the_same() -> None:
    light, *dark = blocks()
    assert len(dark) == 2
    assert dark[0] == dark[1]
    assert dark[0].keys() <= light.keys()


@pytest.mark.parametrize("theme", THEMES)
def test_text_is_legible_on_paper_and_desk(theme: Theme) -> None:
    colours = theme_colours(theme)
    words = ("ink", "muted", "query", "key", "value", "curve-b")
    low = {
        (name, ground): round(scales.contrast(colours[name], colours[ground]), 2)
        for name in words
        for ground in ("paper", "desk")
        if scales.contrast(colours[name], colours[ground]) < 4.5
    }
    assert low == {}
    assert scales.contrast(colours["hatch"], colours["paper"]) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("token", ["ink", "positive", "negative"])
def test_number_on_every_step_of_a_scale_is_legible(theme: Theme, token: str) -> None:
    colours = theme_colours(theme)
    low = []
    for percent in range(101):
        name = scales.text_colour(token, percent)
        text = colours.get(name, name)
        if scales.contrast(text, scales.cell_colour(token, percent, theme)) < 4.5:
            low.append(percent)
    assert low == []


def test_weights_run_from_paper_to_ink_and_clip() -> None:
    colours = theme_colours("light")
    assert scales.cell_colour(*scales.step(0.0), "light") == colours["paper"]
    assert scales.cell_colour(*scales.step(1.0), "light") == colours["ink"]
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
        theme_colours("sepia")  # type: ignore[arg-type]


def test_figures_use_no_variable_that_tokens_lack() -> None:
    named = set(re.findall(r"var\((--attn-[a-z-]+)", css()))
    # The two that a cell sets on itself.
    assert named - set(blocks()[0]) == {"--attn-cell", "--attn-level"}


def test_every_name_and_every_step_has_a_drawing_colour_of_its_own() -> None:
    names, css_of = palette(), scales.css_by_drawn_colour()
    assert names.keys() == theme_colours("light").keys()
    assert len(set(names.values())) == len(names)
    steps = {(end, p): scales.drawn_cell(end, p) for end in scales.ENDS for p in range(1, 101)}
    assert len(set(steps.values())) == len(steps)
    for name, colour in names.items():
        assert css_of[colour] == var(name)
    for (end, percent), colour in steps.items():
        assert css_of[colour] == scales.cell_css(end, percent)


def test_a_colour_from_elsewhere_is_left_alone() -> None:
    for colour in {*PLAIN, *theme_colours("light").values()}:
        assert follow_theme(f"fill: {colour}") == f"fill: {colour}"


def test_a_drawing_colour_looks_like_the_one_that_it_stands_for() -> None:
    def distance(one: str, other: str) -> int:
        return max(abs(int(one[i : i + 2], 16) - int(other[i : i + 2], 16)) for i in (1, 3, 5))

    for name, colour in theme_colours("light").items():
        assert distance(palette()[name], colour) <= 1
    for end in scales.ENDS:
        for percent in range(101):
            drawn = scales.drawn_cell(end, percent)
            assert distance(drawn, scales.cell_colour(end, percent, "light")) <= 2

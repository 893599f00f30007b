"""Drawn figures and their colours: both themes, legible, weights never a hue, and in words."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from attnlab import drawing
from attnlab.drawing import scales
from attnlab.drawing.matplotlib_style import settings
from attnlab.drawing.plane import MARKS
from attnlab.drawing.svg import follow_theme, html_of, svg_of
from attnlab.drawing.tokens import PLAIN, Theme, css, palette, theme_colours, var

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def _course_style() -> Iterator[None]:
    with mpl.rc_context(settings()):
        yield


def drawn(weights: object, *args: object, **options: object) -> ET.Element:
    figure = Figure()
    drawing.draw_heat_map(figure.subplots(), weights, *args, **options)  # type: ignore[arg-type]
    return ET.fromstring(svg_of(figure))


def texts(svg: ET.Element) -> list[str]:
    return ["".join(node.itertext()).strip() for node in svg.iter(f"{SVG}text")]


def test_heat_map_shows_tokens_and_shape_and_hides_what_is_masked() -> None:
    mask = [[True, True], [False, True]]
    svg = drawn([[0.25, 0.75], [0.123, 1.0]], ["Le", "chat"], ["the", "cat"], mask)
    expected = {"Le", "chat", "the", "cat", "query", "key", "(num_queries, num_keys) = (2, 2)"}
    assert set(texts(svg)) == expected
    fills = ET.tostring(svg, encoding="unicode")
    shares = re.findall(r"fill: color-mix\(in srgb, var\(--attn-ink[^)]*\) (\d+)%", fills)
    assert shares == ["25", "75"]  # not the hidden one; all of the ink is the ink itself


def test_heat_map_describes_itself_to_those_who_cannot_see_it() -> None:
    label = drawn([[0.2, 0.8]], ["chat"], ["the", "cat"]).get("aria-label")
    expected = "Heat map of weights, 1 queries by 2 keys. Largest in each row: chat: cat 0.80."
    assert label == expected


def test_large_map_is_an_image_of_ink_without_numbers() -> None:
    svg = drawn(np.eye(100))
    assert len(list(svg.iter(f"{SVG}image"))) == 1
    assert len(ET.tostring(svg)) < 20_000


NOTATION = (Path(__file__).resolve().parents[3] / "book" / "notation.md").read_text("utf-8")
#: What SVG draws for Matplotlib's markers.
SHAPES = {"o": "<circle ", "s": "<rect ", "^": "<path "}


@pytest.mark.parametrize("role", MARKS)
def test_every_role_has_its_own_mark_and_hue_on_the_page_of_notation_too(role: Any) -> None:
    figure = Figure()
    axes = figure.subplots()
    drawing.vector(axes, (1.0, 0.5), role, "here")
    token, marker = MARKS[role][:2]
    assert f"var(--attn-{token}" in svg_of(figure)
    marks = 2 if role == "output" else 1
    assert len(axes.lines) == 1 + marks
    (line,) = re.findall(rf"(?m)^\| {role} \|.*<svg.*$", NOTATION)
    assert f"var(--attn-{token})" in line
    assert line.count(SHAPES[marker]) == marks


@pytest.mark.parametrize("scale", ["score", "weight", "masked"])
def test_every_scale_has_its_swatch_on_the_page_of_notation(scale: str) -> None:
    assert re.search(rf"(?m)^\| {scale} \|.*attn-swatch-{scale}", NOTATION)


def test_svg_is_the_same_every_time_and_ids_do_not_clash() -> None:
    mask = [[True, False]]
    first, again = drawn([[1.0, 0.0]], mask=mask), drawn([[1.0, 0.0]], mask=mask)
    assert ET.tostring(first) == ET.tostring(again)
    other = drawn([[0.9, 0.0]], mask=mask)
    ids = [{n.get("id") for n in svg.iter() if n.get("id")} for svg in (first, other)]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_text_is_text_in_the_pages_font() -> None:
    html = html_of(Figure())
    assert html.startswith('<div class="attn-figure"><svg')
    figure = Figure()
    figure.text(0.5, 0.5, "words")
    assert "var(--attn-ui-font, sans-serif)" in html_of(figure)
    assert "DejaVu" not in html_of(figure)


def test_use_shows_figures_as_themed_html_in_a_notebook() -> None:
    code = (
        "from IPython.core.interactiveshell import InteractiveShell as S\n"
        "shell = S.instance()\n"
        "from attnlab import drawing\n"
        "import matplotlib; matplotlib.use('agg')\n"
        "print('--attn-ink' in drawing.use()._repr_html_())\n"
        "from matplotlib.figure import Figure\n"
        "data, _ = shell.display_formatter.format(Figure())\n"
        "print('<div class=\"attn-figure\"><svg' in data['text/html'], 'image/png' in data)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["True", "True", "False"], done.stderr


THEMES: tuple[Theme, Theme] = ("light", "dark")


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


def test_figures_use_no_variable_that_tokens_lack() -> None:
    named = set(re.findall(r"var\((--attn-[a-z-]+)", css()))
    # The two that a cell sets on itself.
    assert named - set(re.findall(r"(--attn-[a-z-]+):", css())) == {"--attn-cell", "--attn-level"}


def test_every_name_and_every_step_has_a_drawing_colour_of_its_own() -> None:
    names, css_of = palette(), scales.css_by_drawn_colour()
    assert names.keys() == theme_colours("light").keys()
    assert len(set(names.values())) == len(names)
    steps = [scales.drawn_cell(percent) for percent in range(101)]
    assert len(set(steps)) == len(steps)
    for name, colour in names.items():
        assert css_of[colour] == var(name)
    for percent, colour in enumerate(steps):
        assert css_of[colour] == scales.cell_css("ink", percent)


def test_a_colour_from_elsewhere_is_left_alone() -> None:
    for colour in {*PLAIN, *theme_colours("light").values()}:
        assert follow_theme(f"fill: {colour}") == f"fill: {colour}"


def test_a_drawing_colour_looks_like_the_one_that_it_stands_for() -> None:
    def distance(one: str, other: str) -> int:
        return max(abs(int(one[i : i + 2], 16) - int(other[i : i + 2], 16)) for i in (1, 3, 5))

    for name, colour in theme_colours("light").items():
        assert distance(palette()[name], colour) <= 1
    for percent in range(101):
        drawn = scales.drawn_cell(percent)
        assert distance(drawn, scales.cell_colour("ink", percent, "light")) <= 2

"""Drawn figures: they follow the theme, keep the marks, and describe themselves."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from attnlab import drawing
from attnlab.drawing.marks import MARKS
from attnlab.drawing.matplotlib_style import settings
from attnlab.drawing.svg import html_of, svg_of

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


def test_every_colour_of_a_heat_map_follows_the_theme() -> None:
    svg = drawn([[0.1, 0.9], [0.55, 0.45]], mask=[[True, True], [False, True]])
    plain = re.sub(r"var\([^()]*\)", "", ET.tostring(svg, encoding="unicode"))
    # Plain black is the number on a middle step, right in both themes.
    assert set(re.findall(r"#[0-9a-f]{6}\b", plain)) <= {"#000000"}
    assert "color-mix(in srgb, var(--attn-ink, #151b2b) 90%" in ET.tostring(svg, encoding="unicode")


def test_heat_map_shows_numbers_tokens_and_shape_and_hides_what_is_masked() -> None:
    mask = [[True, True], [False, True]]
    shown = texts(drawn([[0.25, 0.75], [0.123, 1.0]], ["Le", "chat"], ["the", "cat"], mask))
    for text in ("0.25", "0.75", "1.00", "Le", "chat", "the", "cat", "query", "key"):
        assert text in shown
    assert "(num_queries, num_keys) = (2, 2)" in shown
    assert "0.12" not in shown


def test_heat_map_describes_itself_to_those_who_cannot_see_it() -> None:
    label = drawn([[0.2, 0.8]], ["chat"], ["the", "cat"]).get("aria-label")
    expected = "Heat map of weights, 1 queries by 2 keys. Largest in each row: chat: cat 0.80."
    assert label == expected


def test_large_map_is_an_image_of_ink_without_numbers() -> None:
    svg = drawn(np.eye(100))
    assert len(list(svg.iter(f"{SVG}image"))) == 1
    assert len(ET.tostring(svg)) < 20_000
    with pytest.raises(ValueError, match="expected at most 64"):
        drawn(np.eye(100), kind="scores")


@pytest.mark.parametrize("role", MARKS)
def test_every_role_has_its_own_mark_and_hue(role: Any) -> None:
    figure = Figure()
    axes = figure.subplots()
    drawing.vector(axes, (1.0, 0.5), role, "here")
    token = MARKS[role][0]
    assert f"var(--attn-{token}" in svg_of(figure)
    doubled = len(axes.lines) == 3
    assert doubled == (role == "output")


def test_vector_says_what_is_wrong() -> None:
    axes = Figure().subplots()
    with pytest.raises(ValueError, match=r"shape \(2,\); got \(3,\)"):
        drawing.vector(axes, (1, 2, 3), "query")
    with pytest.raises(ValueError, match="role is 'head'; expected one of query"):
        drawing.vector(axes, (1, 2), "head")  # type: ignore[arg-type]


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


def test_a_bare_install_has_tables_without_matplotlib() -> None:
    code = (
        "import sys\n"
        "for name in ('matplotlib', 'IPython', 'anywidget', 'ipywidgets', 'traitlets'):\n"
        "    sys.modules[name] = None\n"
        "from attnlab import drawing\n"
        "print(drawing.weights_table([[1.0]])._repr_html_()[:4])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "<div", done.stderr

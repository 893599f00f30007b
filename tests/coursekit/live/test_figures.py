"""Plain figures: what cells draw with Matplotlib's names is there, in the right place."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from coursekit.in_page.figures import Figure, items
from coursekit.in_page.figures.draw import Canvas
from coursekit.in_page.figures.items import MissingError
from coursekit.in_page.figures.scale import Scale

SVG = "{http://www.w3.org/2000/svg}"


def drawn(figure: Figure) -> ET.Element:
    return ET.fromstring(figure.svg())


def texts(figure: Figure) -> list[str]:
    return ["".join(node.itertext()) for node in drawn(figure).iter(f"{SVG}text")]


def plot(**options: Any) -> tuple[Figure, Any]:
    figure = Figure((4, 3))
    ax = figure.subplots()
    ax.set(**options)
    return figure, ax


def test_line_goes_from_its_first_point_to_its_last() -> None:
    figure, ax = plot(xlim=(0, 10), ylim=(0, 1))
    ax.plot([0, 10], [0, 1], "--", color="#123456", label="up")
    left, top, width, height = Canvas(ax, figure.box_of(ax)).box
    (path,) = [p for p in drawn(figure).iter(f"{SVG}path") if p.get("stroke") == "#123456"]
    assert path.get("d") == f"M{left:.2f} {top + height:.2f}L{left + width:.2f} {top:.2f}"
    assert path.get("stroke-dasharray")


def test_missing_numbers_part_a_line() -> None:
    figure, ax = plot()
    ax.plot([0, 1, 2, 3], [1, np.nan, 2, 3], color="#123456")
    (path,) = [p for p in drawn(figure).iter(f"{SVG}path") if p.get("stroke") == "#123456"]
    assert str(path.get("d")).count("M") == 2


def test_names_title_ticks_and_legend_are_written() -> None:
    figure, ax = plot(xlabel="tokens", ylabel="ms", title="time & space")
    ax.plot([1, 2, 3], [1, 4, 9], label="full")
    ax.set_xticks([1, 3], ["one", "three"])
    ax.legend()
    assert {"tokens", "ms", "time & space", "one", "three", "full"} <= set(texts(figure))


def test_legend_below_makes_the_figure_higher() -> None:
    figure, ax = plot()
    ax.plot([1, 2], label="a")
    before = float(str(drawn(figure).get("height")).removesuffix("pt"))
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2)
    assert float(str(drawn(figure).get("height")).removesuffix("pt")) > before


def test_logarithmic_axis_has_powers_of_ten_at_equal_distances() -> None:
    scale = Scale(base=10)
    limits = scale.fit(1, 1000, margin=0)
    assert [at for at, _ in scale.marks(limits)] == [1, 10, 100, 1000]
    assert scale.place(10, limits) == pytest.approx(1 / 3)


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3.2, 5), (0.001, 0.0017), (0, 130_000)])
def test_linear_axis_has_a_few_round_ticks(low: float, high: float) -> None:
    ticks = Scale().marks((low, high))
    assert 3 <= len(ticks) <= 8
    steps = np.diff([at for at, _ in ticks])
    np.testing.assert_allclose(steps, steps[0])


def test_whole_numbers_where_asked_for() -> None:
    assert [name for _, name in Scale(integer=True).marks((0, 2.2))] == ["0", "1", "2"]


def test_equal_aspect_has_one_unit_for_both_axes() -> None:
    _, ax = plot(xlim=(0, 4), ylim=(0, 1), aspect="equal")
    canvas = Canvas(ax, (0, 0, 100, 100))
    assert canvas.x(1) - canvas.x(0) == pytest.approx(canvas.y(0) - canvas.y(1))


def test_box_with_a_hatch_has_lines_inside_it() -> None:
    figure, ax = plot(xlim=(0, 1), ylim=(0, 1))
    ax.add_patch(items.rectangle((0, 0), 1, 1, facecolor="#ffffff", hatch="////"))
    x, y, width, height = Canvas(ax, figure.box_of(ax)).box
    (lines,) = [p for p in drawn(figure).iter(f"{SVG}path") if p.get("stroke-width") == "0.7"]
    numbers = np.array(re.findall(r"[\d.]+", str(lines.get("d"))), float).reshape(-1, 2)
    assert (numbers >= [x - 0.1, y - 0.1]).all()
    assert (numbers <= [x + width + 0.1, y + height + 0.1]).all()


def test_image_is_a_png_of_its_pixels() -> None:
    import base64
    import zlib

    figure, ax = plot()
    ax.imshow(np.array([[0.0, 1.0]]))
    (image,) = drawn(figure).iter(f"{SVG}image")
    data = base64.b64decode(str(image.get("href")).partition(",")[2])
    start = data.index(b"IDAT") + 4
    length = int.from_bytes(data[start - 8 : start - 4], "big")
    assert zlib.decompress(data[start : start + length]) == bytes([0, 0, 0, 0, 0, 0, 0, 0, 255])


def test_alternative_text_is_the_figures_label() -> None:
    figure, _ = plot()
    figure.set_label('a "quoted" <text>')
    assert drawn(figure).get("aria-label") == 'a "quoted" <text>'


def test_a_note_stands_at_a_share_of_the_axes_one_way_and_at_a_number_the_other() -> None:
    figure, ax = plot(xlim=(4, 8), ylim=(0, 1))
    ax.annotate("half", (0, 0.5), xycoords=("axes fraction", "data"))
    ax.annotate("above", (6, 1), xycoords=("data", "axes fraction"))
    left, top, width, height = Canvas(ax, figure.box_of(ax)).box
    found = {span.text: span for span in drawn(figure).iter(f"{SVG}tspan")}
    places = {
        name: [float(str(found[name].get(way))) for way in "xy"] for name in ("half", "above")
    }
    assert places["half"] == pytest.approx([left, top + height / 2], abs=0.01)
    assert places["above"] == pytest.approx([left + width / 2, top], abs=0.01)


def test_a_note_above_the_axes_is_inside_the_figure() -> None:
    figure, ax = plot(ylim=(0, 1))
    ax.annotate("end", (0.5, 1), xytext=(0, 4), textcoords="offset points")
    (note,) = [span for span in drawn(figure).iter(f"{SVG}tspan") if span.text == "end"]
    assert float(str(note.get("y"))) >= 11  # the height of its letters


@pytest.mark.parametrize("use", ["figure.colorbar", "ax.quiver", "ax.contourf"])
def test_what_is_not_drawn_says_so(use: str) -> None:
    figure, ax = plot()
    with pytest.raises(MissingError, match="without Matplotlib"):
        eval(use, {"figure": figure, "ax": ax})


def test_grids_share_a_figure_without_overlap() -> None:
    figure = Figure((6, 3))
    axes = figure.subplots(1, 3, sharey=True)
    boxes = [figure.box_of(ax) for ax in axes]
    assert all(a[0] + a[2] <= b[0] for a, b in pairwise(boxes))

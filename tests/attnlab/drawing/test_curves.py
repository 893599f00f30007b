import itertools
import xml.etree.ElementTree as ET

import pytest

pytest.importorskip("matplotlib")

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from attnlab import drawing
from attnlab.drawing import palette
from attnlab.drawing.line_labels import label_ends
from attnlab.drawing.matplotlib_style import settings
from attnlab.drawing.svg import svg_of
from attnlab.experiments import Curve
from coursekit.in_page.figures import Figure as PlainFigure

SVG = "{http://www.w3.org/2000/svg}"

SHOWN = {
    "one": Curve([0, 2, 4], [[1.0, 0.8, 0.4], [0.8, 0.6, 0.2]]),
    "other": Curve([0, 2, 4], [[0.5, 0.5, 0.5], [0.5, 0.5, 0.5]]),
}


def test_a_line_for_the_mean_and_a_band_for_the_seeds():
    ax = drawing.plot_curves(SHOWN, accent="one").axes[0]
    lines = {line.get_label(): line for line in ax.lines}
    assert list(lines["one"].get_ydata()) == pytest.approx([0.9, 0.7, 0.3])
    band = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert (band.min(), band.max()) == (0.2, 1.0)
    assert lines["one"].get_color() != lines["other"].get_color()


def test_chance_and_the_end_of_training_are_marked():
    ax = drawing.plot_curves(SHOWN, chance=0.5, trained_to=2).axes[0]
    assert {text.get_text() for text in ax.texts} == {"chance", "trained to here", *SHOWN}
    assert len(ax.lines) == len(SHOWN) + 2


def test_chance_is_named_wherever_the_curves_begin():
    late = {"late": Curve([4, 8], [[0.5, 0.9]])}
    with mpl.rc_context(settings()):
        assert ">chance<" in svg_of(drawing.plot_curves(late, chance=0.5))


def test_lines_are_named_at_their_ends_without_overlaps():
    names = ("attention", "a vector of 128 numbers", "16", "attention, with dropout")
    for ends in ((0.5, 0.54, 0.58, 0.62), (0.9, 0.9, 0.9, 0.9)):
        shown = {name: Curve([1, 2], [[0.5, end]]) for name, end in zip(names, ends, strict=True)}
        with mpl.rc_context(settings()):
            figure = drawing.plot_curves(shown, accent="attention")
            FigureCanvasAgg(figure).draw()
        ax = figure.axes[0]
        boxes = [Text.get_window_extent(text) for text in ax.texts]  # without its leader
        assert {text.get_text().replace("\n", " ") for text in ax.texts} == set(names)
        plot, canvas = ax.get_window_extent(), figure.bbox
        for box, other in itertools.combinations(boxes, 2):
            assert not box.overlaps(other)
        for box in boxes:
            assert plot.x1 < box.x0
            assert box.x1 <= canvas.x1 + 5
            assert box.y0 >= plot.y0 - 5
            assert box.y1 <= plot.y1 + 5


def test_the_accent_and_what_begins_like_it_have_a_hue_of_their_own():
    names = ("plain", "BiGRU: weight", "BiGRU: right", "plain, later")
    shown = {name: Curve([1, 2], [[0.5, 0.6]]) for name in names}
    ax = drawing.plot_curves(shown, accent="BiGRU: right").axes[0]
    looks = [(line.get_color(), line.get_linestyle()) for line in ax.lines]
    a, b = (palette()[f"curve-{letter}"] for letter in "ab")
    assert looks == [(a, "-"), (b, "--"), (b, "-"), (a, "--")]
    leaders = [text.arrow_patch for text in ax.texts]
    assert [leader.get_linestyle() for leader in leaders] == [style for _, style in looks]


def test_more_lines_than_dashes_have_a_small_plot_each():
    shown = {f"run {n}": Curve([1, 2], [[0.5, n / 10]]) for n in range(5)}
    figure = drawing.plot_curves(shown, chance=0.2)
    assert [ax.get_title() for ax in figure.axes] == [*shown, ""]
    assert not figure.axes[-1].axison
    for n, ax in enumerate(figure.axes[:-1]):
        colours = [line.get_color() for line in ax.lines[: len(shown)]]
        assert colours.count(palette()["line"]) == 4
        assert colours[n] == palette()["curve-a"]
    assert "run 4: 0.50 at 1, 0.40 at 2" in figure.get_label()


def test_figures_without_matplotlib_have_names_at_the_ends_of_lines():
    figure = PlainFigure((4.8, 3.1))
    ax = figure.add_subplot()
    ends = {"attention": 0.3, "a vector of 128 numbers": 0.5, "16": 0.56, "GRU": 0.9}
    lines = [ax.plot([1, 2], [0.1, end], label=name)[0] for name, end in ends.items()]
    ax.set(xlim=(1, 2), ylim=(0, 1.04))
    label_ends(ax, lines)
    svg, place = ET.fromstring(figure.svg()), ax.get_position()
    right = (place.x0 + place.width) * 72 * 4.8
    texts = {" ".join(text.itertext()): text for text in svg.iter(f"{SVG}text")}
    heights = []
    for name in ends:
        first, *_, last = [*texts[name], *texts[name]]
        assert right < float(first.get("x")) < 72 * 4.8 - 6 * len(first.text)
        heights += [(float(last.get("y")), float(first.get("y")))]
    for (top, _), (_, below) in itertools.pairwise(heights):
        assert top - below >= 11  # points: one name is above the other
    begin = [path.get("d").partition(" ")[0] for path in svg.iter(f"{SVG}path")]
    assert begin.count(f"M{right:.2f}") >= len(ends)  # each line is joined to its name


def test_the_figure_says_in_words_where_its_curves_start_and_end():
    svg = svg_of(drawing.plot_curves(SHOWN, y_label="share"))
    assert "one: 0.90 at 0, 0.30 at 4; other: 0.50 at 0, 0.50 at 4." in svg


def test_logarithmic_axes_have_a_tick_at_each_point_and_room_for_large_values():
    costs = {"full": Curve([1024, 4096], [[16.0, 20_000.0]])}
    ax = drawing.plot_curves(costs, log="xy").axes[0]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1,024", "4,096"]
    assert ax.get_ylim()[1] > 20_000
    assert drawing.plot_curves(SHOWN, log="x").axes[0].get_ylim() == (0, 1.04)
    assert "full: 16 at 1024, 20,000 at 4096." in svg_of(drawing.plot_curves(costs, log="xy"))


def test_text_is_large_enough_on_a_phone_and_names_do_not_touch():

    points = [2.0**n for n in range(11, 18)]
    curves = {name: Curve(points, [[0.5] * 7]) for name in ("hashing, one rotation", "full")}
    with mpl.rc_context(settings()):
        figure = drawing.plot_curves(curves, log="x")
    ax, canvas = figure.axes[0], FigureCanvasAgg(figure)
    width = float(svg_of(figure).partition(' width="')[2].partition('"')[0])
    small = min(text.get_fontsize() for text in (*ax.texts, *ax.get_xticklabels(), ax.xaxis.label))
    assert small * 4 / 3 * min(1, 350 / width) >= 13  # pixels; 350 is a phone's page
    boxes = [name.get_window_extent(canvas.get_renderer()) for name in ax.get_xticklabels()]
    boxes = [box for box in boxes if box.width > 1]
    assert len(boxes) == 4
    assert not any(one.overlaps(other) for one, other in itertools.pairwise(boxes))


def test_the_main_line_is_one_of_those_shown():
    with pytest.raises(ValueError, match="accent is 'three'; expected one of"):
        drawing.plot_curves(SHOWN, accent="three")


def test_evenly_spaced_points_keep_their_names():
    ax = drawing.plot_curves({"one": Curve((0, 0.1, 10), [[0, 1, 0.5]])}, evenly=True).axes[0]
    assert list(ax.get_xticks()) == [0, 1, 2]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "0.1", "10"]

import pytest

pytest.importorskip("matplotlib")

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from attnlab import drawing
from attnlab.drawing.line_labels import end_apart
from attnlab.drawing.matplotlib_style import settings
from attnlab.drawing.svg import svg_of
from attnlab.experiments import Curve

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
    assert lines["one"].get_linestyle() == "-"
    assert lines["other"].get_linestyle() != "-"


def test_chance_and_the_end_of_training_are_marked():
    ax = drawing.plot_curves(SHOWN, chance=0.5, trained_to=2).axes[0]
    assert {text.get_text() for text in ax.texts} == {"chance", "trained to here"}
    assert len(ax.lines) == len(SHOWN) + 2


def test_chance_is_named_wherever_the_curves_begin():
    late = {"late": Curve([4, 8], [[0.5, 0.9]])}
    with mpl.rc_context(settings()):
        assert ">chance<" in svg_of(drawing.plot_curves(late, chance=0.5))


def test_many_lines_are_named_at_their_ends():
    names = ("attention", "a vector of 128 numbers", "16", "GRU", "one more", "and another")
    for count in (3, 6):
        shown = {n: Curve([1, 2], [[0.5, 0.7 + i / 25]]) for i, n in enumerate(names[:count])}
        with mpl.rc_context(settings()):
            figure = drawing.plot_curves(shown, accent="attention")
            FigureCanvasAgg(figure).draw()
        ax = figure.axes[0]
        assert (ax.get_legend() is None) == (count == 6)
    together = {name: Curve([1, 2], [[0.5, 0.9]]) for name in names}
    assert (
        drawing.plot_curves(together, accent="16").axes[0].get_legend() is not None
    )  # a name means no line
    assert {text.get_text().replace("\n", " ") for text in ax.texts} == set(names)


@pytest.mark.parametrize(
    ("scale", "limits", "ends", "apart"),
    [
        ("linear", (0, 1), (0.5, 0.52), False),
        ("linear", (0, 1), (0.5, 0.56), True),
        ("log", (1, 1000), (2.0, 2.2), False),
        ("log", (1, 1000), (2.0, 4.0), True),
    ],
)
def test_lines_end_apart_or_together_on_the_scale_that_is_seen(scale, limits, ends, apart):
    ax = Figure().add_subplot()
    lines = [ax.plot([1, 2], [1.0, end])[0] for end in ends]
    ax.set_yscale(scale)
    ax.set_ylim(*limits)
    assert end_apart(ax, lines) == apart


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


def test_the_main_line_is_one_of_those_shown():
    with pytest.raises(ValueError, match="accent is 'three'; expected one of"):
        drawing.plot_curves(SHOWN, accent="three")


def test_evenly_spaced_points_keep_their_names():
    ax = drawing.plot_curves({"one": Curve((0, 0.1, 10), [[0, 1, 0.5]])}, evenly=True).axes[0]
    assert list(ax.get_xticks()) == [0, 1, 2]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "0.1", "10"]

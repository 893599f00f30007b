"""Curves and maps by Matplotlib: what is drawn is what the arrays hold."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure

from attnlab import drawing
from attnlab.drawing import all_heads, head_row
from attnlab.drawing.heat_axes import GAP, WIDE_GAP
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
    assert lines["one"].get_color() != lines["other"].get_color()


def test_chance_and_the_end_of_training_are_marked():
    late = {"late": Curve([4, 8], [[0.5, 0.9]])}
    ax = drawing.plot_curves(late, chance=0.5, trained_to=6).axes[0]
    names = {text.get_text() for text in ax.texts} - {""}
    assert names == {"late", "chance", "trained to here"}


def test_names_stand_in_the_order_in_which_lines_end_each_with_a_piece_of_its_line():
    ends = {"low": 0.5, "together, lower": 0.9, "together, higher": 0.9}
    shown = {n: Curve([1, 2, 3], [[0.1, i / 5, end]]) for i, (n, end) in enumerate(ends.items())}
    ax = drawing.plot_curves(shown).axes[0]
    heights = {t.get_text().replace("\n", " "): t.get_position()[1] for t in ax.texts}
    assert heights["low"] < heights["together, lower"] < heights["together, higher"]
    look = {line.get_label(): (line.get_color(), line.get_linestyle()) for line in ax.lines}
    assert len({look[name] for name in shown}) == len(shown)
    pieces = {line.get_ydata()[0]: line for line in ax.lines if line.get_xdata()[0] > 1}
    for name in shown:
        piece = pieces[heights[name]]
        assert (piece.get_color(), piece.get_linestyle()) == look[name]


def test_a_line_is_named_where_its_last_number_is():
    ax = Figure().add_subplot()
    ax.plot([1, 2, 3], [1, 0.5, np.nan], label="ends early")
    ax.plot([1, 2, 3], [1, 0.5, 0.9])
    drawing.label_ends(ax)
    assert [text.get_text() for text in ax.texts] == ["", "ends early"]
    assert (ax.transAxes - ax.transData).transform(ax.texts[0].xy) == pytest.approx([2, 0.5])


def test_names_with_a_colon_share_panels():
    shown = dict.fromkeys(("A: right", "B: right", "A: weight", "B: weight"), SHOWN["one"])
    with mpl.rc_context(settings()):
        axes = drawing.plot_curves(shown, accent="A: right").axes
    assert [ax.get_title(loc="left") for ax in axes] == ["A", "B"]
    looks = [{line.get_label(): line.get_color() for line in ax.lines} for ax in axes]
    assert looks[0]["right"] != looks[0]["weight"]
    assert looks[0] == looks[1]


def test_the_figure_says_in_words_where_its_curves_start_and_end():
    svg = svg_of(drawing.plot_curves(SHOWN, y_label="share"))
    assert "one: 0.90 at 0, 0.30 at 4; other: 0.50 at 0, 0.50 at 4." in svg


def test_logarithmic_axes_have_a_tick_at_each_point_and_room_for_large_values():
    costs = {"full": Curve([1024, 4096], [[16.0, 20_000.0]])}
    ax = drawing.plot_curves(costs, log="xy").axes[0]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1,024", "4,096"]
    assert ax.get_ylim()[1] > 20_000
    assert drawing.plot_curves(costs, log="x").axes[0].get_ylim() == (0, 20_800)
    assert "full: 16 at 1024, 20,000 at 4096." in svg_of(drawing.plot_curves(costs, log="xy"))


def test_evenly_spaced_points_keep_their_names():
    ax = drawing.plot_curves({"one": Curve((0, 0.1, 10), [[0, 1, 0.5]])}, evenly=True).axes[0]
    assert list(ax.get_xticks()) == [0, 1, 2]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "0.1", "10"]


def test_each_head_has_its_own_square():
    weights = np.zeros((2, 12, 5, 5))
    weights[1, 2, 0, 4] = 0.75  # layer 2, head 3: the first query looks at the last key
    weights[..., 0] += 0.25
    ax = all_heads(weights).axes[0]
    sheet = np.asarray(ax.images[0].get_array())[..., 3]
    step = 5 + GAP
    assert sheet.shape == (2 * step - GAP, 12 * step - GAP)
    assert sheet[step, 2 * step + 4] == 0.75
    assert sheet[0, 0] == sheet[step + 4, step] == 0.25
    assert sheet[0, 5] == sheet[5, 0] == 0  # between the maps
    assert [label.get_text() for label in ax.get_xticklabels()] == [str(n) for n in range(1, 13)]
    assert "2 layers of 12 heads" in ax.figure.get_label()


def test_each_map_stands_in_its_place():
    first, second = np.zeros((2, 41, 41))
    first[0, 40], second[40, 0] = 0.25, 0.75
    figure = head_row({"model A": first, "model B": second}, "Look at the corners.")
    ax = figure.axes[0]
    sheet = np.asarray(ax.images[0].get_array())[..., 3]
    assert sheet.shape == (41, 2 * 41 + WIDE_GAP)
    assert sheet[0, 40] == 0.25
    assert sheet[40, 41 + WIDE_GAP] == 0.75
    assert sheet.sum() == 1
    assert [label.get_text() for label in ax.get_xticklabels()] == ["model A", "model B"]
    assert figure.get_label() == "2 heat maps of 41 by 41 tokens. Look at the corners."
    frames = [patch.get_xy() for patch in ax.patches]
    assert (-0.5, -0.5) in frames
    assert (40.5 + WIDE_GAP, -0.5) in frames

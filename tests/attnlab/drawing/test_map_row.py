"""Heads beside each other: each map has its place, and its name above."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from attnlab.drawing import head_row
from attnlab.drawing.map_row import GAP


def test_each_map_stands_in_its_place():
    first, second = np.zeros((2, 41, 41))
    first[0, 40], second[40, 0] = 0.25, 0.75
    figure = head_row({"model A": first, "model B": second}, "Look at the corners.")
    ax = figure.axes[0]
    sheet = np.asarray(ax.images[0].get_array())[..., 3]
    assert sheet.shape == (41, 2 * 41 + GAP)
    assert sheet[0, 40] == 0.25
    assert sheet[40, 41 + GAP] == 0.75
    assert sheet.sum() == 1
    assert [label.get_text() for label in ax.get_xticklabels()] == ["model A", "model B"]
    assert figure.get_label() == "2 heat maps of 41 by 41 tokens. Look at the corners."
    frames = [patch.get_xy() for patch in ax.patches]
    assert (-0.5, -0.5) in frames
    assert (40.5 + GAP, -0.5) in frames


@pytest.mark.parametrize("shapes", [[], [(3, 4)], [(3, 3), (4, 4)], [(3,)]])
def test_maps_of_other_shapes_are_refused(shapes):
    maps = {f"map {number}": np.zeros(shape) for number, shape in enumerate(shapes)}
    with pytest.raises(ValueError, match="expected one shape"):
        head_row(maps, "")


def test_small_maps_are_for_a_table():
    with pytest.raises(ValueError, match="2 maps of 7 tokens; expected more than 64 cells"):
        head_row({"a": np.zeros((7, 7)), "b": np.zeros((7, 7))}, "")

"""Figures of the chapters on uses: what is drawn is what the arrays hold."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from attnlab.drawing import all_heads
from attnlab.drawing.head_maps import GAP


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


def test_a_stack_without_heads_is_refused():
    with pytest.raises(ValueError, match=r"weights have shape \(3, 5, 5\); expected \(layers"):
        all_heads(np.zeros((3, 5, 5)))

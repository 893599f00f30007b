"""The chapters' figures and the running picture show what attn computes."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

import attn
from attnlab import drawing
from attnlab.data import four_tokens
from attnlab.drawing.picture import Picture
from attnlab.drawing.svg import html_of

TOKENS = ["the", "cat", "drank", "milk"]
QUERY = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [1.0, 0.0]])
KEY = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, -1.0], [0.0, 1.0]])


def texts(figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_text_is_legible_on_a_phone_where_the_figure_scrolls() -> None:
    figure = drawing.multi_head_blocks(5, 7, d_model=13, num_heads=3, head_dim=2)
    # The figure is not shrunk: a point is 4/3 pixels.
    assert min(text.get_fontsize() for text in figure.axes[0].texts) * 4 / 3 >= 11
    opening = html_of(figure).partition("<svg")[0]
    assert 'class="attn-figure attn-scroll attn-wide" tabindex="0" role="group"' in opening
    assert figure.get_label()


def test_heads_have_the_shapes_of_a_real_layer() -> None:
    figure = drawing.multi_head_blocks(5, 7, d_model=13, num_heads=3, head_dim=2)
    shown = "\n".join(texts(figure))
    expected = ("x  (5, 13)", "y  (7, 13)", "(13, 6)", "(3, 5, 2)", "(3, 7, 2)", "(6, 13)", "√2")
    for part in (*expected, "weights (5, 7), output (5, 2)", "(5, 6)", "output  (5, 13)"):
        assert part in shown, part
    assert "3 heads" in figure.get_label()


def test_plane_drops_each_key_onto_the_query() -> None:
    figure = drawing.query_and_keys(QUERY[2], KEY, ["who?", *TOKENS])
    lines = [line.get_xydata() for line in figure.axes[0].lines if line.get_linestyle() == ":"]
    feet = np.array([line[-1] for line in lines])
    np.testing.assert_allclose(feet, [[0, 0], [1, 0], [-1, 0], [0, 0]], atol=1e-12)
    assert "drank (−1, −1)" in figure.get_label()


HEADINGS = [
    "stage 1: tokens",
    "→ stage 2: projections",
    "→ stage 3: scores",
    "→ stage 4: weights",
    "→ stage 5: output",
]


def panels(picture: Picture) -> list[str]:
    return re.findall("<svg.*?</svg>", picture.html, re.DOTALL)


def numbers(panel: str) -> list[float]:
    """Return the numbers in the cells of a panel, in the order in which they are drawn."""
    return [
        float(n.replace("−", "-"))
        for n in re.findall(r"font-size:12px;text-anchor:middle\">([−\d.]+)<", panel)
    ]


@pytest.mark.parametrize("stages", range(1, 6))
def test_each_stage_adds_one_panel(stages: int) -> None:
    html = drawing.attention_stages(stages)._repr_html_()
    assert [name for name in HEADINGS if f">{name}</text>" in html] == HEADINGS[:stages]
    assert html.count("<svg") == stages


def test_numbers_are_those_of_attn() -> None:
    x, projections = four_tokens.X, four_tokens.PROJECTIONS
    query, key, value = (x @ w for w in projections)
    output, weights = attn.scaled_dot_product_attention(query, key, value, return_weights=True)
    shown = panels(drawing.attention_stages())
    assert numbers(shown[0]) == x.ravel().tolist()
    assert numbers(shown[1]) == np.concatenate([a.ravel() for a in (query, key, value)]).tolist()
    assert numbers(shown[2]) == (query @ key.T).ravel().tolist()
    assert numbers(shown[3]) == weights.round(2).ravel().tolist()
    assert numbers(shown[4]) == output.round(2).ravel().tolist()


def test_highlight_frames_one_row_in_every_array_of_queries() -> None:
    plain = drawing.attention_stages()._repr_html_()
    framed = drawing.attention_stages(highlight="drank")
    assert "stroke-width:2.5" not in plain
    assert framed._repr_html_().count("stroke-width:2.5") == 5  # X, Q, S, A, output
    assert "Its weights are (0.16, 0.65, 0.04, 0.16)." in framed.description
    assert "weights are" not in drawing.attention_stages(3, "drank").description


def test_a_mask_is_a_stage_between_scores_and_weights() -> None:
    drawn = drawing.attention_stages(6, mask=attn.causal_mask(4, 4))
    assert [len(numbers(panel)) for panel in panels(drawn)] == [20, 28, 16, 10, 10, 12]
    assert "masked scores" in panels(drawn)[3]
    assert numbers(panels(drawn)[4])[:3] == [1.0, 0.5, 0.5]  # hidden cells have no number
    assert "masked scores: (num_queries, num_keys) = (4, 4). 6 of its cells are hidden." in (
        drawn.description
    )


def test_early_stages_can_be_left_out() -> None:
    whole, late = (
        drawing.attention_stages(5, "drank"),
        drawing.attention_stages(5, "drank", since=4),
    )
    assert panels(late) == panels(whole)[3:]
    assert "Its output is" in late.description
    assert "Its query" not in late.description


def test_heads_side_by_side_are_those_of_attn() -> None:
    x = four_tokens.X
    heads = [
        attn.scaled_dot_product_attention(*(x @ w for w in head), return_weights=True)
        for head in four_tokens.HEADS
    ]
    drawn = drawing.head_stages("drank")
    for panel, (output, weights) in zip(panels(drawn), heads, strict=False):
        assert numbers(panel) == [*weights.round(2).ravel(), *output.round(2).ravel()]
    joined = np.concatenate([output for output, _ in heads], axis=-1)
    assert numbers(panels(drawn)[2]) == joined.round(2).ravel().tolist()
    assert "For drank its weights are (0.16, 0.16, 0.04, 0.65)" in drawn.description
    assert drawn._repr_html_().count("stroke-width:2.5") == 5  # two of each head, and Concat


def test_cross_attention_has_keys_of_another_sentence() -> None:
    source = np.eye(5)[[1, 0, 4]]
    drawn = drawing.attention_stages(4, y=source, y_tokens=["a", "b", "c"])
    assert len(panels(drawn)) == 5
    assert "V = Y WV: (num_keys, d_v) = (3, 3)." in drawn.description
    assert len(numbers(panels(drawn)[-1])) == 4 * 3


def test_positions_are_added_to_the_tokens() -> None:
    added = np.arange(20.0).reshape(4, 5) / 4
    drawn = drawing.attention_stages(2, "drank", positions=added)
    first, second = four_tokens.X, four_tokens.X + added
    shown = [first, added, second]
    assert [numbers(panel) for panel in panels(drawn)[:3]] == [a.ravel().tolist() for a in shown]
    query = (second @ four_tokens.W_QUERY).ravel().tolist()
    assert numbers(panels(drawn)[3])[: len(query)] == query
    assert "X + P: (num_tokens, d_model) = (4, 5)." in drawn.description


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"stages": 6}, "stages is 6; expected a whole number from 1 to 5"),
        ({"since": 4, "stages": 3}, "since is 4; expected a whole number from 1 to 3"),
        ({"highlight": "dog"}, "highlight is 'dog'; expected one of the, cat, drank, milk"),
        ({"positions": np.eye(4)}, r"positions have shape \(4, 4\); expected \(4, 5\), as x"),
        ({"y": np.eye(5)}, r"shape \(5, 5\) with 0 labels"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        drawing.attention_stages(**arguments)  # type: ignore[arg-type]


def test_a_mask_and_labels_keep_to_the_columns_of_their_width() -> None:
    x = four_tokens.X * -9.75
    drawn = drawing.attention_stages(4, x=x, mask=attn.causal_mask(4, 4), since=4)
    (panel,) = panels(drawn)
    columns = [
        (int(a), int(b)) for a, b in re.findall(r'<rect x="(\d+)" y="58" width="(\d+)"', panel)
    ]
    labels = [float(at) for at in re.findall(r'x="([\d.]+)" y="52"', panel)]
    assert labels == [start + width / 2 for start, width in columns[:4]]
    assert all(a + b == c for (a, b), (c, _) in pairwise(columns[:4]))
    assert len({width for _, width in columns[:4]}) > 1

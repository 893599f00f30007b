"""The block diagram of heads says the shapes that the layer has."""

from __future__ import annotations

from attnlab import drawing
from attnlab.drawing.svg import html_of


def texts(figure) -> str:
    return "\n".join(text.get_text() for text in figure.axes[0].texts)


def test_text_is_legible_on_a_phone_where_the_figure_scrolls() -> None:
    figure = drawing.multi_head_blocks(5, 7, d_model=13, num_heads=3, head_dim=2)
    # The figure is not shrunk: a point is 4/3 pixels.
    assert min(text.get_fontsize() for text in figure.axes[0].texts) * 4 / 3 >= 11
    opening = html_of(figure).partition("<svg")[0]
    assert 'class="attn-figure attn-scroll attn-wide" tabindex="0" role="group"' in opening
    assert figure.get_label()


def test_heads_have_the_shapes_of_a_real_layer() -> None:
    figure = drawing.multi_head_blocks(5, 7, d_model=13, num_heads=3, head_dim=2)
    shown = texts(figure)
    expected = ("x  (5, 13)", "y  (7, 13)", "(13, 6)", "(3, 5, 2)", "(3, 7, 2)", "(6, 13)", "√2")
    for part in (*expected, "weights (5, 7), output (5, 2)", "(5, 6)", "output  (5, 13)"):
        assert part in shown, part
    assert "3 heads" in figure.get_label()

"""The block diagrams say the shapes that the model has."""

from __future__ import annotations

import pytest

from attnlab import drawing
from attnlab.drawing.svg import html_of


def texts(figure) -> str:
    return "\n".join(text.get_text() for text in figure.axes[0].texts)


def model(**options):
    torch = pytest.importorskip("torch")
    from attn.torch import Transformer

    torch.manual_seed(0)
    sizes = {"src_vocab_size": 23, "tgt_vocab_size": 19, "d_hidden": 29, "dropout": 0.0}
    return Transformer(14, 2, 3, 2, **(sizes | options)).eval()


def test_transformer_has_the_shapes_of_a_real_pass() -> None:
    figure = drawing.transformer_blocks(model(norm_first=True), 11, 7)
    shown = texts(figure)
    expected = ("(11,)", "(7,)", "(11, 14)", "(7, 14)", "(2, 11, 11)", "(2, 7, 7)", "(2, 7, 11)")
    for part in (*expected, "14 → 29 → 14", "(7, 19)", "× 3 layers", "× 2 layers", "√14"):
        assert part in shown, part
    assert shown.count("norm\n") == 5
    assert "(2, 7, 11)" in figure.get_label()
    assert "normalisation before" in figure.get_label()


def test_norm_stands_where_the_model_has_it() -> None:
    figure = drawing.transformer_blocks(model(), 11, 7)
    shown = texts(figure)
    assert "norm\nself-attention" not in shown
    assert shown.split("\n").count("norm") == 5
    assert "normalisation after" in figure.get_label()


def test_three_attentions_have_three_colours_that_follow_the_theme() -> None:
    page = html_of(drawing.transformer_blocks(model(), 5, 3))
    for name in ("encoder", "causal", "cross"):
        assert f"var(--attn-{name}, " in page


@pytest.mark.parametrize("which", ["transformer", "heads"])
def test_text_is_legible_on_a_phone_where_the_figure_scrolls(which: str) -> None:
    if which == "transformer":
        figure = drawing.transformer_blocks(model(), 11, 7)
    else:
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

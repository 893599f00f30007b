"""The chapters' figures say what the arrays hold, in their text and in their alternative text."""

from __future__ import annotations

import re

import numpy as np

from attnlab import drawing
from attnlab.drawing.svg import svg_of

TOKENS = ["the", "cat", "drank", "milk"]
QUERY = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [1.0, 0.0]])
KEY = np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, -1.0], [0.0, 1.0]])
VALUE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def texts(figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_output_of_one_element_shows_the_weights_that_attn_computes() -> None:
    figure = drawing.one_output(QUERY, KEY, VALUE, TOKENS, 2)
    shares = np.exp([0, 2 / np.sqrt(2), -2 / np.sqrt(2), 0])
    weights = shares / shares.sum()
    labels = texts(figure)
    assert {f"{weight:.2f}" for weight in weights} <= set(labels)
    assert f"({weights[1]:.2f}, {weights[2]:.2f}, {weights[3]:.2f})" in labels
    assert "largest on cat" in figure.get_label()


def test_output_projection_is_one_more_step() -> None:
    plain = drawing.one_output(QUERY, KEY, VALUE, TOKENS, 2)
    projected = drawing.one_output(QUERY, KEY, VALUE, TOKENS, 2, np.ones((3, 2)))
    assert len(texts(projected)) == len(texts(plain)) + 2
    total = float(texts(plain)[-1].strip("()").split(", ")[0])
    assert total < 1
    assert texts(projected)[-1].startswith("(0.84")  # the three shares that carry a value


def test_plane_drops_each_key_onto_the_query() -> None:
    figure = drawing.query_and_keys(QUERY[2], KEY, ["who?", *TOKENS])
    lines = [line.get_xydata() for line in figure.axes[0].lines if line.get_linestyle() == ":"]
    feet = np.array([line[-1] for line in lines])
    np.testing.assert_allclose(feet, [[0, 0], [1, 0], [-1, 0], [0, 0]], atol=1e-12)
    assert "drank (−1, −1)" in figure.get_label()


def test_every_colour_follows_the_theme() -> None:
    drawn = [
        drawing.one_output(QUERY, KEY, VALUE, TOKENS, 2),
        drawing.query_and_keys(QUERY[2], KEY, ["who?", *TOKENS]),
    ]
    for figure in drawn:
        css = "".join(re.findall(r'(?:style|fill|stroke)="([^"]*)"', svg_of(figure)))
        assert "var(--attn-key" in css
        # A colour that stays the same in the dark: black or white on a cell, or a mistake.
        fixed = set(re.findall(r"(?<!, )#[0-9a-f]{6}\b", css))
        assert fixed <= {"#000000", "#ffffff"}

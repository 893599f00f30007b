"""Where a word stands: the tasks are what they say."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from attnlab.experiments.positions import (
    ENCODINGS,
    SHIFT,
    draw,
    train,
)
from attnlab.models.position_encodings import PositionModel


def test_three_back_is_three_places_before_the_last():
    texts = draw("three back", np.random.default_rng(0), 50, 9)
    assert torch.equal(texts.answer, texts.tokens[:, 5])


def test_latest_is_the_last_colour_of_the_name_that_is_asked_for():
    texts = draw("latest", np.random.default_rng(0), 50, 9)
    for tokens, answer in zip(texts.tokens.tolist(), texts.answer.tolist(), strict=True):
        *context, query = tokens
        colours = [token % 4 for token in context if token // 4 == query - 16]
        assert colours[-1] == answer


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_a_model_sees_of_its_places(encoding):
    torch.manual_seed(0)
    model = PositionModel(encoding, 20, 16).double()
    tokens = torch.randint(16, (3, 7))
    shuffled = tokens[:, [2, 0, 1, 5, 4, 3, 6]]  # the one that asks stays the last
    with torch.no_grad():
        here, there, other = model(tokens), model(tokens, SHIFT), model(shuffled)
    assert torch.allclose(here, there) == (encoding != "sinusoidal")
    assert torch.allclose(here, other) == (encoding == "none")


@pytest.mark.parametrize("arguments", [("spiral", "latest"), ("rotary", "first")])
def test_unknown_encodings_and_tasks_are_refused(arguments):
    with pytest.raises(ValueError, match="expected one of"):
        train(*arguments)

"""Induction circuits: each measure is what its name says, and the page says what was seen."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest
import torch

from attnlab.data import repeats
from attnlab.experiments import figure, induction, load
from attnlab.models import checkpoints, stored_weights, training
from attnlab.models.attention_only import HEADS, PARTS, AttentionOnlyModel, Head


class Oracle:
    """Continues a text by looking up what followed the current token, and attends to it."""

    def __call__(
        self, tokens: torch.Tensor, without: Collection[Head] = (), unread: Collection[str] = ()
    ) -> torch.Tensor:
        return self.forward_with_weights(tokens)[0] * (0.0 if without or unread else 1.0)

    def forward_with_weights(self, tokens: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        batch, size = tokens.shape
        logits = torch.zeros(batch, size, repeats.NUM_WORDS)
        weights = torch.zeros(batch, 2, 2, size, size)
        for text, query in np.ndindex(batch, size):
            seen = (tokens[text, :query] == tokens[text, query]).nonzero()
            key = int(seen[-1]) + 1 if len(seen) else 0
            weights[text, 1, 0, query, key] = 1
            weights[text, 0, 0, query, max(query - 1, 0)] = 1
            weights[text, :, 1, query, query] = 1
            logits[text, query, tokens[text, key]] = 1
        return logits, weights


def test_a_model_that_looks_up_is_right_where_the_next_token_can_be_known():
    test = induction.texts_to_test((8, 11), size=10)
    assert induction.accuracy(Oracle(), test) == 1
    assert induction.accuracy(Oracle(), test, without=[(1, 1)]) < 0.2


def test_heads_are_scored_by_what_they_attend_to():
    scores = induction.head_scores(Oracle(), induction.texts_to_test((8, 11), size=10))
    np.testing.assert_array_equal(scores["previous token"], [[1, 0], scores["previous token"][1]])
    assert scores["previous token"][1].max() < 0.1
    assert scores["induction"][1, 0] == 1
    assert scores["induction"][0].max() == 0


def test_the_shipped_models_look_where_the_page_says():
    """At period 16 both look 15 places back; at period 11 only the one of many periods moves."""
    places = np.arange(induction.NUM_TOKENS)
    for period in (16, 11):
        one, many = (induction.shipped_weights(name, period)[1] for name in repeats.PERIODS)
        follows = repeats.follows_a_match(places % period)
        assert (many[0] * follows).sum(axis=-1)[period:].mean() > 0.95
        far = places[20:]
        assert one[1, far, far - 15].min() > 0.9


def test_both_figures_say_what_they_show():
    stored = load("induction")
    assert "one period: previous token" in figure("induction", stored).get_label()
    drawn = induction.figure_by_period(stored)
    assert "one period: " in drawn.get_label()
    assert "repeats that are right" in drawn.get_supylabel()


def untrained(num_words=11):
    with training.one_thread(0):
        return AttentionOnlyModel(num_words)


def drawn(batch=5, num_tokens=7, num_words=11):
    return torch.randint(num_words, (batch, num_tokens), generator=torch.Generator().manual_seed(1))


@torch.no_grad()
def test_a_part_of_layer_2_that_does_not_read_layer_1_gets_its_mean():
    """Blind keys are the keys of a model without layer 1; queries and values stay."""
    model, tokens = untrained(), drawn()
    seen = {part: [] for part in PARTS}
    for part in PARTS:
        project = getattr(model.layers[1], f"to_{part}")
        project.register_forward_hook(lambda _, __, made, part=part: seen[part].append(made))
    model(tokens)
    model(tokens, without=[head for head in HEADS if head[0] == 1])
    for part in PARTS:
        model(tokens, unread=[part])
    for at, blind in enumerate(PARTS, start=2):
        for part in PARTS:
            expected = seen[part][1 if part == blind else 0]
            torch.testing.assert_close(seen[part][at], expected)
    assert (seen["key"][0] - seen["key"][1]).abs().max() > 0.01


@pytest.mark.parametrize("condition", repeats.PERIODS)
def test_the_weights_that_ship_continue_texts_and_are_small(condition):
    model = checkpoints.continuer(condition)
    test = induction.texts_to_test(repeats.PERIODS[condition], 50)
    assert induction.accuracy(model, test) > 0.98
    path = stored_weights.FOLDER / f"{condition}-{checkpoints.CONTINUER_SEED}.npz"
    assert path.stat().st_size < 26_000


def test_continuers_that_are_missing_say_how_to_make_them(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"python -m attnlab\.models\.checkpoints"):
        checkpoints.continuer("one period", tmp_path)

"""Texts that begin again, and where in them an induction head should look."""

import numpy as np
import pytest

from attnlab.data.repeats import NUM_WORDS, draw, follows_a_match, induction_scores


def test_a_text_begins_again_after_its_period_and_not_before():
    texts = draw(np.random.default_rng(0), 50, 23, (5, 7, 11))
    assert set(texts.periods) == {5, 7, 11}
    for tokens, period in zip(texts.tokens, texts.periods, strict=True):
        assert len(set(tokens[:period])) == period
        np.testing.assert_array_equal(tokens[period:], tokens[:-period])
    assert len(np.unique(texts.tokens)) == NUM_WORDS


def test_what_is_known_is_what_an_earlier_token_was_followed_by():
    texts = draw(np.random.default_rng(1), 20, 13, (3, 5))
    for tokens, known in zip(texts.tokens.tolist(), texts.is_known, strict=True):
        assert known.tolist() == [token in tokens[:at] for at, token in enumerate(tokens[:-1])]


@pytest.mark.parametrize("periods", [(0, 3), (NUM_WORDS + 1,)])
def test_impossible_periods_are_refused(periods):
    with pytest.raises(ValueError, match=f"expected them from 1 to {NUM_WORDS}"):
        draw(np.random.default_rng(0), 1, 7, periods)


def by_loops(weights, tokens):
    shares = []
    for query, token in enumerate(tokens):
        keys = [place + 1 for place in range(query) if tokens[place] == token]
        if keys:
            shares.append(sum(weights[query, key] for key in keys))
    return sum(shares) / len(shares)


@pytest.mark.parametrize("words", [1, 2, 5])
def test_the_induction_score_is_the_one_by_loops(words):
    rng = np.random.default_rng(words)
    tokens = rng.integers(words, size=11)
    weights = np.tril(rng.uniform(size=(2, 3, 11, 11)))
    expected = [[by_loops(head, tokens) for head in layer] for layer in weights]
    np.testing.assert_allclose(induction_scores(weights, tokens), expected)


def test_of_a_batch_each_text_has_keys_of_its_own():
    texts = draw(np.random.default_rng(2), 4, 13, (3, 5)).tokens
    for together, text in zip(follows_a_match(texts), texts, strict=True):
        np.testing.assert_array_equal(together, follows_a_match(text))


def test_a_text_without_repeats_has_no_score():
    with pytest.raises(ValueError, match=r"no token occurs twice in \[3, 1, 2\]"):
        induction_scores(np.eye(3), [3, 1, 2])

"""What the experiments on today's attention draw and measure, checked another way."""

import numpy as np
import pytest

from attnlab.experiments import sinks

torch = pytest.importorskip("torch")

from attnlab.models.lookups import LinearLookup, Lookup
from attnlab.models.streams import StreamModel


def test_a_trigger_repeats_the_token_before_it_and_other_words_follow_the_last():
    stream = sinks.draw(np.random.default_rng(0), 40)
    follow = sinks.successors()
    np.testing.assert_allclose(stream.chances.sum(-1), 1)
    assert (stream.tokens[:, 0] == sinks.FIRST).all()
    seen = set()
    for tokens, chances in zip(stream.tokens, stream.chances, strict=True):
        for t in range(1, sinks.NUM_TOKENS):
            copies = tokens[t] < sinks.TRIGGERS and t > 1
            expected = np.eye(sinks.NUM_WORDS)[tokens[t - 1]] if copies else follow[tokens[t]]
            np.testing.assert_allclose(chances[t, : sinks.NUM_WORDS], expected)
            if copies and t + 1 < sinks.NUM_TOKENS:
                assert tokens[t + 1] == tokens[t - 1]
            seen.add(copies)
    assert seen == {True, False}


def test_what_a_cache_holds():
    whole, last, kept = (np.tril(sinks.cached(cache)) for cache in sinks.CACHES)
    for t in range(sinks.NUM_TOKENS):
        keys = set(range(t + 1))
        assert set(np.flatnonzero(whole[t])) == keys
        assert set(np.flatnonzero(last[t])) == {j for j in keys if j > t - sinks.WINDOW}
        assert set(np.flatnonzero(kept[t])) == {
            j for j in keys if j > t - sinks.WINDOW + 1 or j == 0
        }
    assert last.sum(1).max() == kept.sum(1).max() == sinks.WINDOW


@pytest.mark.parametrize("head", sinks.HEADS)
def test_a_hidden_token_has_no_effect_on_a_stream(head):
    torch.manual_seed(0)
    model = StreamModel(5, head)
    tokens = torch.tensor([[4, 0, 1, 2, 3, 1]])
    mask = torch.from_numpy(sinks.cached(sinks.CACHES[0], 6)).clone()
    mask[5, 0] = False
    other = tokens.clone()
    other[0, 0] = 3
    logits, weights = model.forward_with_weights(tokens, mask)
    assert weights[0, 5, 0] == 0
    torch.testing.assert_close(logits[0, 5], model.forward_with_weights(other, mask)[0][0, 5])
    assert not torch.equal(model(tokens)[0, 5], model(other)[0, 5])
    sums = weights.sum(-1)
    assert bool((sums < 0.99).any()) == (head == "sink")


def test_a_state_answers_as_the_sum_over_pairs_does():
    torch.manual_seed(0)
    model = LinearLookup(16, 5)
    keys, values = torch.tensor([[3, 1, 7]]), torch.tensor([[2, 9, 4]])
    query, key, value = (part[0, 0] for part in model.heads(keys, values, torch.tensor([7])))
    phi = torch.nn.functional.elu
    weights = (phi(query) + 1) @ (phi(key) + 1).T  # (1, 3)
    expected = model.to_logits(weights @ value / weights.sum())
    torch.testing.assert_close(model(keys, values, torch.tensor([7])), expected)


def test_normalised_scores_do_not_depend_on_how_long_the_projections_make_queries():
    torch.manual_seed(0)
    model, plain = Lookup(16, qk_norm=True), Lookup(16)
    keys, values = torch.tensor([[3, 1, 7]]), torch.tensor([[2, 9, 4]])
    for each, same in ((model, True), (plain, False)):
        before = each.heads(keys, values, torch.tensor([1]))[0]
        with torch.no_grad():
            each.to_query.weight.mul_(50)
        after = each.heads(keys, values, torch.tensor([1]))[0]
        assert torch.allclose(before, after, atol=1e-3) == same

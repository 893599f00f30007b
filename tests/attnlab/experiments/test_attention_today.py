"""What the experiments on today's attention draw and measure, checked another way."""

import numpy as np
import pytest
import torch

import attn
from attnlab.data import bindings
from attnlab.experiments import forgetting, layer_mixes, longer_texts, sinks
from attnlab.models.layer_mixes import LayerMix
from attnlab.models.lookups import DecayedLookup, LinearLookup, Lookup
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
    model = StreamModel(5, *sinks.HEADS[head])
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
    assert bool((sums < 0.99).any()) == (model.sink is not None)
    if model.sink is not None:
        assert model.sink.item() == sinks.HEADS[head][1]


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


def test_a_name_that_comes_again_has_its_value_and_says_how_far_back_it_stands():
    texts = bindings.draw(np.random.default_rng(3), 30, 41)
    assert texts.tokens.shape == texts.distances.shape == (30, 41)
    again = 0
    for tokens, distances in zip(texts.tokens, texts.distances, strict=True):
        for t in range(41):
            earlier = [j for j in range(0, t, 2) if t % 2 == 0 and tokens[j] == tokens[t]]
            if not earlier:
                assert distances[t] == 0
                continue
            assert distances[t] == t - (earlier[-1] + 1)
            if t + 1 < 41:
                assert tokens[t + 1] == tokens[t - distances[t]] >= bindings.NUM_NAMES
                again += 1
    assert again > 100


@pytest.mark.parametrize(("layers", "reach"), [("LL", 6), ("LG", 19), ("GL", 19), ("GG", 19)])
def test_a_mix_depends_on_what_its_layers_see(layers, reach):
    torch.manual_seed(0)
    model = LayerMix(bindings.NUM_WORDS, layers, window=4).double()
    tokens = torch.from_numpy(bindings.draw(np.random.default_rng(0), 1, 20).tokens)
    right = model(tokens)[0, -1]
    for back in range(1, 20):
        other = tokens.clone()
        other[0, 19 - back] = (other[0, 19 - back] + 5) % bindings.NUM_WORDS
        assert torch.equal(model(other)[0, -1], right) == (back > reach)
    earlier = model(other)[0, :-1]
    other[0, -1] = 0
    torch.testing.assert_close(model(other)[0, :-1], earlier)  # nothing comes from later


def test_all_mixes_have_the_same_parameters_and_keep_what_the_cache_counts():
    sizes = {
        sum(p.numel() for p in LayerMix(32, layers, 4).parameters())
        for layers in layer_mixes.MIXES.values()
    }
    assert len(sizes) == 1
    options = {"num_layers": 6, "num_kv_heads": 1, "head_dim": 1}
    for local, layers in ((1, "LGLGLG"), (5, "LLLLLG")):
        numbers = attn.cache_size(
            layer_mixes.NUM_TOKENS,
            **options,
            local_per_global=local,
            local_tokens=layer_mixes.WINDOW,
        )
        assert layer_mixes.keys_kept(layers) == numbers / 2  # of keys and values
    assert layer_mixes.keys_kept("GGGGGG") == attn.cache_size(64, **options) / 2


@pytest.mark.parametrize("way", longer_texts.WAYS)
def test_a_scaling_moves_a_model_only_where_it_stretches(way):
    torch.manual_seed(0)
    model = LayerMix(bindings.NUM_WORDS, "GG").double()
    tokens = torch.from_numpy(bindings.draw(np.random.default_rng(0), 2, 32).tokens)
    same = model(tokens, longer_texts.scaling(way, 32))
    torch.testing.assert_close(same, model(tokens))
    stretched = model(tokens, longer_texts.scaling(way, 64))
    assert torch.allclose(stretched, same) == (way == "none")


@pytest.mark.parametrize("decay", [1.0, 0.7, None])
def test_a_decayed_state_is_the_recurrence_of_attn(decay):
    torch.manual_seed(0)
    model = DecayedLookup(17, 5, decay).double()
    keys, values = torch.tensor([[3, 1, 16, 7]]), torch.tensor([[2, 9, 16, 4]])
    query, key, value = (
        part.detach().numpy()[:, 0] for part in model.heads(keys, values, torch.tensor([1]))
    )
    memory = attn.LinearAttentionState()
    factors = model.factors(keys, values).detach().double().numpy()[:, 0]
    assert (factors == decay).all() if decay == 1 else (factors < 1).all()
    for t in range(4):
        step = (key[:, t : t + 1], value[:, t : t + 1], factors[:, t : t + 1])
        context = memory.append(query, *step)
    expected = model.to_logits(torch.from_numpy(context)[:, 0])
    torch.testing.assert_close(model(keys, values, torch.tensor([1])), expected)


def test_the_second_text_is_asked_about_and_the_age_is_that_of_the_pair():
    rng = np.random.default_rng(0)
    for age in (1, 8):
        asked = forgetting.draw("two texts", rng, 50, age)
        assert asked.keys.shape == (50, 17)
        assert (asked.keys[:, 8] == forgetting.END).all()
        assert (asked.values[:, 8] == forgetting.END).all()
        assert torch.equal(asked.keys[:, -age], asked.query_key)
        assert torch.equal(asked.values[:, -age], asked.answer)
    whole = forgetting.draw("one text", rng, 200)
    at = (whole.keys == whole.query_key[:, None]).int().argmax(dim=1)
    assert torch.equal(whole.values[torch.arange(200), at], whole.answer)
    assert set(at.tolist()) == set(range(16))
    second = forgetting.draw("two texts", rng, 400)
    places = (second.keys[:, 9:] == second.query_key[:, None]).int()
    assert (places.sum(dim=1) == 1).all()
    old = (second.keys[:, :8] == second.query_key[:, None]).any(dim=1).float().mean()
    assert 0.35 < old < 0.65  # the same key is often in the first text, too

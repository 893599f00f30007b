"""Short runs of the experiments, and what the stored ones found.

A direction is asserted only where it held in every seed.
"""

import pytest

pytest.importorskip("torch")

from attnlab.experiments import agreement, heads, load, memory, run


def low(result, name, x):
    return result[name].at(x).min()


def high(result, name, x):
    return result[name].at(x).max()


@pytest.fixture(scope="module")
def short_agreement():
    return agreement.run((0,), quick=True)


def test_agreement_in_short(short_agreement):
    # A third of the training: attention and the convolution already show what they can see.
    assert short_agreement.settings["quick"]
    assert low(short_agreement, "attention", 6) > 0.9
    assert low(short_agreement, "attention, Italian", 6) > 0.9
    assert high(short_agreement, "convolution", 6) < 0.6
    assert low(short_agreement, "convolution", 0) > 0.9


def test_the_same_seed_gives_the_same_numbers():
    def measured():
        model = agreement.train("attention", seed=3, steps=40)
        return agreement.measure(model, phrases=(0, 2))

    assert measured() == pytest.approx(measured(), abs=0.02)


@pytest.mark.parametrize("name", ["memory", "bottleneck", "heads"])
def test_a_short_run_has_the_curves_of_the_stored_one(name):
    short, stored = run(name, seeds=(0,), quick=True), load(name)
    assert set(short.curves) == set(stored.curves)
    assert short.claim == stored.claim


def test_unknown_models_are_named():
    with pytest.raises(ValueError, match="model is 'oracle'; expected one of attention"):
        agreement.train("oracle")
    with pytest.raises(ValueError, match="model is 'three heads'; expected one of two heads"):
        heads.train("three heads")
    with pytest.raises(ValueError, match="no experiment 'alchemy'"):
        run("alchemy")
    with pytest.raises(KeyError):
        memory.train("oracle", (0,))


# --- what the stored results say, in every seed -------------------------------------------------


def test_gender_is_one_bit_and_a_fixed_vector_keeps_it():
    stored = load("agreement")
    for name in ("attention", "attention, Italian", "GRU"):
        assert low(stored, name, 20) > 0.97
    assert high(stored, "attention without positions", 4) < 0.75
    assert low(stored, "subject is first", 20) > 0.9


def test_a_convolution_is_at_chance_beyond_its_reach():
    stored = load("agreement")
    # Four layers of kernel 3 reach 8 tokens back; with n phrases the subject stands 2 + 2 n back.
    assert low(stored, "convolution", 3) > 0.95
    for phrases in (4, 5, 6, 8, 12, 20):
        assert low(stored, "convolution", phrases) > 0.4
        assert high(stored, "convolution", phrases) < 0.6


def test_a_gru_does_not_learn_from_long_sentences_alone():
    stored = load("memory")
    assert high(stored, "GRU, one length", 12) < 0.6
    assert low(stored, "attention, one length", 12) > 0.97
    assert low(stored, "GRU, all lengths", 12) > 0.97


def test_a_fixed_vector_loses_the_content_and_attention_keeps_it():
    stored = load("bottleneck")
    assert low(stored, "attention: sentence", 6) > 0.95
    assert high(stored, "vector of 64: sentence", 6) < 0.2
    assert low(stored, "vector of 64: gender", 4) > 0.9
    # Beyond the trained lengths nothing here holds.
    assert high(stored, "attention: sentence", 8) < 0.5


def test_two_heads_need_no_compromise():
    stored = load("heads")
    for phrases in (0, 4, 12):
        assert low(stored, "two heads: participle", phrases) > 0.97
    assert high(stored, "one head, from the start: participle", 12) < 0.3
    assert high(stored, "one head, from the end: participle", 12) < 0.7

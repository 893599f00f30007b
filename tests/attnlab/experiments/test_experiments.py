"""Short runs of the experiments, and the stored results.

A direction is asserted only where it held in every seed.
"""

import numpy as np
import pytest

pytest.importorskip("torch")

from attnlab.experiments import agreement, alignment, heads, load, memory, recall, run
from attnlab.models import translation


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


FAMILY = (
    *("memory", "bottleneck", "heads", "convolutions", "recall", "swap", "importance", "cue"),
    *("alignment", "positions", "sinks", "qk_norm", "linear_recall", "forgetting", "layer_mixes"),
    "longer_texts",
)


@pytest.mark.parametrize("name", FAMILY)
def test_a_short_run_has_the_stored_curves(name):
    short = run(name, seeds=(0,), quick=True)
    assert set(short.curves) == set(load(name).curves)
    assert short.settings["quick"]


def test_a_seed_repeats_itself_and_another_one_gives_other_numbers():
    one, again, other = (run("recall", seeds=(seed,), quick=True) for seed in (0, 0, 1))
    for name, curve in one.curves.items():
        np.testing.assert_allclose(curve.array, again[name].array, atol=0.02)
    assert any((one[name].array != other[name].array).any() for name in one.curves)


def test_unknown_models_are_named():
    with pytest.raises(ValueError, match="model is 'oracle'; expected one of attention"):
        agreement.train("oracle")
    with pytest.raises(ValueError, match="model is 'three heads'; expected one of two heads"):
        heads.train("three heads")
    with pytest.raises(ValueError, match="model is 'oracle'; expected one of vector of 8"):
        translation.train("oracle")
    with pytest.raises(ValueError, match="model is 'oracle'; expected one of attention, vector"):
        recall.train("oracle", 2)
    with pytest.raises(ValueError, match="model is 'oracle'; expected one of BiGRU, Transformer"):
        alignment.train("oracle")
    with pytest.raises(ValueError, match="no experiment 'alchemy'"):
        run("alchemy")
    with pytest.raises(KeyError):
        memory.train("oracle", (0,))


# --- what the stored results say, in every seed -------------------------------------------------


def test_a_gru_names_a_distant_gender_as_attention_does():
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


def test_what_a_gru_learns_from_long_sentences_alone_depends_on_its_start():
    stored = load("memory")
    assert high(stored, "GRU, one length", 12) < 0.6
    kept = stored[agreement.named("GRU, one length", {"start": agreement.KEEPING})]
    assert kept.at(2).min() > 0.97
    assert kept.at(12).max() > 0.97
    assert low(stored, "attention, one length", 12) > 0.97
    assert low(stored, "GRU, all lengths", 12) > 0.97


def test_a_fixed_vector_loses_the_content_and_attention_keeps_it():
    stored = load("bottleneck")
    assert low(stored, "attention: sentence", 6) > 0.95
    assert high(stored, "vector of 64: sentence", 6) < 0.2
    assert high(stored, "matched vector of 64: sentence", 6) < 0.2
    # Twice the width, and about half of the longest sentences are right.
    assert low(stored, "vector of 128: sentence", 6) > 0.4
    assert high(stored, "vector of 128: sentence", 6) < 0.6
    # Beyond the trained lengths nothing here holds.
    assert high(stored, "attention: sentence", 8) < 0.5


def test_two_heads_divide_the_work_if_they_start_apart():
    stored = load("heads")
    for phrases in (0, 4, 12):
        assert low(stored, "two heads: participle", phrases) > 0.97
    alike = np.array([stored[f"{name}: participle"].at(12) for name in heads.ALIKE])
    assert ((alike > 0.97).sum(axis=1) == 1).all()  # one seed of three, wherever they start
    trained = np.array([stored[f"{name}: participle"].at(4) for name in heads.ALIKE])
    assert (trained < 0.7).sum() == 2
    assert high(stored, "one head, at the beginning: participle", 12) < 0.3
    assert high(stored, "one head, at the end: participle", 12) < 0.7


def test_a_transformer_keeps_the_content_too_and_so_it_is_in_italian():
    stored = load("bottleneck")
    for name in ("Transformer", "Transformer, Italian"):
        assert low(stored, f"{name}: sentence", 6) > 0.95
    assert high(stored, "vector of 64, Italian: sentence", 6) < 0.2
    words = [stored[f"vector of {width}: word"].at(4) for width in (8, 16, 64)]
    assert words[0].max() < words[1].min()
    assert words[1].max() < words[2].min()


def test_every_stack_is_at_chance_beyond_its_reach_only():
    stored = load("convolutions")
    for name, reach in stored.settings["reach"].items():
        for x in stored[name].x:
            near = x <= reach
            assert (low(stored, name, x) if near else -high(stored, name, x)) > (
                0.9 if near else -0.6
            )


def test_the_subject_decides_the_gender_wherever_the_weights_are():
    stored = load("swap")
    for name in ("Transformer", "BiGRU with attention"):
        assert low(stored, f"{name}: subject swapped", 4) > 0.95
        assert high(stored, f"{name}: attractor swapped", 4) < 0.05
        assert low(stored, f"{name}: weight on the verb", 4) > 0.8


def test_a_recurrent_translator_has_the_gender_from_what_it_does_not_look_at():
    stored, name = load("swap"), "BiGRU with attention"
    assert (
        max(high(stored, f"{name}: weight on the English subject", x) for x in range(1, 7)) < 0.01
    )
    assert max(high(stored, f"{name}: vector of the verb swapped", x) for x in range(1, 7)) < 0.01
    rest = stored[f"{name}: all but the vector of the verb swapped"]
    np.testing.assert_allclose(rest.array, stored[f"{name}: subject swapped, source only"].array,
                               atol=0.01)  # fmt: skip


@pytest.mark.parametrize("x", range(1, 5))
def test_every_transformer_looks_at_the_subject_that_its_gender_comes_from(x):
    stored = load("swap")
    french, english, words, source = (
        stored[f"Transformer: {part}"].at(x) > 0.5
        for part in (
            "weight on the French subject",
            "weight on the English subject",
            "subject swapped, words only",
            "subject swapped, source only",
        )
    )
    np.testing.assert_array_equal(french, [True, True, False])
    np.testing.assert_array_equal(french, words)
    np.testing.assert_array_equal(english, source)


def test_a_model_can_hide_what_decides_if_a_layer_has_mixed_the_words():
    stored = load("cue")
    assert low(stored, "BiGRU: accuracy", 10.0) > 0.97
    assert high(stored, "BiGRU: weight on the cue", 10.0) < 0.001
    assert high(stored, "words alone: accuracy", 10.0) < 0.6
    assert low(stored, "BiGRU, uniform: accuracy", 0.0) > 0.97


def test_words_of_content_are_aligned_and_articles_are_not():
    stored = load("alignment")
    for name in ("BiGRU", "Transformer"):
        assert low(stored, f"{name}: sentences right", 0) > 0.95
        assert low(stored, f"{name}: content", 0) > 0.9
        assert high(stored, f"{name}: articles", 0) < 0.8


def test_attention_finds_any_pair():
    stored = load("recall")
    assert low(stored, "attention", 8) > 0.97
    assert high(stored, "vector of 128", 8) < 0.6

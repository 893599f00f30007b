"""The fables are grammatical and true to their record; what is measured of them; their tokens."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnlab import gpt
from attnlab.data import fables
from attnlab.gpt import byte_pairs, to_text
from attnlab.models import fable_tests
from attnlab.models.fable_surprise import _Counted, surprise_of_grammar

FABLES = [fables.tell(np.random.default_rng(seed)) for seed in range(300)]


def test_a_seed_gives_one_fable() -> None:
    assert fables.tell(np.random.default_rng(4)) == FABLES[4]
    assert FABLES[4] != FABLES[5]


def test_the_vocabulary_has_every_word_and_stays_small() -> None:
    known = set(fables.vocabulary())
    assert len(known) == len(fables.vocabulary()) <= 300
    assert {word for fable in FABLES for word in fable.words} <= known
    listed = {
        *fables.ANIMALS,
        *fables.PLACES.values(),
        *fables.FEMALE,
        *fables.MALE,
        *fables.THINGS,
    }
    assert listed <= known


def test_the_model_that_ships_knows_the_same_words() -> None:
    from attnlab.gpt.trained import words

    assert words() == list(fables.vocabulary())


def test_every_fable_fits_into_the_model() -> None:
    assert max(len(fable.words) for fable in FABLES) + 2 <= len(gpt.load()["positions"])


@pytest.mark.parametrize("fable", FABLES[:40], ids=lambda fable: fable.words[9])
def test_articles_and_the_record_fit_the_text(fable: fables.Fable) -> None:
    text = " ".join(fable.words)
    for article, word in zip(fable.words, fable.words[1:], strict=False):
        if article in ("a", "an"):
            assert fables.with_article(word).startswith(f"{article} ")
    assert f"“ {fable.holder} has it , ”" in text
    assert text.endswith(f"the moral : {fables.MORALS[fable.events[-1]]} .")
    assert fable_tests.holder_told(fable_tests._with_gifts(list(fable.words))) == fable.holder


def test_the_number_of_events_can_be_given() -> None:
    assert len(fables.tell(np.random.default_rng(1), 4).events) == 4


def test_batches_are_padded_behind_the_end() -> None:
    rows = fables.batch(FABLES[:5])
    for row, fable in zip(rows, FABLES, strict=False):
        length = len(fable.words) + 2
        assert (row[0], row[length - 1]) == (gpt.BEGIN, gpt.END)
        assert not row[length:].any()
        assert row[:length].all()


def test_every_question_has_its_answer_among_the_options() -> None:
    for fable in FABLES:
        for rule, place, options in fable_tests.questions(fable):
            assert fable.words[place] in options, (rule, fable.words)
            assert fable_tests.is_right(rule, fable, place, fable.words[place])


def seeds_of_told() -> range:
    first = fable_tests.HELD_BACK + 1
    return range(first, first + fable_tests.FABLES)


def test_the_surprise_is_that_of_the_fables_of_the_same_seeds() -> None:
    (seed,), first = (fable_tests.HELD_BACK + 1,), fables.tell(np.random.default_rng(10_001))
    counted = _Counted(seed)
    assert fables.tell(counted).words == first.words
    assert surprise_of_grammar([seed]) == counted.nats / (len(first.words) + 1)


def test_whose_answers_fit_their_events() -> None:
    told = "there was an owl named Ida , who lived here . when Ida slept , Leo took it away ."
    assert fable_tests.holder_told(told.split()) == "Leo"
    # Leo gives away what Ida has.
    wrong = told.replace("Ida slept , Leo", "Leo slept , Ida")
    assert fable_tests.holder_told(wrong.split()) is None


def test_the_stored_numbers_are_those_of_the_weights_that_ship() -> None:
    stored = fable_tests.stored()
    model = gpt.load()
    told = [fables.tell(np.random.default_rng(seed)) for seed in seeds_of_told()[:30]]
    rules = fable_tests.ask(lambda tokens: gpt.gpt(np.array(tokens), model), told)
    assert all(row["right"] >= stored["rules"][rule]["right"] - 0.1 for rule, row in rules.items())
    assert stored["loss_of_grammar"] == round(surprise_of_grammar(seeds_of_told()), 3)
    assert stored["loss_of_grammar"] < stored["loss"] < stored["loss_of_grammar"] + 0.02


def test_a_model_without_a_clue_is_measured_as_one() -> None:
    rng = np.random.default_rng(0)
    asked = fable_tests.ask(lambda tokens: rng.normal(size=(len(tokens), 172)), FABLES)
    assert 0.35 < asked["she or he"]["right"] < 0.65
    assert asked["the thing that is asked for"]["right"] < 0.3


TEXTS = [
    to_text(fables.encode(fables.tell(np.random.default_rng(seed)).words)) for seed in range(40)
]
MERGES = byte_pairs.learn(" ".join(TEXTS), 150)


def test_the_first_merges_are_the_most_frequent_pairs() -> None:
    # By hand, of "an ant and an otter": a–n four times, and then the blank before "an" three times.
    assert byte_pairs.learn("an ant and an otter", 3)[:2] == [(b"a", b"n"), (b" ", b"an")]
    assert MERGES[:3] == [(b"h", b"e"), (b" ", b"t"), (b" t", b"he")]


def test_merges_stop_where_every_word_is_one_token() -> None:
    assert byte_pairs.learn("ant ant", 50)[2:] == [(b" ", b"ant")]
    assert byte_pairs.learn("", 5) == []


def test_a_pair_of_equal_tokens_is_merged_from_the_left() -> None:
    assert byte_pairs.encode("aaa", [(b"a", b"a")]) == [b"aa", b"a"]


@given(st.text(max_size=40))
def test_any_text_comes_back(text: str) -> None:
    assert byte_pairs.decode(byte_pairs.encode(text, MERGES)) == text


def test_fables_come_back_in_fewer_and_fewer_tokens() -> None:
    fable = to_text(fables.encode(fables.tell(np.random.default_rng(10_001)).words))
    counts = []
    for num_merges in (0, 10, 50, 150):
        tokens = byte_pairs.encode(fable, MERGES[:num_merges])
        assert byte_pairs.decode(tokens) == fable
        counts.append(len(tokens))
    assert counts[0] == len(fable.encode())
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < 0.45 * counts[0]

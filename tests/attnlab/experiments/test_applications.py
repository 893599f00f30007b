"""The small applications, and weights against effects: data and measures are what they say."""

import numpy as np
import pytest
import torch

from attnlab.data import documents, glyphs
from attnlab.data.grammar import Grammar
from attnlab.data.phrasebook import Phrasebook
from attnlab.experiments import (
    captions,
    cue,
    importance,
    questions,
    sentiment,
    speech,
    summaries,
    swap,
)
from attnlab.models import checkpoints, text_classifiers, training

RNG = 5


# --- the data -----------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [4, 5, 16])
@pytest.mark.parametrize("unseen", [False, True])
def test_a_review_has_one_adjective_and_one_not(length, unseen):
    drawn = sentiment.draw(np.random.default_rng(RNG), 700, length, unseen)
    words = sentiment.vocabulary()
    negated = 0
    for row, good, at in zip(*drawn, strict=True):
        text = [words[number] for number in row]
        judging = [word for word in text if word in sentiment.GOOD + sentiment.BAD]
        assert judging == [text[at]]
        assert text.count("not") == 1
        flipped = text[at - 1] == "not"
        assert good == ((judging[0] in sentiment.GOOD) != flipped)
        kept = sentiment.GOOD[-2:] + sentiment.BAD[-2:]
        assert (judging[0] in kept) == unseen
        negated += flipped
    assert 0.2 < negated / 700 < 0.3
    assert 0.4 < drawn.good.mean() < 0.6


def test_the_answer_is_where_the_thing_was_named_last():
    drawn = questions.draw(np.random.default_rng(RNG), 300, 9)
    for things, places, question, answer, fact in zip(*drawn, strict=True):
        last = max(i for i, thing in enumerate(things) if thing == question)
        assert (fact, answer) == (last, places[last])


def test_a_picture_has_its_glyphs_where_it_says():
    drawn = glyphs.draw(np.random.default_rng(RNG), 50, num_glyphs=3, side=4, noise=0.0)
    for cells, named, places in zip(*drawn, strict=True):
        assert len(set(named)) == len(set(places)) == 3
        for name, place in zip(named, places, strict=True):
            np.testing.assert_array_equal(cells[place], glyphs.bitmaps()[name])
        assert cells.sum() == glyphs.bitmaps()[named].sum()
    image = glyphs.picture(drawn.cells[0])
    place = int(drawn.places[0, 0])
    top, left = 5 * (place // 4), 5 * (place % 4)
    cell = image[top : top + 5, left : left + 5]
    np.testing.assert_array_equal(cell.ravel(), drawn.cells[0, place])


def test_a_caption_names_each_glyph_with_its_side():
    drawn = glyphs.draw(np.random.default_rng(RNG), 40, num_glyphs=3)
    made = captions.caption(drawn)
    assert made.before.shape == made.target.shape == (40, 7)
    np.testing.assert_array_equal(made.before[:, 1:], made.target[:, :-1])
    for row, target in enumerate(made.target):
        words = captions.text(target).split()
        where = dict(zip(drawn.glyphs[row], drawn.places[row], strict=True))
        names = [glyphs.NAMES.index(name) for name in words[::2]]
        assert names == sorted(where)
        assert words[1::2] == ["right" if where[n] % 4 > 1 else "left" for n in names]
        assert list(made.places[row]) == [where[n] for n in names for _ in range(2)]


def test_frames_belong_to_letters_in_order():
    drawn = speech.draw(np.random.default_rng(RNG), 60, 5)
    for frames, letters, owner in zip(*drawn, strict=True):
        heard = owner[owner >= 0]
        assert (np.diff(heard) >= 0).all()
        assert set(np.bincount(heard)) <= set(speech.DURATIONS)
        assert len(set(heard)) == 5
        assert (np.diff(letters) != 0).all()
        # What is heard is nearest to the letter that it belongs to.
        gap = np.linalg.norm(frames[:, None] - speech.spectra(), axis=-1)[owner >= 0]
        assert (gap.argmin(axis=1) == letters[heard]).mean() > 0.8


def test_a_text_is_a_document_with_strays():
    text = summaries.mix(np.random.default_rng(RNG), num_strays=3)
    assert len(text.sentences) == len(text.vectors) == 9
    own = [s for s, stray in zip(text.sentences, text.stray, strict=True) if not stray]
    assert sorted(own) in [sorted(document) for document in documents.DOCUMENTS.values()]
    assert text.sentences[text.first] in [d[0] for d in documents.DOCUMENTS.values()]
    weights = summaries.weights(text.vectors)
    assert weights.sum() == pytest.approx(1, abs=1e-6)
    cosines = text.vectors @ text.vectors.mean(axis=0)
    assert list(np.argsort(weights)) == list(np.argsort(cosines))


GRAMMAR = Grammar("french")


@pytest.mark.parametrize(
    ("first", "second", "tau"),
    [
        ([1, 2, 3, 4], [10, 20, 30, 40], 1.0),
        ([1, 2, 3, 4], [4, 3, 2, 1], -1.0),
        ([1, 2, 3], [10, 30, 20], 1 / 3),
        # Ties, by hand: 5 untied pairs in either row, 4 of them untied in both, all agreeing.
        ([1, 1, 2, 3], [1, 2, 3, 3], 4 / 5),
        ([1, 1, 1], [1, 2, 3], 0.0),
    ],
)
def test_kendall_tau_by_hand(first, second, tau):
    assert importance.kendall_tau(first, second) == pytest.approx(tau)


def test_erasing_a_word_clears_its_vector_and_is_undone():
    embed = torch.nn.Embedding(11, 3)
    tokens = torch.tensor([[4, 5, 4, 7]])
    with importance.erased(embed, 2, 4), torch.no_grad():
        rows = embed(tokens)[0].abs().sum(dim=-1) > 0
        alone = embed(tokens[:, -1]).abs().sum() > 0
    assert rows.tolist() == [True, True, False, True]
    assert alone
    with importance.erased(embed, 3, 4), torch.no_grad():
        assert embed(tokens[:, -1]).abs().sum() == 0
    assert (embed(tokens).abs().sum(dim=-1) > 0).all()


def test_effects_are_large_only_where_the_answer_comes_from():
    embed = torch.nn.Embedding(2, 2)
    with torch.no_grad():
        embed.weight.copy_(torch.tensor([[0.0, 9.0], [9.0, 0.0]]))
    tokens = torch.tensor([[1, 0, 1]])
    effects = importance.effects(lambda: torch.softmax(embed(tokens)[:, 1], -1), embed, 3)
    assert effects[0] == pytest.approx([0, 0.5, 0], abs=1e-3)


def test_agreement_by_hand():
    weights = np.array([[0.5, 0.3, 0.1, 0.1], [0.1, 0.2, 0.6, 0.1]])
    changes = np.array([[0.9, 0.0, 0.4, 0.001], [0.5, 0.4, 0.009, 0.009]])
    found = importance.agreement(weights, changes)
    assert found["largest agree"] == 0.5
    assert found["two largest agree"] == 0.5  # {0, 1} and {0, 2}; {2, 1} and {0, 1}
    # Words 0 and 2 of the first sentence in the same order, 0 and 1 of the second reversed.
    assert found["tau of words with an effect"] == 0.0
    assert found["words without effect"] == 0.5
    assert found["tau of all words"] == pytest.approx(
        importance.kendall_tau(weights, changes).mean()
    )


def test_a_swapped_noun_has_the_other_gender_and_nothing_else_changes():
    test = training.held_out(GRAMMAR, 3, 50)
    for at, source, words in ((0, True, False), (2, True, True), (3, False, True)):
        other = swap.swapped(test, GRAMMAR, at, source, words)
        changed = test.tokens != other.tokens
        assert (changed.any(axis=0) == (np.arange(9) == 2 * at) * source).all()
        if source:
            before, after = test.tokens[:, 2 * at], other.tokens[:, 2 * at]
            assert (GRAMMAR.feminine[before] != GRAMMAR.feminine[after]).all()
        written = test.target != other.target
        assert (written.any(axis=0) == (np.arange(10) == 2 * at) * words).all()
        assert (other.participle == test.participle).all()


def test_the_row_of_the_participle_is_that_of_the_largest_weight():
    pair = GRAMMAR.sentence("apple", "under tree", "behind house", "picked")
    rows = swap.participle_rows(pair, seed=1)
    assert rows["self"].shape == (4, 7)
    assert rows["cross"].shape == (4, 7)
    np.testing.assert_allclose(rows["self"].sum(axis=-1), 1, atol=1e-6)
    weights = swap.weights_at_participle(checkpoints.translator("Transformer", 1), pair)
    assert weights["weight on the French subject"] == pytest.approx(rows["self"][:, 1].max())
    assert weights["weight on the verb"] == pytest.approx(rows["cross"][:, -1].max())


@pytest.mark.parametrize("at", [0, 1])
def test_what_an_encoder_hands_over_is_swapped_in_part(at):
    test = training.held_out(GRAMMAR, 2, 20)
    model = checkpoints.translator("attention", at)
    carried = swap.carriers(model, test)
    whole = swap.flips(model, test, 0, forced=True)
    assert carried["vector of the verb swapped"] == 0
    assert carried["all but the vector of the verb swapped"] == pytest.approx(whole, abs=0.051)


@pytest.mark.parametrize("shape", Phrasebook.SHAPES)
def test_known_alignments(shape):
    book = Phrasebook()
    pairs = book.sample(np.random.default_rng(3), 40, shape)
    for tokens, target, aligned, kind in zip(*vars(pairs).values(), strict=True):
        english, french = book.english(tokens), book.french(target)
        assert len(french) == len(english) + 1 == len(target) - 1
        # Nouns, prepositions and verbs by their words; adjectives stand before, and follow.
        known = dict(zip(french, (english[at] for at in aligned), strict=False))
        assert known["tapis"] == "mat" if "tapis" in french else True
        assert known["noire"] == "black" if "noire" in french else True
        assert list(kind).count("adjective") == sum(shape)
        noun = list(kind).index("noun")
        feminine = french[noun] in ("fille", "souris", "vache")
        assert french[0] == ("la" if feminine else "le")
        assert french[list(kind).index("participle")].endswith("e") == feminine


def test_a_review_has_one_cue_and_its_class():
    reviews = cue.draw(np.random.default_rng(5), 60)
    for tokens, at, praise in zip(*(part.tolist() for part in reviews), strict=True):
        words = [cue.WORDS[token] for token in tokens]
        cues = [word for word in words if word in cue.GOOD + cue.BAD]
        assert cues == [words[at]]
        assert (words[at] in cue.GOOD) == bool(praise)
    assert 15 < reviews.praise.sum() < 45


def test_a_uniform_classifier_has_uniform_weights_and_gradients_of_each_word():
    with training.one_thread(0):
        model = text_classifiers.PooledClassifier(len(cue.WORDS), recurrent=False, uniform=True)
    tokens = cue.draw(np.random.default_rng(6), 7).tokens
    _, weights = model.forward_with_weights(tokens)
    assert torch.equal(weights, torch.full((7, cue.LENGTH), 1 / cue.LENGTH))
    norms = model.gradient_norms(tokens)
    # With equal weights and no recurrence, every word moves the answer alike.
    np.testing.assert_allclose(norms, norms[:, :1].repeat(cue.LENGTH, axis=1), rtol=1e-5)

"""The small applications: their data are what they say, and what their results say holds."""

import numpy as np
import pytest

pytest.importorskip("torch")

from attnlab.data import documents, glyphs
from attnlab.experiments import captions, detection, load, questions, sentiment, speech, summaries

RNG = 5


def low(result, name, x):
    return result[name].at(x).min()


def high(result, name, x):
    return result[name].at(x).max()


# --- the data -----------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [4, 5, 16])
@pytest.mark.parametrize("unseen", [False, True])
def test_a_review_has_one_adjective_and_one_not(length, unseen):
    drawn = sentiment.draw(np.random.default_rng(RNG), 700, length, unseen)
    words = sentiment.vocabulary()
    negated = 0
    for row, good, cue in zip(*drawn, strict=True):
        text = [words[number] for number in row]
        judging = [word for word in text if word in sentiment.GOOD + sentiment.BAD]
        assert judging == [text[cue]]
        assert text.count("not") == 1
        flipped = text[cue - 1] == "not"
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


@pytest.mark.parametrize("durations", [speech.DURATIONS, speech.SHORT])
def test_frames_belong_to_letters_in_order(durations):
    drawn = speech.draw(np.random.default_rng(RNG), 60, 5, durations)
    for frames, letters, owner in zip(*drawn, strict=True):
        heard = owner[owner >= 0]
        assert (np.diff(heard) >= 0).all()
        assert set(np.bincount(heard)) <= set(durations)
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


# --- short runs ---------------------------------------------------------------------------------


def test_a_short_training_finds_most_glyphs():
    short, stored = detection.run((0,), quick=True), load("detection")
    assert set(short.curves) == set(stored.curves)
    assert short.settings["quick"]
    assert low(short, "found", 4) > 0.8


def test_unknown_models_are_named():
    for module in (captions, questions, sentiment, speech):
        with pytest.raises(ValueError, match="model is 'oracle'; expected one of"):
            module.train("oracle")


# --- what the stored results say, in every seed --------------------------------------------------


def test_not_needs_words_that_look_at_each_other():
    stored = load("sentiment")
    assert high(stored, "one attention", 8) < 0.8
    assert high(stored, "mean of the words", 8) < 0.8
    assert low(stored, "attention in two layers", 8) > 0.95
    assert low(stored, "one attention: weight on the adjective", 8) > 0.8
    assert high(stored, "attention in two layers: weight on not", 8) < 0.1


def test_attention_finds_the_fact_and_order_finds_the_last_one():
    stored = load("questions")
    assert low(stored, "attention", 16) > 0.95
    assert high(stored, "attention without order", 16) < 0.8
    assert high(stored, "fixed vector", 16) < 0.3
    assert high(stored, "attention", 64) < 0.9


def test_strays_are_left_out_and_the_first_sentence_often_too():
    stored = load("summaries")
    assert low(stored, "kept are on topic", 5) > 0.9
    assert high(stored, "first is kept", 1) < 0.6


def test_the_first_sentence_is_kept_hardly_more_often_than_others_on_its_topic():
    """Two sentences are kept and strays hardly ever: six on topic share 2 places."""
    stored = load("summaries")
    for strays in (1, 5):
        first, other = (
            stored[name].at(strays) for name in ("first is kept", "another on topic is kept")
        )
        np.testing.assert_allclose(
            first + 5 * other, 2 * stored["kept are on topic"].at(strays), atol=1e-3
        )
    assert low(stored, "first is kept", 1) > stored["another on topic is kept"].at(1).max()
    assert (stored["first is kept"].at(5) - stored["another on topic is kept"].at(5)).mean() < 0.04


def test_positions_alone_do_not_tell_not_good_from_good():
    stored = load("sentiment")
    assert high(stored, "one attention with positions", 8) < 0.8
    assert low(stored, "attention in two layers", 8) > 0.9


def test_places_are_learned_from_names_and_absent_glyphs_get_weight():
    stored = load("detection")
    for side in (3, 4, 6, 8):
        assert low(stored, "found", side) > 0.95
    assert low(stored, "largest weight, absent", 4) > 0.3


def test_captions_need_looking():
    stored = load("captions")
    assert high(stored, "mean of the picture: captions", 4) < 0.2
    assert low(stored, "attention: captions", 4) > 0.4


def test_knowing_where_it_looked_last_helps_in_long_utterances():
    stored = load("speech")
    assert low(stored, "content and place: letters", 24) > high(stored, "content only: letters", 24)
    assert low(stored, "content and place: forward", 24) > 0.8
    assert high(stored, "content only: forward", 24) < 0.75

"""The small applications: their data are what they say, and what their results say holds."""

import numpy as np
import pytest

pytest.importorskip("torch")

from attnlab.data import documents, glyphs
from attnlab.experiments import captions, questions, sentiment, speech, summaries

RNG = 5


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


def test_unknown_models_are_named():
    for module in (captions, questions, sentiment, speech):
        with pytest.raises(ValueError, match="model is 'oracle'; expected one of"):
            module.train("oracle")

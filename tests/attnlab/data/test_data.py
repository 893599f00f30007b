"""What there is to train on and to read, drawn or stored: it is what its names say."""

import numpy as np
import pytest

from attnlab.data import glove, lexicon, minilm_heads
from attnlab.data.grammar import Grammar
from attnlab.data.repeats import NUM_WORDS, draw, follows_a_match, induction_scores


@pytest.fixture(scope="module")
def vectors():
    return glove.load()


def test_the_cut_has_the_words_of_the_book(vectors):
    assert vectors.array.shape == (len(vectors.words), 50)
    assert vectors.array.dtype == np.float32
    assert 1900 <= len(vectors.words) == len(set(vectors.words)) <= 2100
    needed = {*glove.WORDS.split(), *(noun.english for noun in lexicon.nouns("french"))}
    assert needed <= set(vectors.words)
    assert vectors.words[0] == "the"
    assert glove.FILE.stat().st_size < 400_000


def test_cosines_and_neighbours(vectors):
    assert vectors.cosine("cat", "dog") == pytest.approx(0.92, abs=0.005)
    assert vectors.cosine("cat", "cat") == pytest.approx(1.0)
    assert vectors.cosine("dog", "cat") == pytest.approx(vectors.cosine("cat", "dog"))
    assert vectors.nearest("cat", 1) == ["dog"]
    nearest = vectors.nearest("paris", 3)
    cosines = [vectors.cosine("paris", word) for word in nearest]
    assert cosines == sorted(cosines, reverse=True)
    assert max(vectors.cosine("paris", w) for w in vectors.words if w != "paris") == cosines[0]


def test_another_file_is_refused(tmp_path, monkeypatch):
    package = tmp_path / glove.PACKAGE
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "data" / "glove_6B_50d_emb.npy").write_bytes(b"other")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ValueError, match=r"has sha256 d9298a10.*; expected [0-9a-f]{64}"):
        glove.make(tmp_path / "cut.npz")


@pytest.mark.parametrize("name", minilm_heads.SENTENCES)
def test_rows_are_shares(name):
    heads = minilm_heads.load(name)
    tokens = len(heads.tokens)
    assert heads.weights.shape == (6, 12, tokens, tokens)
    assert (heads.tokens[0], heads.tokens[-1]) == ("[CLS]", "[SEP]")
    assert heads.weights.min() >= 0
    np.testing.assert_allclose(heads.weights.sum(axis=-1), 1, atol=tokens * 6e-5)


def test_offset_leaves_out_tokens_without_a_neighbour():
    step = np.eye(5, k=-1)
    step[0, 0] = 1.0
    assert minilm_heads.offset(step, -1) == 1.0
    assert minilm_heads.offset(np.stack([step, np.eye(5)]), -1).tolist() == [1.0, 0.0]
    assert minilm_heads.offset(np.full((4, 4), 0.25), 2) == 0.25


def test_words_and_heads_are_by_name_and_number():
    heads = minilm_heads.load("cat")
    pair = heads.between("sat", "cat")
    assert pair.shape == (6, 12)
    assert pair[3, 1] == heads.weights[3, 1, 3, 2] == heads.head(4, 2)[3, 2]


@pytest.fixture(params=lexicon.LANGUAGES)
def grammar(request):
    return Grammar(request.param)


def test_half_of_the_nouns_are_feminine_and_ten_change_gender():
    french, italian = Grammar("french"), Grammar("italian")
    assert french.feminine.sum() == italian.feminine.sum() == 20
    assert len(french.nouns) == len(italian.nouns) == 40
    assert (french.feminine != italian.feminine).sum() == 10


def test_articles_agree_with_the_gender_and_give_way_to_vowels(grammar):
    feminine = {"la"}
    masculine = {"le"} if grammar.language == "french" else {"il", "lo"}
    for noun in grammar.nouns:
        form = noun.forms[0]
        if form.startswith("l'"):
            assert form[2] in "aeiou"
        else:
            article, rest = form.split()
            assert article in (feminine if noun.feminine else masculine)
            assert rest[0] not in "aeiou"
            assert (article == "lo") == (rest == "specchio")


def test_every_participle_shows_its_gender(grammar):
    for verb in grammar.verbs:
        masculine, feminine = verb.forms
        assert masculine != feminine
    assert len({form for verb in grammar.verbs for form in verb.forms}) == grammar.num_participles


def test_the_two_sentences_of_the_book():
    french = Grammar("french").sentence("apple", "under tree", "behind garden", "picked")
    assert Grammar("french").english(french.tokens[0]) == [
        "the apple", "under", "the tree", "behind", "the garden", "had been", "picked",
    ]  # fmt: skip
    assert " ".join(Grammar("french").translation(french.target[0])) == (
        "la pomme sous l'arbre derrière le jardin avait été ramassée"
    )
    italian = Grammar("italian").sentence("architecture", "introduced")
    assert " ".join(Grammar("italian").translation(italian.target[0])) == (
        "l'architettura era stata introdotta"
    )


def test_the_participle_agrees_with_the_subject_and_with_no_other_noun(grammar):
    drawn = grammar.sample(np.random.default_rng(3), batch=211, num_phrases=5)
    assert drawn.tokens.shape == (211, 13)
    assert drawn.target.shape == (211, 14)
    subject = drawn.tokens[:, 0]
    assert (drawn.participle % 2 == grammar.feminine[subject]).all()
    for number in (1, 2, 3, 4, 5):
        attractor = grammar.feminine[drawn.tokens[:, 2 * number]]
        assert 0.3 < (drawn.participle % 2 == attractor).mean() < 0.7
    for english, participle, target in zip(*vars(drawn).values(), strict=True):
        words = grammar.translation(target)
        assert len(words) == len(english) == 13
        assert words[-1] == grammar.participle(participle)


def test_the_italian_auxiliary_agrees_too():
    grammar = Grammar("italian")
    drawn = grammar.sample(np.random.default_rng(4), batch=53, num_phrases=1)
    for target, participle in zip(drawn.target, drawn.participle, strict=True):
        assert grammar.translation(target)[-2] == ("era stato", "era stata")[participle % 2]


def test_the_french_auxiliary_does_not_give_the_gender_away():
    grammar = Grammar("french")
    drawn = grammar.sample(np.random.default_rng(4), batch=53, num_phrases=1)
    assert len(set(drawn.target[:, -3].tolist())) == 1
    assert len(set((drawn.participle % 2).tolist())) == 2


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

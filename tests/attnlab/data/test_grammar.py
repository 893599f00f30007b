import numpy as np
import pytest

from attnlab.data import lexicon
from attnlab.data.grammar import Grammar


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


def test_an_unknown_word_or_language_is_one_clear_error():
    with pytest.raises(ValueError, match="'livre' is not in the lexicon; expected one of apple"):
        Grammar("french").sentence("livre", "picked")
    with pytest.raises(ValueError, match="language is 'latin'; expected"):
        Grammar("latin")


def test_a_word_is_redrawn_among_its_kind():
    grammar, rng = Grammar(), np.random.default_rng(0)
    sentences = grammar.sample(rng, 60, 2)
    redrawn = grammar.redrawn(sentences.tokens, rng)
    verb, preposition = len(grammar.nouns), len(grammar.nouns) + len(grammar.verbs)
    ends = [0, verb, preposition, grammar.num_tokens - 1, grammar.num_tokens]
    np.testing.assert_array_equal(np.digitize(redrawn, ends), np.digitize(sentences.tokens, ends))
    assert (redrawn[:, -2] == grammar.num_tokens - 1).all()  # "had been"
    for column in (0, 1, -1):
        assert (redrawn[:, column] != sentences.tokens[:, column]).mean() > 0.5

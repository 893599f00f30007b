"""Each row of the weights gives one word nearly all of the weight. What happens in the last row,
*ramassée*, if the decoder may not attend to that word? The encoder still reads it.

Compose a sentence of your own whose subject is not *apple*. Then hide *one* word from the decoder
so that the translation changes **in the verb alone**: all other words stay right, and the last word
is a participle of another verb, with the gender of the subject. Not every sentence works, since the
decoder was never trained with a word hidden. If yours does not, change its subject or its verb.

Then press *Use as answer*, or write both yourself: the words without *the* and *had been*, and the
position of the hidden word in a list. Positions count tokens from 0; *the apple* and *had been* are
one each.
"""

import numpy as np

from attnlab.models.numpy_translator import GRAMMAR, load, translate
from coursekit import as_array, check, exercise, expect, mistake

exercise(
    id="hide-the-verb",
    chapter="self-and-cross",
    title="Hide a word from the decoder",
    explorable="Translation",
    files=["attnlab/models/trained/attention-0.npz"],
    binds={"sentence": "sentence", "hidden": "hidden"},
    hints=[
        "Which word of the translation has to change? Its row of weights shows which English word "
        "it comes from.",
        "Two phrases work well. If the decoder writes no participle at all, change the subject or "
        "the verb.",
    ],
)

# The lines that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: sentence = "apple under tree behind house picked"
# STARTER: hidden = []
sentence = "door behind house under tree opened"
hidden = [6]
# END SOLUTION


def _read(sentence):
    """Return a sentence of the grammar as tokens, with its translation."""
    try:
        return GRAMMAR.parse(str(sentence))
    except ValueError as problem:
        expect(False, f"{problem}.", "not-the-grammar")


def _written(pair, hidden=()):
    """Return what the translator writes, with the places where it differs from what is right."""
    words = translate(load(), pair.tokens[0], hidden).words
    size = max(len(words), pair.target.shape[1])
    padded = [np.pad(row, (0, size - len(row)), constant_values=-1)
              for row in (words, pair.target[0])]  # fmt: skip
    return words, np.flatnonzero(padded[0] != padded[1]).tolist()


@check(points=1)
def a_sentence_of_your_own(sentence):
    """A sentence of your own that the translator gets right"""
    pair = _read(sentence)
    expect(str(sentence).split()[0] != "apple", "The subject is *apple*.", "the-first-sentence")
    words, wrong_places = _written(pair)
    text = " ".join(GRAMMAR.translation(words))
    expect(not wrong_places, f"It writes “{text}”, with no word hidden.", "too-long")


@check(points=2)
def only_the_verb_changes(sentence, hidden):
    """With one word hidden, the verb changes and nothing else"""
    pair = _read(sentence)
    count = pair.tokens.shape[1]
    places = np.unique(np.ravel(as_array(hidden, "hidden"))).tolist()
    expect(set(places) <= set(range(count)), f"hidden is {hidden}.", "no-such-word")
    expect(len(places) == 1, f"{len(places)} words are hidden; expected one.", "not-one-word")
    words, wrong_places = _written(pair, [int(places[0])])
    text = " ".join(GRAMMAR.translation(words))
    if places != [count - 1]:
        expect(False, f"It writes “{text}”.", "another-word")
    expect(wrong_places != [], f"It writes “{text}”.", "verb-kept")
    verb = int(words[count - 1]) - GRAMMAR.first_participle if len(words) == count + 1 else -1
    agrees = verb >= 0 and verb % 2 == pair.participle[0] % 2
    expect(wrong_places == [count - 1] and agrees, f"It writes “{text}”.", "no-participle")


_SENTENCE = "door behind house under tree opened"

mistake(
    "not-the-grammar",
    "The translator knows sentences of one pattern: a noun, prepositions with a noun each, and a "
    "participle.",
    {"door": "the door"},
    {"door": "cat"},
)
mistake(
    "the-first-sentence",
    "The subject is still *apple*. Compose a sentence of your own.",
    {_SENTENCE: "apple under tree behind house picked"},
    {_SENTENCE: "apple under tree behind house picked", "[6]": "[]"},
)
mistake(
    "too-long",
    "The translator makes a mistake in this sentence even before a word is hidden. It was trained "
    "with up to six phrases.",
    {f'"{_SENTENCE}"': '"key " + "under lamp " * 8 + "found"', "[6]": "[18]"},
)
mistake(
    "no-such-word",
    "The sentence has no token at this position. Positions count from 0.",
    {"[6]": "[7]"},
)
mistake(
    "not-one-word",
    "Exactly one word has to be hidden: with several you cannot tell which one made the "
    "difference.",
    {"[6]": "[0, 6]"},
)
mistake(
    "another-word",
    "The participle is not written from this word. Look in its row for the word that has the "
    "largest weight.",
    {"[6]": "[0]"},
    {"[6]": "[5]"},
)
mistake(
    "no-participle",
    "The verb is hidden, but this translation does not end in another verb's participle that "
    "agrees with the subject. Try another sentence.",
    {_SENTENCE: "table sold", "[6]": "[2]"},
)
mistake(
    "verb-kept",
    "The verb is hidden, but the decoder still writes its participle: information about it came "
    "with the decoder's starting state. Try another sentence.",
    {_SENTENCE: "letter under table behind door opened"},
)

ALSO_RIGHT = {
    "a masculine subject, and a number alone": """
        sentence = "hat under tree behind house picked"
        hidden = 6
    """,
    "three spaces, and an array": """
        import numpy as np
        sentence = "shoe under table   behind door broken"
        hidden = np.array([6])
    """,
}

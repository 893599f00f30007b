"""In each row of the weights one word gets nearly all of the weight. What becomes of the last word,
*ramassée*, when the decoder may not attend to the word of its row? The encoder still reads it.

Compose a sentence of your own, whose subject is not *apple*. Then hide *one* word from the decoder,
so that the translation changes **in the verb alone**: all other words stay right, and the last one
is a participle of another verb, with the gender of the subject. Not every sentence works, since the
decoder was never trained with a word hidden. If yours does not, change its subject or its verb.

Then press *Use as answer*, or write both yourself: the words without *the* and *had been*, and the
position of the hidden word in a list. Positions count the tokens from 0, *the apple* and *had been*
as one each.
"""

import numpy as np

from attnlab.models.numpy_translator import GRAMMAR, load, translate
from coursekit import as_array, check, exercise, expect

exercise(
    title="Hide a word from the decoder",
    explorable="Translation",
    files=["attnlab/models/trained/attention-0.npz"],
    binds={"sentence": "sentence", "hidden": "hidden"},
    hints=[
        "Which word of the translation has to change? In its row of weights you see which word "
        "that is read it comes from.",
        "Two phrases are a good length. If the decoder writes no participle at all, change the "
        "subject or the verb.",
    ],
)

# The lines that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: sentence = "apple under tree behind house picked"
# STARTER: hidden = []
sentence = "door behind house under tree opened"
hidden = [6]
# END SOLUTION


MISTAKES = r"""
not-the-grammar: `door behind` → `the door behind` or `cat behind`
    The translator knows sentences of one pattern: a noun, prepositions each with a noun, and a
    participle.
the-first-sentence: (also not-one-word) `door behind house under tree opened` →
  `apple under tree behind house picked`, `6` → ``
or `door behind house under tree opened` → `apple under tree behind house picked`
    The subject is still *apple*. Compose a sentence of your own.
too-long: (also no-participle) `door behind house under tree opened` →
  `key " + "under lamp " * 8 + "found`, `6` → `18`
    The translator makes a mistake in this sentence even before a word is hidden. It was trained
    with up to six phrases.
no-such-word: `[6]` → `[7]`
    The sentence has no token at this position. Positions count from 0.
not-one-word: `[6]` → `[0, 6]`
    One word has to be hidden, and one only: with several you cannot tell which one made the
    difference.
another-word: `[6]` → `[0]` or `[5]`
    The participle is not written from this word. Look in its row for the word that has the largest
    weight.
no-participle: `door behind house under tree opened` → `table sold`, `6` → `2`
    The verb is hidden. In this sentence the translation then does not end in another verb's
    participle that agrees with the subject. Try another sentence.
verb-kept: `door behind house under tree opened` → `letter under table behind door opened`
    The verb is hidden, and the decoder writes its participle all the same: something of it has come
    with the state that it started with. Try another sentence.
"""


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

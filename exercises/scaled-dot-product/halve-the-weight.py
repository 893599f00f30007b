"""In *the cat drank milk*, the query of *drank* gives the key of *cat* a weight of 0.65. Write
another sentence, in which it gives *cat* **less than half**. The sentence has at most six words,
with *drank* once and *cat* once, and no word is hidden.

Before you type: is it enough to put the words in a different order? Step 4 of the figure,
*softmax*, shows the weights. Then press *Use as answer*, or write the sentence yourself.
"""

import re

import numpy as np

import attn
from coursekit import check, exercise, expect

exercise(
    title="A smaller weight for the cat",
    explorable="Pipeline",
    binds={"sentence": "sentence"},
    hints=[
        "The score of *drank* and *cat* depends on these two words. What else is in the weight?",
        "The weight is $e^{1.41}$ divided by a sum with a term for each word. How can it grow?",
        "A second animal has the same key as *cat*, and so the same score.",
    ],
)

# The line that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: sentence = "the cat drank milk"
sentence = "the cat and the dog drank"
# END SOLUTION


MISTAKES = r"""
other-order: `the cat and the dog drank` → `milk drank the cat` or `Drank the cat milk?`
    The order has changed, and the weight has not. Nothing in these four steps depends on where a
    word stands: each score is computed from two words, and the sum from all of them.
no-change: `the cat and the dog drank` →
  `the cat drank tea` or `a cat drank water` or `the cat drank lemonade`
    The weight is what it was: the new words add as much to the sum as the old ones did. Another
    word with the same score changes nothing. Which words have a larger score?
smaller-terms: `the cat and the dog drank` → `cat drank drinks sees`
    The weight has grown: the new words add less to the sum than the old ones did. Which words have
    a larger score?
fewer-words: `and the dog ` → ``
    The weight has grown: the sum by which every term is divided has lost one, so what remains gets
    more. Add words instead.
not-enough: `the cat and the dog drank` → `the cat drank the milk`
    The direction is right: the sum has grown. It has to exceed twice the term of *cat*, which is
    4.11.
not-the-words: `the cat and the dog drank` → `the dog drank milk` or `the cat drank the cat`
    The sentence needs *drank* once and *cat* once.
too-long: `drank` → `drank water`
    The sentence has more than six words.
not-text: `"the cat and the dog drank"` → `["the", "cat", "drank", "milk"]`
    The answer is a sentence in quotes.
"""

# The figure's vectors: animal, action, drink, article, past.
_FEATURES = {
    "the a": [0, 0, 0, 1, 0],
    "cat dog bird horse": [1, 0, 0, 0, 0],
    "drinks sees": [0, 1, 0, 0, 0],
    "drank saw": [0, 1, 0, 0, 1],
    "milk water tea": [0, 0, 1, 0, 0],
}
_WORDS = {word: row for words, row in _FEATURES.items() for word in words.split()}
_UNKNOWN = [0, 0, 0, 0, 0]
_W_QUERY = np.array([[0, 1], [2, 0], [1, 0], [0, 0], [0, 0]])
_W_KEY = np.array([[1, 0], [-1, -1], [0, 1], [0, 0], [0, 0]])


def _weight_of_cat(words):
    x = np.array([_WORDS.get(word, _UNKNOWN) for word in words], float)
    weights = attn.attention_weights(x @ _W_QUERY, x @ _W_KEY)
    return float(weights[words.index("drank"), words.index("cat")])


def _mistake(words, weight):
    given = ["the", "cat", "drank", "milk"]
    grown = weight - _weight_of_cat(given)
    if abs(grown) < 1e-9:
        return "other-order" if sorted(words) == sorted(given) else "no-change"
    if grown < 0:
        return "not-enough"
    return "fewer-words" if len(words) < len(given) else "smaller-terms"


@check(points=2)
def less_than_half(sentence):
    """*drank* gives *cat* less than half of its weight"""
    expect(
        isinstance(sentence, str),
        f"sentence is of type {type(sentence).__name__}; expected text.",
        "not-text",
    )
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", sentence.lower())
    expect(len(words) <= 6, f"The sentence has {len(words)} words; expected at most 6.", "too-long")
    counts = words.count("drank"), words.count("cat")
    expect(
        counts == (1, 1),
        f"*drank* stands in it {counts[0]} times and *cat* {counts[1]} times; expected once each.",
        "not-the-words",
    )
    weight = _weight_of_cat(words)
    expect(
        weight < 0.5,
        f"In this sentence *drank* gives *cat* {weight:.2f}; expected less than 0.5.",
        _mistake(words, weight),
    )


ALSO_RIGHT = {
    "articles alone": 'sentence = "the cat the the drank milk"',
    "a bird": 'sentence = "Cat, bird: drank."',
    "unknown words": 'sentence = "a cat and a rabbit drank"',
}

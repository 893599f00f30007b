"""In *the cat drank milk*, the query of *drank* gives the key of *cat* a weight of 0.65. Write
another sentence in which it gives *cat* **less than half**. Use at most six words, with *drank*
once and *cat* once, and hide no word.

Before you type: is it enough to put the words in a different order? The figure shows the weights in
its step *softmax*. Then press *Use as answer*, or write the sentence yourself.
"""

import re

import numpy as np

import attn
from coursekit import check, exercise, expect, mistake

exercise(
    id="halve-the-weight",
    chapter="scaled-dot-product",
    title="A smaller weight for the cat",
    explorable="Pipeline",
    binds={"sentence": "sentence"},
    hints=[
        "The score of *drank* and *cat* depends on these two words. What else affects the weight?",
        "It is $e^{1.41}$ divided by a sum with a term for each word. How can the sum grow?",
        "A second animal has the same key as *cat* and so the same score.",
    ],
)

# The line that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: sentence = "the cat drank milk"
sentence = "the cat and the dog drank"
# END SOLUTION

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
    what = f"sentence is of type {type(sentence).__name__}; expected text."
    expect(isinstance(sentence, str), what, "not-text")
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*", sentence.lower())
    expect(len(words) <= 6, f"The sentence has {len(words)} words; expected at most 6.", "too-long")
    verbs, cats = words.count("drank"), words.count("cat")
    seen = f"*drank* occurs in it {verbs} times and *cat* {cats} times; expected once each."
    expect((verbs, cats) == (1, 1), seen, "not-the-words")
    weight = _weight_of_cat(words)
    what = f"In this sentence *drank* gives *cat* {weight:.2f}; expected less than 0.5."
    expect(weight < 0.5, what, _mistake(words, weight))


mistake(
    "other-order",
    "The order has changed, and the weight has not. Nothing in these four steps depends on a "
    "word's position: each score is computed from two words, and the sum from all of them.",
    'sentence = "milk drank the cat"',
    'sentence = "Drank the cat milk?"',
)
mistake(
    "no-change",
    "The weight has not changed: the new words add as much to the sum as the old ones did. Another "
    "word with the same score changes nothing. Which words have a larger score?",
    'sentence = "the cat drank tea"',
    'sentence = "a cat drank water"',
    'sentence = "the cat drank lemonade"',
)
mistake(
    "smaller-terms",
    "The weight has grown: the new words add less to the sum than the old ones did. Which words "
    "have a larger score?",
    'sentence = "cat drank drinks sees"',
)
mistake(
    "fewer-words",
    "The weight has grown: the sum by which every term is divided has lost a term, so the rest get "
    "more. Add words instead.",
    'sentence = "the cat drank"',
)
mistake(
    "not-enough",
    "The direction is right: the sum has grown. It has to exceed twice the term of *cat*: "
    "2 · 4.11 = 8.23.",
    'sentence = "the cat drank the milk"',
)
mistake(
    "not-the-words",
    "The sentence needs *drank* once and *cat* once.",
    'sentence = "the dog drank milk"',
    'sentence = "the cat drank the cat"',
)
mistake(
    "too-long",
    "The sentence has more than six words.",
    'sentence = "the cat and the dog drank water"',
)
mistake(
    "not-text", "The answer is a sentence in quotes.", 'sentence = ["the", "cat", "drank", "milk"]'
)

ALSO_RIGHT = {
    "articles alone": 'sentence = "the cat the the drank milk"',
    "a bird": 'sentence = "Cat, bird: drank."',
    "unknown words": 'sentence = "a cat and a rabbit drank"',
}

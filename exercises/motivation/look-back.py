"""A decoder writes a sentence step by step. At each step it has one row of **weights** over the
words that were read: how much each of them matters now. The weights of a row are not negative
and sum to 1. For each word there is also a **state**, a vector of some width.

Write `look_back`, which returns for each step the sum of all states, each multiplied by its weight.
The states may hold whole numbers; the sums need not be whole. Leave the arguments unchanged.
"""

import numpy as np

from coursekit import (
    call_keeping_inputs,
    call_with_whole_numbers,
    check,
    exercise,
    expect_close,
    mistake,
)

exercise(
    id="look-back",
    chapter="motivation",
    title="Look back",
    version=2,
    practice=True,
    hints=[
        "Take one step with the weights 0.75 and 0.25 over two words. What do you do with the two "
        "states?",
        "For step `i` the sum runs over the words `j`: `weights[i, j] * states[j]`. What is the "
        "shape of the result for all steps?",
        "A sum over the inner axis is what a matrix product computes: `(num_steps, num_words)` "
        "times `(num_words, width)`.",
    ],
)


def look_back(weights, states):
    """Return what the decoder gets at each step, (num_steps, width).

    weights: (num_steps, num_words), rows sum to 1
    states: (num_words, width)
    """
    # BEGIN SOLUTION
    return weights @ states
    # END SOLUTION


def _compare(look_back, weights, states, what="look_back(weights, states)"):
    seen = call_keeping_inputs(look_back, weights, states)
    # Numbers of single precision are right to this share of them.
    expect_close(seen, weights @ states, rtol=1e-5, what=what)


@check(points=2)
def two_steps_three_words(look_back):
    """Two steps over three words, by hand"""
    weights = np.array([[0.75, 0.25, 0.0], [0.1, 0.2, 0.7]])
    _compare(look_back, weights, np.array([[1.0, 0.0], [0.0, 2.0], [10.0, 0.0]]))


@check(points=1)
def sizes(look_back):
    """3 steps, 7 words, width 5"""
    weights = np.stack([np.arange(7) / 21, np.full(7, 1 / 7), np.arange(1, 8) / 28])
    _compare(look_back, weights, np.arange(35.0).reshape(7, 5))


@check(points=1)
def whole_numbers(look_back):
    """States that are whole numbers"""
    weights = np.array([[0.75, 0.25, 0.0], [0.1, 0.2, 0.7]])
    states = np.array([[1, 0, 3, 4, 1], [0, 2, 5, 1, 1], [7, 0, 2, 3, 2]])
    what = "look_back(weights, states)"
    call_with_whole_numbers(look_back, weights, states, right=weights @ states, what=what)
    _compare(look_back, weights, states)


@check(points=1, hidden=True)
def far_is_as_good_as_near(look_back, rng):
    """Only a word's weight counts, however far back the word is"""
    states = rng.normal(size=(31, 3))
    for words in ([0], [13], [30], [0, 30], [28, 2]):
        weights = np.eye(31)[words].mean(axis=0, keepdims=True)
        what = f"look_back(weights, states) with all weight on the words {words}"
        _compare(look_back, weights, states, what)


_RIGHT = "weights @ states"

mistake("changes-arguments", "", {f"return {_RIGHT}": f"states *= 2.0\n    return {_RIGHT} / 2.0"})
mistake("cut-to-whole-numbers", "", {_RIGHT: f"({_RIGHT}).astype(states.dtype)"})
mistake(
    "fixed-vector",
    "Every step got the last state. That is the fixed vector of a plain encoder-decoder, the same "
    "at every step.",
    {_RIGHT: "np.tile(states[-1], (len(weights), 1))"},
)
mistake(
    "uniform",
    "Every step got the plain mean of the states. Each step has its own row of weights; multiply "
    "the states by them.",
    {_RIGHT: "np.tile(states.mean(axis=0), (len(weights), 1))"},
)
mistake(
    "hard",
    "Each step got the state of the word with the largest weight, and nothing from the others. A "
    "weight of 0.3 adds 0.3 times its state.",
    {_RIGHT: "states[weights.argmax(axis=-1)]"},
)
mistake(
    "unweighted",
    "Every step got the plain sum of the states. Multiply each state by its weight first.",
    {_RIGHT: "np.tile(states.sum(axis=0), (len(weights), 1))"},
)
mistake(
    "not-summed",
    "The result has one vector for each step and word. Sum over the words: each step gets one "
    "vector.",
    {_RIGHT: "weights[:, :, None] * states"},
)
mistake(
    "divided-again",
    "The sum was divided by the number of words. The weights sum to 1, so the sum is already a "
    "mean.",
    {_RIGHT: f"{_RIGHT} / len(states)"},
)
mistake(
    "softmax-again",
    "The weights went through a softmax once more, which makes them more alike. They already sum "
    "to 1.",
    {_RIGHT: "np.exp(weights) / np.exp(weights).sum(axis=-1, keepdims=True) @ states"},
)
mistake(
    "transposed",
    "The result is transposed: steps belong on the first axis.",
    {_RIGHT: f"({_RIGHT}).T"},
)
mistake(
    "last-product",
    "Each step got only the last word's product of weight and state. In a loop over the words, add "
    "with `+=`; `=` overwrites what was there.",
    {_RIGHT: "np.outer(weights[:, -1], states[-1])"},
)
mistake(
    "first-row",
    "Every step got the first step's result. Each step has its own row of weights.",
    {_RIGHT: "np.tile(weights[0] @ states, (len(weights), 1))"},
)
mistake(
    "states-reversed",
    "The weights were matched with the states in reverse order: the first weight belongs to the "
    "first state.",
    {_RIGHT: f"{_RIGHT}[::-1]"},
)
mistake(
    "any-weight",
    "Every word with a weight above 0 was counted in full. A weight of 0.3 adds 0.3 times the "
    "state.",
    {_RIGHT: "(weights > 0) @ states"},
)
mistake(
    "accumulated",
    "Each step also contains the steps before it. Start every step from a sum of 0.",
    {_RIGHT: f"np.cumsum({_RIGHT}, axis=0)"},
)
mistake(
    "summed-over-steps",
    "The result has one vector for each word: you summed over the steps. Sum over the words.",
    {_RIGHT: "(weights[:, :, None] * states).sum(axis=0)"},
)

ALSO_RIGHT = {
    "two loops": """
        def look_back(weights, states):
            rows = []
            for row in weights:
                total = np.zeros(states.shape[1])
                for weight, state in zip(row, states):
                    total = total + weight * state
                rows.append(total)
            return rows
    """,
    "multiply and sum": """
        def look_back(weights, states):
            return (weights[..., None] * states[None]).sum(axis=-2)
    """,
    "single precision": """
        def look_back(weights, states):
            return weights.astype(np.float32) @ states.astype(np.float32)
    """,
    "einsum": """
        def look_back(weights, states):
            return np.einsum("sw,wd->sd", weights, states)
    """,
}

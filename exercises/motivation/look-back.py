"""A decoder writes a sentence step by step. At each step it has one row of **weights** over the
words that were read: how much each of them matters now. The weights of a row are not negative
and sum to 1. For each word there is also a **state**, a vector of some width.

Write `look_back`: for each step the sum of all states, each multiplied by its weight. The states
may hold whole numbers; the sums are not whole. Leave the arguments unchanged.
"""

import numpy as np

from coursekit import (
    call_keeping_inputs,
    call_with_whole_numbers,
    check,
    exercise,
    expect_close,
)

exercise(
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


MISTAKES = r"""
fixed-vector: `weights @ states` → `np.tile(states[-1], (len(weights), 1))`
    Every step got the last state. That is the fixed vector of a plain encoder-decoder, the same at
    every step.
uniform: `weights @ states` → `np.tile(states.mean(axis=0), (len(weights), 1))`
    Every step got the plain mean of the states. Each step has its own row of weights; multiply the
    states by them.
hard: `weights @ states` → `states[weights.argmax(axis=-1)]`
    Each step got the state of the word with the largest weight, and nothing from the others. A
    weight of 0.3 adds 0.3 times its state.
unweighted: `weights @ states` → `np.tile(states.sum(axis=0), (len(weights), 1))`
    Every step got the plain sum of the states. Multiply each state by its weight first.
not-summed: ` @` → `[:, :, None] *`
    There is one vector for each step and word. Add them up over the words: each step gets one
    vector.
divided-again: `@ states` → `@ states / len(states)`
    The sum was divided by the number of words. The weights sum to 1, so the sum is a mean already.
softmax-again: `weights @` → `np.exp(weights) / np.exp(weights).sum(axis=-1, keepdims=True) @`
    The weights went through a softmax once more, which makes them more alike. They sum to 1
    already.
transposed: `weights @ states` → `(weights @ states).T`
    The result is transposed: steps belong on the first axis.
last-product: `weights @ states` → `np.outer(weights[:, -1], states[-1])`
    Each step got only the last word's product of weight and state. In a loop over the words, add
    with `+=`; `=` overwrites what was there.
first-row: `weights @` → `weights[[0] * len(weights)] @`
    Every step got what the first step gets. Each step has its own row of weights.
states-reversed: `@ states` → `@ states[::-1]`
    The weights were matched with the states in reverse order: the first weight belongs to the first
    state.
any-weight: `weights @` → `(weights > 0) @`
    Every word with a weight above 0 counts fully. A weight of 0.3 adds 0.3 times the state.
accumulated: `weights @ states` → `np.cumsum(weights @ states, axis=0)`
    Each step contains the steps before it as well. Start every step from a sum of 0.
summed-over-steps: `weights @ states` → `(weights[:, :, None] * states).sum(axis=0)`
    There is one vector for each word: the sum runs over the steps. It has to run over the words.
cut-to-whole-numbers: `weights @ states` → `(weights @ states).astype(states.dtype)`
changes-arguments: `return weights @ states` → `states *= 2; return weights @ states / 2`
"""


#: Numbers of single precision are right to this share of them.
_SINGLE = 1e-5


@check(points=2)
def two_steps_three_words(look_back):
    """Two steps over three words, by hand"""
    weights = np.array([[0.75, 0.25, 0.0], [0.1, 0.2, 0.7]])
    states = np.array([[1.0, 0.0], [0.0, 2.0], [10.0, 0.0]])
    expect_close(
        call_keeping_inputs(look_back, weights, states),
        [[0.75, 0.5], [7.1, 0.4]],
        rtol=_SINGLE,
        what="look_back(weights, states)",
    )


@check(points=1)
def sizes(look_back):
    """3 steps, 7 words, width 5"""
    weights = np.stack([np.arange(7) / 21, np.full(7, 1 / 7), np.arange(1, 8) / 28])
    states = np.arange(35.0).reshape(7, 5)
    expect_close(
        call_keeping_inputs(look_back, weights, states),
        weights @ states,
        rtol=_SINGLE,
        what="look_back(weights, states)",
    )


@check(points=1)
def whole_numbers(look_back):
    """States that are whole numbers"""
    weights = np.array([[0.75, 0.25, 0.0], [0.1, 0.2, 0.7]])
    states = np.array([[1, 0, 3, 4, 1], [0, 2, 5, 1, 1], [7, 0, 2, 3, 2]])
    what = "look_back(weights, states)"
    seen = call_with_whole_numbers(look_back, weights, states, right=weights @ states, what=what)
    expect_close(seen, weights @ states, rtol=_SINGLE, what=what)


@check(points=1, hidden=True)
def far_is_as_good_as_near(look_back, rng):
    """A word counts by its weight alone, however far back it stands"""
    states = rng.normal(size=(31, 3))
    for words in ([0], [13], [30], [0, 30], [28, 2]):
        weights = np.eye(31)[words].mean(axis=0, keepdims=True)
        expect_close(
            call_keeping_inputs(look_back, weights, states),
            states[words].mean(axis=0, keepdims=True),
            rtol=_SINGLE,
            what=f"look_back(weights, states) with all weight on the words {words}",
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

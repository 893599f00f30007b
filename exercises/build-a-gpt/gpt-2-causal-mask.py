"""In training, the model predicts every word of a text at once: row $i$ predicts word $i + 1$. So
token $i$ may attend to itself and to earlier tokens, but not to later ones.

Write `causal_mask(num_tokens)`: a boolean array of shape `(num_tokens, num_tokens)`. Entry `[i, j]`
is True where token `i` may attend to token `j`.
"""

import numpy as np

from attnlab import mistakes
from attnlab.gpt import causal_mask as library_mask
from coursekit import check, exercise, expect, expect_close, expect_shape, mistake, shared_mistakes

exercise(
    id="gpt-2-causal-mask",
    chapter="build-a-gpt",
    title="Step 2: causal mask",
    version=2,
    withhold=["attn.causal_mask", "attnlab.gpt.causal_mask"],
    stand_in="attnlab.gpt",
    hints=[
        "Which entries are True in row 0, and which in row 1?",
        "You need a triangle: `np.tril` makes one, and so does comparing a column of positions "
        "with a row of them.",
        "`np.tril(np.ones((num_tokens, num_tokens), dtype=bool))`, or `i[:, None] >= i[None, :]` "
        "with `i = np.arange(num_tokens)`.",
    ],
)


def causal_mask(num_tokens):
    """Return True where token i may attend to token j, (num_tokens, num_tokens)."""
    # BEGIN SOLUTION
    return np.tril(np.ones((num_tokens, num_tokens), dtype=bool))
    # END SOLUTION


def _expect_mask(actual, num_tokens):
    expected, what = library_mask(num_tokens), f"causal_mask({num_tokens})"
    array = expect_shape(actual, expected.shape, what=what)
    expect_close(array, expected, what=what)
    message = f"{what} has entries of type {array.dtype}; expected truth values."
    expect(array.dtype == bool, message, "not-boolean")


@check(points=1)
def five_tokens(causal_mask):
    """Five tokens"""
    _expect_mask(causal_mask(5), 5)


@check(points=1)
def one_token(causal_mask):
    """A single token, or the first of two, attends to itself and to nothing else"""
    for num_tokens in (2, 1):
        _expect_mask(causal_mask(num_tokens), num_tokens)


@check(points=1, hidden=True)
def other_lengths(causal_mask, rng):
    """Other lengths"""
    for num_tokens in (2, 3, *rng.integers(7, 20, size=2).tolist()):
        _expect_mask(causal_mask(num_tokens), num_tokens)


shared_mistakes(mistakes.EXPLANATIONS, causal_mask=lambda n: mistakes.of_causal_mask(n, n))
mistake(
    "not-boolean",
    "The mask has the right entries, but as numbers. Here a mask consists of True and False, as "
    "`np.where(mask, scores, -np.inf)` expects.",
    {", dtype=bool": ""},
)
mistake(
    "one-row",
    "This is one row of boolean values. A mask has a row for each query and a column for each key: "
    "with `i = np.arange(n)`, compare `i` with `i[:, None]`.",
    {"np.tril(np.ones((num_tokens, num_tokens), dtype=bool))": "np.ones(num_tokens, dtype=bool)"},
)
mistake(
    "additive",
    "This is a mask to be added to the scores, with entries 0 and -inf. Return True (may attend) "
    "and False.",
    {"np.tril": "np.log(np.tril", "=bool))": "=bool)) + 0.0)"},
)
mistake("sees-only-future", "", {"np.tril": "np.triu"})
mistake("one-key-too-few", "", {"dtype=bool))": "dtype=bool), k=-1)"})
mistake("one-key-too-many", "", {"dtype=bool))": "dtype=bool), k=1)"})

ALSO_RIGHT = {
    "positions compared": """
        def causal_mask(num_tokens):
            i = np.arange(num_tokens)
            return i[:, None] >= i
    """,
    "row by row": """
        def causal_mask(num_tokens):
            return [[key <= query for key in range(num_tokens)] for query in range(num_tokens)]
    """,
}

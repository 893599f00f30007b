"""While it is trained, the model predicts every word of a text at once. Word $i$ must then be
predicted from the words up to $i - 1$ alone, so no token may attend to a later one.

Write `causal_mask(num_tokens)`: an array of truth values of shape `(num_tokens, num_tokens)`. Entry
`[i, j]` is True where token `i` may attend to token `j`: to itself and to earlier tokens.
"""

import numpy as np

from attnlab.gpt import causal_mask as library_mask
from coursekit import as_array, check, exercise, expect, expect_close, expect_shape

exercise(
    title="Step 2: causal mask",
    version=2,
    withhold=["attn.causal_mask", "attnlab.gpt.causal_mask"],
    stand_in="attnlab.gpt",
    hints=[
        "Which entries are True in row 0, which in row 1?",
        "A triangle: NumPy has `np.tril`, and comparing a column of positions with a row of them "
        "also gives one.",
        "`np.tril(np.ones((num_tokens, num_tokens), dtype=bool))`, or `i[:, None] >= i[None, :]` "
        "with `i = np.arange(num_tokens)`.",
    ],
)


def causal_mask(num_tokens):
    """Return True where token i may attend to token j, (num_tokens, num_tokens)."""
    # BEGIN SOLUTION
    return np.tril(np.ones((num_tokens, num_tokens), dtype=bool))
    # END SOLUTION


MISTAKES = r"""
not-boolean: `, dtype=bool` → ``
    The mask has the right entries as numbers. Here a mask has the truth values True and False:
    `np.where(mask, scores, -np.inf)` reads it.
one-row: `dtype=bool))` → `dtype=bool))[-1]`
    This is one row of truth values. A mask has a row for each query and a column for each key: with
    `i = np.arange(n)`, compare `i` with `i[:, None]`.
added-mask: `np.tril(np.ones((num_tokens, num_tokens), dtype=bool))` →
  `np.triu(np.full((num_tokens, num_tokens), -np.inf), k=1)`
    This is a mask to be added to scores, with 0 and -inf. Return the truth values True (may attend)
    and False.
sees-only-future: `np.tril` → `np.triu`
mask-inverted: (also one-key-too-few) `np.tril` → `~np.tril`
one-key-too-few: (also mask-inverted) `dtype=bool))` → `dtype=bool), k=-1)`
one-key-too-many: `dtype=bool))` → `dtype=bool), k=1)`
no-mask: `np.tril(` → `(`
"""


def _expect_mask(actual, num_tokens):
    expected = library_mask(num_tokens)
    what = f"causal_mask({num_tokens})"
    array = as_array(actual, what)
    if num_tokens > 1:
        expect_shape(array, expected.shape, what=what)
    if array.dtype != bool and array.shape == expected.shape:
        message = f"{what} has entries of type {array.dtype}; expected truth values."
        added = np.where(expected, 0.0, -np.inf)
        expect(not np.array_equal(array, added), message, "added-mask")
        expect(not np.array_equal(array, expected), message, "not-boolean")
        expect(np.isin(array, [0, 1]).all(), message)
        array = array.astype(bool)
    expect_close(array, expected, what=what)


@check(points=1)
def five_tokens(causal_mask):
    """Five tokens"""
    _expect_mask(causal_mask(5), 5)


@check(points=1)
def one_token(causal_mask):
    """A single token attends to itself, and so does the first of two, to nothing else"""
    for num_tokens in (2, 1):
        _expect_mask(causal_mask(num_tokens), num_tokens)


@check(points=1, hidden=True)
def other_lengths(causal_mask, rng):
    """Other lengths"""
    for num_tokens in (2, 3, *rng.integers(7, 20, size=2).tolist()):
        _expect_mask(causal_mask(num_tokens), num_tokens)


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

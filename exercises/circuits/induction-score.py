"""A head that finds what followed the current token the last time is called an *induction head*.
To find such heads among many, you need one number for each head.

Write `induction_score(weights, tokens)`. A query whose token has occurred before puts some of its
weight on the keys that stand *directly behind* those earlier occurrences: the sum of these weights
is its share. The score is the mean share of all queries whose token has occurred before; the other
queries do not count. In `K Q D K Q`, the second `K` (place 3) has the key at place 1, where `Q`
stands behind the first `K`.

`weights` has shape `(..., num_tokens, num_tokens)`, with queries as rows and no weight above the
diagonal; `tokens` has shape `(num_tokens,)`, and at least one token occurs twice. A token may occur
three times or more, and may follow itself directly: then the query's own place is one of its keys.
The result has the leading axes of `weights`, such as layers and heads. `weights` and `tokens` must
not be changed.
"""

import numpy as np

from coursekit import (
    call_keeping_inputs,
    check,
    exercise,
    expect_close,
    expect_shape,
)

exercise(
    title="Find the induction heads",
    practice=True,
    hints=[
        "Write the tokens `K Q D K Q` on the sides of a 5 × 5 grid. Which cells count, and in "
        "which rows?",
        "Key j counts for query i if `tokens[j - 1] == tokens[i]`, and j is at least 1 and at most "
        "i. Compare a column of tokens with a row of tokens that is moved by one place.",
        "With a mask `follows` of these cells, `(weights * follows).sum(axis=-1)` gives each "
        "query's share, and `follows.any(axis=-1)` says which queries count.",
    ],
)


def induction_score(weights, tokens):
    """Return the mean weight on what followed earlier occurrences, shape (...).

    weights: (..., num_tokens, num_tokens), causal
    tokens: (num_tokens,), integers
    """
    # BEGIN SOLUTION
    tokens = np.asarray(tokens)
    follows = np.zeros((len(tokens), len(tokens)), dtype=bool)
    follows[:, 1:] = tokens[:, None] == tokens[:-1]
    follows &= np.tri(len(tokens), dtype=bool)
    share = (weights * follows).sum(axis=-1)
    return share[..., follows.any(axis=-1)].mean(axis=-1)
    # END SOLUTION


MISTAKES = r"""
same-token: `[:, 1:] = tokens[:, None] == tokens[:-1]` → `[:] = tokens[:, None] == tokens`,
  `np.tri(len(tokens),` → `np.tri(len(tokens), k=-1,`
    This is the weight on the earlier occurrences themselves. The token to copy stands one place
    after each of them.
token-before: `[:, 1:] = tokens[:, None] == tokens[:-1]` →
  `[:, :-1] = tokens[:, None] == tokens[1:]`, `np.tri(len(tokens),` → `np.tri(len(tokens), k=-2,`,
  `follows.any(axis=-1)` → `[token in tokens[:i] for i, token in enumerate(tokens)]`
    These keys stand in front of the earlier occurrences. What followed them stands one place after.
all-queries: `[..., follows.any(axis=-1)]` → ``
    The mean is taken over all queries. Those whose token has not occurred before have nothing to
    find, and do not count.
last-only: `share =` → `follows &= follows[:, ::-1].cumsum(axis=1)[:, ::-1] == 1; share =`
    Only the latest earlier occurrence was looked at. The weights behind all earlier ones are added
    up.
first-only: `share =` → `follows &= follows.cumsum(axis=1) == 1; share =`
    Only the first occurrence was looked at. The weights behind all earlier ones are added up.
mean-of-cells: `share[..., follows.any(axis=-1)]` → `weights[..., follows]`
    This is the mean of single weights. First add up the weights of each query; then take the mean
    over queries.
sum: `].mean(` → `].sum(`
    This is the sum of the shares, which grows with the text. The task asks for their mean.
two-behind: `[:, 1:] = tokens[:, None] == tokens[:-1]` → `[:, 2:] = tokens[:, None] == tokens[:-2]`
    The keys stand two places behind the earlier occurrences. The token to copy is one place behind.
mean-of-each-query: `follows).sum(axis=-1)` →
  `follows).sum(axis=-1) / np.maximum(follows.sum(axis=-1), 1)`
    Each query's weights were averaged. Where a token has occurred more than once before, they are
    added up; the mean is taken over the queries.
previous-in-repeats: `weights * follows` → `weights * np.eye(len(tokens), k=-1)`
    This is the weight on the token right before the query. The task asks for the tokens that follow
    earlier occurrences.
previous-token: `share[..., follows.any(axis=-1)]` → `np.diagonal(weights, -1, axis1=-2, axis2=-1)`
    This is the mean weight on the token before, the score of another kind of head.
queries-and-keys: `weights * follows` → `np.swapaxes(weights, -1, -2) * follows`
    Queries and keys are swapped: rows of `weights` are queries.
all-heads-together: `].mean(axis=-1)` → `].mean()`
    All heads were averaged into one number. Each head needs its own: the leading axes stay.
largest: `follows).sum` → `follows).max`
    This is the mean of each query's largest such weight. Where a token has occurred more than once
    before, the weights are added up.
own-place-left-out: `np.tri(len(tokens),` → `np.tri(len(tokens), k=-1,`
    Where a token follows itself directly, the key behind the earlier occurrence is the query's own
    place. It counts as well.
"""


def _right(weights, tokens):
    """Go through the earlier occurrences of each token, one by one."""
    shares = []
    for i, token in enumerate(tokens):
        behind = [j + 1 for j in range(i) if tokens[j] == token]
        if behind:
            shares.append(weights[..., i, behind].sum(axis=-1))
    return np.mean(shares, axis=0)


def _drawn(rng, *shape):
    exponentials = np.tril(np.exp(rng.normal(size=shape)))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def _expect(seen, weights, tokens):
    what = "induction_score(weights, tokens)"
    expect_shape(seen, weights.shape[:-2], what=what)
    expect_close(seen, _right(weights, tokens), what=what)


@check(points=1)
def five_tokens(induction_score):
    """K Q D K Q, by hand"""
    weights = np.array(
        [
            [1.0, 0.0, 0.0, 0.0, 0.0],
            [0.6, 0.4, 0.0, 0.0, 0.0],
            [0.1, 0.2, 0.7, 0.0, 0.0],
            [0.05, 0.8, 0.1, 0.05, 0.0],
            [0.1, 0.15, 0.5, 0.2, 0.05],
        ]
    )
    tokens = np.array([10, 16, 3, 10, 16])
    seen = call_keeping_inputs(induction_score, weights, tokens)
    expect_shape(seen, (), what="induction_score(weights, tokens)")
    # The second K gives Q 0.8, and the second Q gives D 0.5.
    expect_close(seen, 0.65, what="induction_score(weights, tokens)")


@check(points=2)
def many_heads(induction_score):
    """2 layers of 3 heads; a token that occurs four times"""
    weights = _drawn(np.random.default_rng(0), 2, 3, 11, 11)
    tokens = np.array([4, 7, 1, 4, 2, 7, 7, 4, 9, 2, 7])
    _expect(call_keeping_inputs(induction_score, weights, tokens), weights, tokens)


@check(points=1, hidden=True)
def any_text(induction_score, rng):
    """Other texts, some with a token twice in a row"""
    for size, words in ((7, 3), (13, 5), (5, 1)):
        tokens = rng.integers(words, size=size)
        tokens[-1] = tokens[0]  # at least one occurs twice
        weights = _drawn(rng, 5, size, size)
        _expect(induction_score(weights.copy(), tokens.copy()), weights, tokens)


ALSO_RIGHT = {
    "loops": """
        def induction_score(weights, tokens):
            shares = []
            for i in range(len(tokens)):
                keys = [j + 1 for j in range(i) if tokens[j] == tokens[i]]
                if keys:
                    shares.append(weights[..., i, keys].sum(axis=-1))
            return np.mean(shares, axis=0)
    """,
    "a comparison moved by one": """
        def induction_score(weights, tokens):
            tokens = np.asarray(tokens)
            place = np.arange(len(tokens))
            earlier = (tokens[:, None] == tokens[None, :]) & (place < place[:, None])
            behind = np.pad(earlier, ((0, 0), (1, 0)))[:, :-1]
            rows = earlier.any(axis=-1)
            return np.einsum("...ij,ij->...i", weights, behind)[..., rows].mean(-1)
    """,
}

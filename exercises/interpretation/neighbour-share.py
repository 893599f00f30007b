"""Some heads look next door: each token attends to the one before it, or to the one after. To find
them among many, you need one number for each head.

Write `neighbour_share(weights, steps)`: the mean weight that a query gives the key `steps`
places after it, so that `steps=-1` is the token before. Queries that have no such key do not
count; a key that has weight 0 does. `weights` has shape `(..., num_tokens, num_tokens)`, with
queries as rows, and the result has the leading axes, such as layers and heads. `weights` must not
be changed. Hidden checks use other lengths, `steps=0`, and keys as far away as the text allows. At
least one query always has such a key.
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
    title="Find the heads that look next door",
    practice=True,
    hints=[
        "Rows are queries. In which cells of a 4 × 4 matrix does every token look at the one "
        "before it, and how many such cells are there?",
        "These cells form a diagonal below the main one. `np.diagonal` takes an `offset` and the "
        "two axes that make the matrix.",
        "`np.diagonal(weights, offset=steps, axis1=-2, axis2=-1)` has the diagonal on its last "
        "axis. What is left is to take its mean.",
    ],
)


def neighbour_share(weights, steps):
    """Return the mean weight of the key ``steps`` places on, shape (...).

    weights: (..., num_tokens, num_tokens)
    steps: int, from 1 - num_tokens to num_tokens - 1
    """
    # BEGIN SOLUTION
    return np.diagonal(weights, offset=steps, axis1=-2, axis2=-1).mean(axis=-1)
    # END SOLUTION


MISTAKES = r"""
other-direction: `offset=steps` → `offset=-steps` or `offset=abs(steps)`
    This looks the other way: rows are queries, so the token after query i stands in column i + 1,
    above the diagonal.
divides-by-tokens: `.mean(axis=-1)` → `.sum(axis=-1) / weights.shape[-1]`
    The sum was divided by the number of tokens. The first token has none before it, so there are
    fewer pairs than tokens.
one-query-less: `.mean(axis=-1)` → `.sum(axis=-1) / (weights.shape[-1] - 1)`
    The sum was divided by the number of tokens less one. That is how many queries have a neighbour;
    for keys farther away there are fewer queries.
both-sides: `return ` → `return np.diagonal(weights, -steps, axis1=-2, axis2=-1).mean(axis=-1) + `
    The shares of both directions were added up. The sign of `steps` says which one counts.
wraps-around: `weights, offset=steps` → `np.roll(weights, -steps, axis=-1)`
    The last token was paired with the first, as if the sentence were a ring.
key-column: `np.diagonal(weights, offset=steps, axis1=-2, axis2=-1)` → `weights[..., :, steps]`
    This is the mean weight of one key over all queries. The key differs from query to query: it is
    the one `steps` places after the query.
query-row: `np.diagonal(weights, offset=steps, axis1=-2, axis2=-1)` → `weights[..., steps, :]`
    This is the mean of one query's row. The task asks for one weight of each query.
window: `diagonal(weights,` →
  `diagonal(sum(np.roll(weights, s * np.sign(steps), -1) for s in range(abs(steps) + 1)),`
    The weights of all keys up to `steps` places away were added. Only the key exactly `steps`
    places away counts.
zeros-left-out: `.mean(axis=-1)` →
  `.sum(axis=-1) / np.maximum((np.diagonal(weights, steps, -2, -1) > 0).sum(axis=-1), 1)`
    Weights of 0 were left out of the mean. Such a query does have the key, so it counts.
one-too-far: `offset=steps` → `offset=steps + (1 if steps >= 0 else -1)`
    These keys are one place farther away than `steps`.
one-too-near: (also main-diagonal) `offset=steps` → `offset=steps - (1 if steps > 0 else -1)`
    These keys are one place nearer than `steps`.
largest: `.mean(axis=-1)` → `.max(axis=-1)`
    This is the largest of the weights. The task asks for their mean.
main-diagonal: `offset=steps, ` → ``
    This is the share that tokens give themselves: `steps` is not used.
all-heads-together: `.mean(axis=-1)` → `.mean()`
    All heads were averaged into one number. Each head needs its own: the leading axes stay.
sum: `.mean(axis=-1)` → `.sum(axis=-1)`
    This is the sum along the diagonal, which grows with the sentence. The task asks for a mean.
wrong-axes: `, axis1=-2, axis2=-1` → ``
    The diagonal was taken over the first two axes, which are layers and heads. Queries and keys are
    the last two.
"""


def _diagonal(weights, steps):
    return np.diagonal(weights, offset=steps, axis1=-2, axis2=-1)


def _drawn(seed, *shape):
    exponentials = np.exp(np.random.default_rng(seed).normal(size=shape))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@check(points=1)
def four_tokens(neighbour_share):
    """Four tokens, by hand"""
    weights = np.array(
        [[0.3, 0.4, 0.2, 0.1], [0.7, 0.25, 0, 0.05], [0.1, 0.44, 0.26, 0.2], [0, 0, 0.96, 0.04]]
    )
    for steps, expected in ((-1, 0.7), (1, 0.2)):
        expect_close(
            call_keeping_inputs(neighbour_share, weights, steps),
            expected,
            what=f"neighbour_share(weights, {steps})",
        )


@check(points=2)
def many_heads(neighbour_share):
    """2 layers of 3 heads, 7 tokens"""
    weights = _drawn(0, 2, 3, 7, 7)
    seen = call_keeping_inputs(neighbour_share, weights, 2)
    expect_shape(seen, (2, 3), what="neighbour_share(weights, 2)")
    expect_close(seen, _diagonal(weights, 2).mean(axis=-1), what="neighbour_share(weights, 2)")


@check(points=1, hidden=True)
def far_neighbours(neighbour_share, rng):
    """Five before, in 11 tokens; and the token itself"""
    weights = _drawn(int(rng.integers(1000)), 5, 11, 11)
    for steps in (-5, 0, 10):
        seen = neighbour_share(weights.copy(), steps)
        what = f"neighbour_share(weights, {steps})"
        expect_shape(seen, (5,), what=what)
        expect_close(
            seen, _diagonal(weights, steps).mean(axis=-1), what=f"neighbour_share(weights, {steps})"
        )


ALSO_RIGHT = {
    "a loop": """
        def neighbour_share(weights, steps):
            tokens = weights.shape[-1]
            found = [weights[..., i, i + steps] for i in range(tokens) if 0 <= i + steps < tokens]
            return sum(found) / len(found)
    """,
    "a mask": """
        def neighbour_share(weights, steps):
            place = np.arange(weights.shape[-1])
            there = place[None, :] - place[:, None] == steps
            return (weights * there).sum(axis=(-2, -1)) / there.sum()
    """,
    "trace": """
        def neighbour_share(weights, steps):
            pairs = weights.shape[-1] - abs(steps)
            return np.trace(weights, offset=steps, axis1=-2, axis2=-1) / pairs
    """,
}

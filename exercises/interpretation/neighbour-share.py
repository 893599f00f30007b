"""Some heads look next door: each token at the one before it, or at the one after. To find them
among many, you need one number for each head.

Write `neighbour_share(weights, steps)`: the mean weight that a query gives the key `steps`
places after it, so that `steps=-1` is the token before. Queries that have no such key do not
count. The function must work for any number of leading axes, such as layers and heads, at once.
"""

import numpy as np

from coursekit import check, exercise, expect_close, expect_shape, wrong

exercise(
    id="neighbour-share",
    chapter="interpretation",
    title="Find the heads that look next door",
    practice=True,
    hints=[
        "Rows are queries. In which cells of a 4 × 4 matrix does every token look at the one "
        "before "
        "it, and how many such cells are there?",
        "These cells form a diagonal below the main one. `np.diagonal` takes an `offset` and the "
        "two axes that make the matrix.",
        "`np.diagonal(weights, offset=steps, axis1=-2, axis2=-1)` has the diagonal on its last "
        "axis. What is left is to take its mean.",
    ],
    misconceptions={
        "other-direction": "This looks the other way: rows are queries, so the token after query i "
        "stands in column i + 1, above the diagonal.",
        "divides-by-tokens": "The sum was divided by the number of tokens. The first token has "
        "none "
        "before it, so there are fewer pairs than tokens.",
        "wraps-around": "The last token was paired with the first, as if the sentence were a ring.",
        "main-diagonal": "That is the share that tokens give themselves: steps does nothing.",
        "all-heads-together": "All heads were averaged into one number. Each head needs its own: "
        "the "
        "leading axes stay.",
        "sum": "This is the sum along the diagonal, which grows with the sentence. What is asked "
        "for is a mean.",
        "wrong-axes": "The diagonal was taken over the first two axes, which are layers and heads. "
        "Queries and keys are the last two.",
    },
)


def neighbour_share(weights, steps):
    """Return the mean weight of the key ``steps`` places on, shape (...).

    weights: (..., num_tokens, num_tokens)
    steps: int, at least 1 - num_tokens
    """
    # BEGIN SOLUTION
    return np.diagonal(weights, offset=steps, axis1=-2, axis2=-1).mean(axis=-1)
    # END SOLUTION


def _diagonal(weights, steps):
    return np.diagonal(weights, offset=steps, axis1=-2, axis2=-1)


def _mistakes(weights, steps):
    """What the known mistakes compute."""
    tokens = weights.shape[-1]
    ring = np.mean([weights[..., i, (i + steps) % tokens] for i in range(tokens)], axis=0)
    return {
        "other-direction": _diagonal(weights, -steps).mean(axis=-1),
        "divides-by-tokens": _diagonal(weights, steps).sum(axis=-1) / tokens,
        "wraps-around": ring,
        "main-diagonal": _diagonal(weights, 0).mean(axis=-1),
        "sum": _diagonal(weights, steps).sum(axis=-1),
    }


def _drawn(seed, *shape):
    exponentials = np.exp(np.random.default_rng(seed).normal(size=shape))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@check(points=1)
def four_tokens(neighbour_share):
    """Four tokens, by hand"""
    weights = np.array(
        [[0.4, 0.3, 0.2, 0.1], [0.7, 0.1, 0.1, 0.1], [0.1, 0.5, 0.2, 0.2], [0.0, 0.1, 0.9, 0.0]]
    )
    for steps, expected in ((-1, 0.7), (1, 0.2)):
        expect_close(
            neighbour_share(weights.copy(), steps),
            expected,
            what=f"neighbour_share(weights, {steps})",
            mistakes=_mistakes(weights, steps),
        )


@check(points=2)
def many_heads(neighbour_share):
    """2 layers of 3 heads, 7 tokens"""
    weights = _drawn(0, 2, 3, 7, 7)
    seen = neighbour_share(weights.copy(), 2)
    expect_shape(
        seen,
        (2, 3),
        what="neighbour_share(weights, 2)",
        mistakes={"all-heads-together": (), "wrong-axes": (7, 7)},
    )
    expect_close(
        seen,
        _diagonal(weights, 2).mean(axis=-1),
        what="neighbour_share(weights, 2)",
        mistakes=_mistakes(weights, 2),
    )


@check(points=1, hidden=True)
def far_neighbours(neighbour_share, rng):
    """Five before, in 11 tokens; and the token itself"""
    weights = _drawn(int(rng.integers(1000)), 5, 11, 11)
    for steps in (-5, 0, 10):
        expect_close(
            neighbour_share(weights.copy(), steps),
            _diagonal(weights, steps).mean(axis=-1),
            what=f"neighbour_share(weights, {steps})",
            mistakes=_mistakes(weights, steps),
        )


_BOTH = ["four_tokens", "many_heads"]
WRONG = {
    "the other way": wrong(
        replace={"offset=steps": "offset=-steps"},
        rejected_by=_BOTH,
        misconception="other-direction",
    ),
    "divided by the tokens": wrong(
        replace={".mean(axis=-1)": ".sum(axis=-1) / weights.shape[-1]"},
        rejected_by=_BOTH,
        misconception="divides-by-tokens",
    ),
    "without the sign": wrong(
        replace={"offset=steps": "offset=abs(steps)"},
        rejected_by=["four_tokens"],
        misconception="other-direction",
    ),
    "as a ring": wrong(
        """
        def neighbour_share(weights, steps):
            tokens = weights.shape[-1]
            query = np.arange(tokens)
            return weights[..., query, (query + steps) % tokens].mean(axis=-1)
        """,
        rejected_by=_BOTH,
        misconception="wraps-around",
    ),
    "the main diagonal": wrong(
        replace={"offset=steps, ": ""},
        rejected_by=_BOTH,
        misconception="main-diagonal",
    ),
    "one number for all heads": wrong(
        replace={".mean(axis=-1)": ".mean()"},
        rejected_by=["many_heads"],
        misconception="all-heads-together",
    ),
    "the sum": wrong(
        replace={".mean(axis=-1)": ".sum(axis=-1)"},
        rejected_by=_BOTH,
        misconception="sum",
    ),
    "the first two axes": wrong(
        replace={", axis1=-2, axis2=-1": ""},
        rejected_by=["many_heads"],
        misconception="wrong-axes",
    ),
}

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

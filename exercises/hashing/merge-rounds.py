"""Each round of hashing gives a token an output: a mean of the values it met, weighted by
$e^{s_{ij}}$. It also gives the **logsumexp** of the scores, $\\log \\sum_j e^{s_{ij}}$: the
logarithm of what the weights were divided by.

Write `merge_rounds`, which makes one output of all rounds. It should be what a single softmax over
everything that was met, in all rounds together, would have given.
"""

import numpy as np

from attn import softmax
from coursekit import check, exercise, expect, expect_close, expect_shape, wrong

exercise(
    id="merge-rounds",
    chapter="hashing",
    title="Merge the rounds",
    practice=True,
    hints=[
        "In one round a token met a single key with a high score, in another ten keys with low "
        "ones. Should both rounds count the same?",
        "Round $r$ has divided by $S_r = \\sum_j e^{s_{ij}}$. Undo that: $S_r \\cdot o_r$ is the "
        "sum before the division. Add up these sums, and divide once.",
        "So round $r$ gets the weight $S_r / \\sum_t S_t$, and $S_r$ is the exponential of its "
        "logsumexp: a softmax over the rounds.",
    ],
    misconceptions={
        "averaged": "You took the plain mean of the rounds. A round in which a token met nothing "
        "that matters then counts as much as one in which it met its best key.",
        "no-exponential": "The logsumexps themselves were used as weights. They are logarithms: "
        "what they stand for is their exponential.",
        "best-round": "Only the round with the largest logsumexp was kept. The others have met "
        "other keys, which count as well.",
        "wrong-axis": "The weights sum to 1 over the tokens. They should do so over the rounds: "
        "each token has its own.",
        "not-normalised": "The rounds were added up with their weights, but not divided by the sum "
        "of these.",
        "overflow": "The exponential of a large logsumexp is infinite. Take the largest off first; "
        "the shares stay the same.",
        "empty-round": "A round in which a token met nobody has a logsumexp of minus infinity. It "
        "should count for nothing, and leave no NaN behind.",
    },
)


def merge_rounds(outputs, logsumexps):
    """Return one output for each token, shape (tokens, d_v).

    outputs: (num_hashes, tokens, d_v)
    logsumexps: (num_hashes, tokens)
    """
    # BEGIN SOLUTION
    largest = logsumexps.max(axis=0)  # (tokens,)
    weights = np.exp(logsumexps - largest)  # (num_hashes, tokens)
    weights = weights / weights.sum(axis=0)
    return (weights[..., None] * outputs).sum(axis=0)
    # END SOLUTION


def _rounds(rng, num_hashes, tokens, d_v, spread=1.0):
    """Rounds that met different keys, and the output of one softmax over all of them."""
    scores = spread * rng.normal(size=(num_hashes, tokens, 6))
    values = rng.normal(size=(num_hashes, tokens, 6, d_v))
    outputs = np.einsum("rtk,rtkd->rtd", softmax(scores), values)
    logsumexps = np.logaddexp.reduce(scores, axis=-1)
    together = softmax(scores.transpose(1, 0, 2).reshape(tokens, -1))
    pooled = values.transpose(1, 0, 2, 3).reshape(tokens, -1, d_v)
    return outputs, logsumexps, np.einsum("tk,tkd->td", together, pooled)


def _mistakes(outputs, logsumexps):
    best = logsumexps.argmax(axis=0)
    plain = np.exp(np.minimum(logsumexps, 700))
    return {
        "averaged": outputs.mean(axis=0),
        "no-exponential": (logsumexps[..., None] * outputs).sum(0) / logsumexps.sum(0)[:, None],
        "best-round": outputs[best, np.arange(outputs.shape[1])],
        "wrong-axis": (softmax(logsumexps, axis=1)[..., None] * outputs).sum(axis=0),
        "not-normalised": (plain[..., None] * outputs).sum(axis=0),
    }


@check(points=1)
def two_rounds_by_hand(merge_rounds):
    """One token, two rounds: sums of 3 and 1, outputs of 2 and 6"""
    outputs, logsumexps = np.array([[[2.0]], [[6.0]]]), np.log([[3.0], [1.0]])
    what = "merge_rounds of 2 (sum 3) and 6 (sum 1)"
    with np.errstate(all="ignore"):
        mistakes = _mistakes(outputs, logsumexps)
    seen = merge_rounds(outputs.copy(), logsumexps.copy())
    expect_close(seen, [[3.0]], what=what, mistakes=mistakes)


@check(points=2)
def as_one_softmax(merge_rounds):
    """Five rounds of seven tokens: as one softmax over all that was met"""
    outputs, logsumexps, right = _rounds(np.random.default_rng(0), 5, 7, 3, spread=2.0)
    seen = merge_rounds(outputs.copy(), logsumexps.copy())
    mistakes = _mistakes(outputs, logsumexps)
    expect_close(seen, right, what="merge_rounds(outputs, logsumexps)", mistakes=mistakes)


@check(points=1)
def large_scores(merge_rounds):
    """Logsumexps near 1000"""
    outputs, logsumexps, right = _rounds(np.random.default_rng(1), 3, 5, 2)
    with np.errstate(all="ignore"):
        seen = merge_rounds(outputs.copy(), logsumexps + 1000)
    expect_close(seen, right, what="merge_rounds with logsumexps near 1000")


@check(points=1)
def a_round_that_met_nobody(merge_rounds):
    """A round with a logsumexp of minus infinity counts for nothing"""
    outputs, logsumexps, _ = _rounds(np.random.default_rng(2), 3, 5, 2)
    outputs[1, 2], logsumexps[1, 2] = 0.0, -np.inf
    with np.errstate(all="ignore"):
        given = merge_rounds(outputs.copy(), logsumexps.copy())
        seen = expect_shape(given, (5, 2), what="merge_rounds(outputs, logsumexps)")
        two = np.delete(outputs, 1, axis=0)[:, 2:3], np.delete(logsumexps, 1, axis=0)[:, 2:3]
        alone = expect_shape(merge_rounds(*two), (1, 2), what="merge_rounds of one token")
    expect(np.isfinite(seen).all(), "The result contains NaN.", "empty-round")
    what = "The token that met nobody in one of three rounds"
    expect_close(seen[2:3], alone, what=what)


@check(points=1, hidden=True)
def other_sizes(merge_rounds, rng):
    """Other numbers of rounds and tokens"""
    for num_hashes, tokens, d_v in ((1, 4, 3), (2, 1, 5), (7, 11, 2)):
        outputs, logsumexps, right = _rounds(rng, num_hashes, tokens, d_v, spread=3.0)
        what = f"merge_rounds of {num_hashes} rounds of {tokens} tokens"
        expect_close(merge_rounds(outputs, logsumexps), right, what=what)


WRONG = {
    "the plain mean": wrong(
        """
        def merge_rounds(outputs, logsumexps):
            return outputs.mean(axis=0)
        """,
        rejected_by=["two_rounds_by_hand", "as_one_softmax"],
        misconception="averaged",
    ),
    "logarithms as weights": wrong(
        """
        def merge_rounds(outputs, logsumexps):
            weights = logsumexps / logsumexps.sum(axis=0)
            return (weights[..., None] * outputs).sum(axis=0)
        """,
        rejected_by=["two_rounds_by_hand", "as_one_softmax"],
        misconception="no-exponential",
    ),
    "the best round": wrong(
        """
        def merge_rounds(outputs, logsumexps):
            return outputs[logsumexps.argmax(axis=0), np.arange(outputs.shape[1])]
        """,
        rejected_by=["two_rounds_by_hand", "as_one_softmax"],
        misconception="best-round",
    ),
    "over the tokens": wrong(
        replace={
            "logsumexps.max(axis=0)": "logsumexps.max(axis=1, keepdims=True)",
            "weights.sum(axis=0)\n": "weights.sum(axis=1, keepdims=True)\n",
        },
        rejected_by=["two_rounds_by_hand", "as_one_softmax"],
        misconception="wrong-axis",
    ),
    "no division": wrong(
        replace={
            "np.exp(logsumexps - largest)": "np.exp(logsumexps)",
            "weights = weights / weights.sum(axis=0)": "pass",
        },
        rejected_by=["two_rounds_by_hand", "as_one_softmax"],
        misconception="not-normalised",
    ),
    "exponentials as they are": wrong(
        replace={"np.exp(logsumexps - largest)": "np.exp(logsumexps)"},
        rejected_by=["large_scores"],
        misconception="overflow",
    ),
    "the smallest taken off": wrong(
        replace={"logsumexps.max(axis=0)": "logsumexps.min(axis=0)"},
        rejected_by=["a_round_that_met_nobody"],
        misconception="empty-round",
    ),
}

ALSO_RIGHT = {
    "in logarithms": """
        def merge_rounds(outputs, logsumexps):
            total = np.logaddexp.reduce(logsumexps, axis=0)
            return np.einsum("rt,rtd->td", np.exp(logsumexps - total), outputs)
    """,
    "two at a time": """
        def merge_rounds(outputs, logsumexps):
            merged, so_far = outputs[0], logsumexps[0]
            for output, logsumexp in zip(outputs[1:], logsumexps[1:]):
                total = np.logaddexp(so_far, logsumexp)
                merged = (
                    np.exp(so_far - total)[:, None] * merged
                    + np.exp(logsumexp - total)[:, None] * output
                )
                so_far = total
            return merged
    """,
}

"""Each round of hashing gives a token an output: a mean of the values of the keys that it met,
weighted by $e^{s_{ij}}$. It also gives the **logsumexp** of their scores,
$\\log \\sum_j e^{s_{ij}}$: the logarithm of the sum by which the weights were divided.

Write `merge_rounds`, which makes one output from all rounds: the one that a single softmax over all
the keys met, in all rounds together, would have given. Logsumexps may be far from 0, from
−1000 to 1000, and differ from token to token. In a round where a token met no key its logsumexp is
$-\\infty$ and its output 0; each token met a key in some round. Do not change the arguments.
"""

import numpy as np

from attn import softmax
from coursekit import (
    CheckFailed,
    call_keeping_inputs,
    check,
    exercise,
    expect_close,
    expect_shape,
)

exercise(
    title="Merge the rounds",
    practice=True,
    hints=[
        "In one round a token met a single key with a high score, in another ten keys with low "
        "ones. Should both rounds count the same?",
        "Round $r$ divided by $S_r = \\sum_j e^{s_{ij}}$. Undo that: $S_r \\cdot o_r$ is the sum "
        "before the division. Add these sums over the rounds, and divide once.",
        "So round $r$ gets the weight $S_r / \\sum_t S_t$, and $S_r$ is the exponential of its "
        "logsumexp: a softmax over the rounds. Subtract each token's largest logsumexp first.",
    ],
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


MISTAKES = r"""
averaged: `(weights[..., None] * outputs).sum` → `outputs.mean`
    This is the plain mean of the rounds. A round in which a token met nothing that matters then
    counts as much as the one in which it met its best key.
summed: `(weights[..., None] * outputs)` → `outputs`
    The outputs of the rounds were added. Weight each by its share of all exponentials.
no-exponential: (also empty-round) `np.exp(logsumexps - largest)` → `logsumexps`
    The logsumexps themselves were used as weights. They are logarithms: take their exponentials.
best-round: `(weights[..., None] * outputs).sum(axis=0)` →
  `outputs[weights.argmax(axis=0), np.arange(outputs.shape[1])]`
    This is the output of the round with the largest logsumexp. In the other rounds the token met
    other keys, which count as well.
inverted: (also empty-round) `logsumexps - largest` → `logsumexps.min(axis=0) - logsumexps`
    The rounds were weighted by 1 / S, so the round with the largest sum counts least. It should
    count most.
wrong-axis: `logsumexps.max(axis=0)` → `logsumexps.max(axis=1, keepdims=True)`,
  `weights.sum(axis=0)` → `weights.sum(axis=1, keepdims=True)`
    The weights sum to 1 over the tokens. They should sum to 1 over the rounds, for each token.
one-weight-per-round: `largest = ` →
  `logsumexps = np.logaddexp.reduce(logsumexps, axis=1)[:, None]; largest = `
    All tokens share the same weights of the rounds. Each token has its own logsumexps, and so its
    own weights.
one-sum-for-all: `.max(axis=0)` → `.max()`, `weights.sum(axis=0)` → `weights.sum()`
    The weights of all tokens and rounds together sum to 1. For each token, those of its rounds
    should sum to 1.
not-summed: `outputs).sum(axis=0)` → `outputs)`
    These are the weighted rounds. Add them: one output for each token.
shift-not-divided: ` / weights.sum(axis=0)` → ``
    Each weight is the exponential of logsumexp minus largest. Divide by the sum of these weights:
    the largest has weight 1 here.
softmax-twice: `(weights[..., None] * outputs).sum(axis=0)` →
  `(np.exp(weights)[..., None] * outputs).sum(axis=0) / np.exp(weights).sum(axis=0)[:, None]`
    A softmax was taken twice. The weights of the first sum to 1 already; the second makes them
    nearly alike.
empty-as-zero: `largest = ` →
  `logsumexps = np.where(np.isfinite(logsumexps), logsumexps, 0); largest = `
    A round where a token met no key was given the logsumexp 0, as if it had met one key with a
    score of 0. It is −∞: its weight is 0.
not-normalised: ` - largest` → ``, ` / weights.sum(axis=0)` → ``
    The rounds were added with their sums as weights. Divide by the total of these sums.
divided-by-rounds: `outputs).sum(axis=0)` → `outputs).mean(axis=0)`
    The weights sum to 1 already. Here the result was divided by the number of rounds as well: take
    the sum of the weighted rounds, not their mean.
overflow: ` - largest` → ``
    exp(1000) is infinite, and ∞ / ∞ is NaN. Subtract the token's largest logsumexp before the
    exponential; the weights stay the same.
underflow: `logsumexps.max(axis=0)` → `logsumexps.max()`
    Only the token with logsumexps near −1000 is NaN: all its exponentials are 0, and 0 / 0 is NaN.
    Subtract the largest logsumexp of *this token*, not one for all.
empty-round: `logsumexps.max(axis=0)` → `logsumexps.min(axis=0)`
    NaN stands where a token met no key in one round. That logsumexp is −∞: its exponential is 0, so
    the round should count for nothing.
"""


def _rounds(rng, num_hashes, tokens, d_v, spread=1.0, empty=None):
    """Return rounds that met different keys, and the output of one softmax over all of them."""
    scores = spread * rng.normal(size=(num_hashes, tokens, 6))
    if empty:
        scores[empty] = -np.inf
    values = rng.normal(size=(num_hashes, tokens, 6, d_v))
    outputs = np.einsum("rtk,rtkd->rtd", softmax(scores), values)
    logsumexps = np.logaddexp.reduce(scores, axis=-1)
    together = softmax(scores.transpose(1, 0, 2).reshape(tokens, -1))
    pooled = values.transpose(1, 0, 2, 3).reshape(tokens, -1, d_v)
    return outputs, logsumexps, np.einsum("tk,tkd->td", together, pooled)


def _expect_merged(merge_rounds, outputs, logsumexps, right, what):
    with np.errstate(all="ignore"):
        seen = call_keeping_inputs(merge_rounds, outputs, logsumexps)
    return expect_close(seen, right, what=what)


@check(points=1, success_message="(6 · 2 + 2 · 6) / (6 + 2) = 3: the larger sum counts more.")
def two_rounds_by_hand(merge_rounds):
    """One token, two rounds: sums of 6 and 2, outputs of 2 and 7"""
    outputs, logsumexps = np.array([[[2.0]], [[7.0]]]), np.log([[6.0], [2.0]])
    what = "merge_rounds of 2 (sum 6) and 7 (sum 2)"
    _expect_merged(merge_rounds, outputs, logsumexps, [[3.25]], what)


@check(points=2, success_message="Merged, the rounds are exactly one softmax over all keys met.")
def as_one_softmax(merge_rounds):
    """Five rounds of seven tokens: as one softmax over all that was met"""
    rounds = _rounds(np.random.default_rng(0), 5, 7, 3, spread=2.0)
    _expect_merged(merge_rounds, *rounds, "merge_rounds(outputs, logsumexps)")


@check(points=1, success_message="Subtracting a token's largest logsumexp keeps its weights.")
def large_scores(merge_rounds):
    """Logsumexps near 1000, and for token 4 near −1000"""
    outputs, logsumexps, right = _rounds(np.random.default_rng(1), 3, 5, 2)
    shift = np.array([1000.0, 1000, 1000, 1000, -1000])
    with np.errstate(all="ignore"):
        seen = call_keeping_inputs(merge_rounds, outputs, logsumexps + shift)
    what = "merge_rounds with logsumexps near 1000 and −1000"
    is_nan = np.isnan(expect_shape(seen, (5, 2), what=what)).any(axis=1)
    if is_nan.any():
        id = "overflow" if is_nan[:4].all() else "underflow" if not is_nan[:4].any() else None
        raise CheckFailed(f"{what} is NaN for the tokens {np.flatnonzero(is_nan).tolist()}.", id)
    expect_close(seen, right, what=what)


@check(points=1, success_message="exp(−∞) = 0, so the empty round has no weight.")
def a_round_that_met_nobody(merge_rounds):
    """In one of three rounds token 2 met no key"""
    rounds = _rounds(np.random.default_rng(2), 3, 5, 2, empty=(1, 2))
    with np.errstate(all="ignore"):
        seen = call_keeping_inputs(merge_rounds, *rounds[:2])
    is_nan = np.isnan(expect_shape(seen, (5, 2), what="merge_rounds(outputs, logsumexps)"))
    if is_nan[2].any() and not np.delete(is_nan, 2, axis=0).any():
        raise CheckFailed("The output of token 2 is NaN.", "empty-round")
    _expect_merged(merge_rounds, *rounds, "merge_rounds where token 2 met no key in round 1")


@check(points=1, hidden=True)
def other_sizes(merge_rounds, rng):
    """Other numbers of rounds and tokens"""
    for num_hashes, tokens, d_v in ((7, 11, 2), (2, 1, 5), (1, 4, 3)):
        rounds = _rounds(rng, num_hashes, tokens, d_v, spread=3.0)
        _expect_merged(merge_rounds, *rounds, f"merge_rounds of {num_hashes} rounds")


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

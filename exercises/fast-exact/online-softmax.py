"""Attention over keys that arrive in blocks: you see the scores and the values of one block, then
they are gone. For each query three things are kept between blocks:

- `largest`, the largest score so far, $m$; $-\\infty$ at the start;
- `total`, $\\sum_j e^{s_j - m}$ over the keys so far;
- `sums`, $\\sum_j e^{s_j - m} v_j$ over the keys so far.

Write `absorb`, which takes in one more block and returns the three anew. At the end `sums` divided
by `total` is the output. A hidden key has the score $-\\infty$, and a whole block may be hidden.
"""

import numpy as np

from coursekit import as_array, check, exercise, expect, expect_close, expect_shape, wrong

exercise(
    id="online-softmax",
    chapter="fast-exact",
    title="Softmax in one pass",
    hints=[
        "The old sums were made with the old maximum: each term is $e^{s - m}$. Which factor turns "
        "it into $e^{s - m'}$?",
        "The factor is $e^{m - m'}$, one for each query. It belongs to `total` *and* to `sums`, "
        "before the new block is added. And what is $-\\infty - (-\\infty)$, when all so far is "
        "hidden?",
        "`new = np.maximum(largest, scores.max(axis=1))`, then subtract "
        "`np.where(np.isfinite(new), new, 0.0)` in both exponentials: "
        "`np.exp(largest - shift)` and `np.exp(scores - shift[:, None])`.",
    ],
    misconceptions={
        "sums-not-rescaled": "The total was brought to the new maximum and the sums were not: the "
        "values of earlier blocks count as if their maximum were still the largest.",
        "total-not-rescaled": "The sums were brought to the new maximum and the total was not, so "
        "the weights no longer sum to 1.",
        "rescaled-backwards": "Earlier blocks were multiplied by e to the (new − old maximum). "
        "When the maximum grows, what came before must shrink.",
        "never-rescaled": "Earlier blocks were added up as they were, although their "
        "exponentials were made with another maximum.",
        "overflow": "An exponential overflowed: some score was not compared with the largest so "
        "far. The maximum of the block alone will not do when an earlier block had larger scores.",
        "nan": "There is a NaN. As long as everything is hidden the maximum is −inf, and −inf − "
        "(−inf) is not a number.",
        "mean-of-blocks": "Each block's output was computed by itself and then averaged. A block "
        "with higher scores must count more, and so must one with more keys.",
        "counts-keys": "The total counts keys. It should be the sum of their exponentials.",
        "last-block": "Only the last block counts. What came before has to be kept.",
    },
)


def absorb(largest, total, sums, scores, values):
    """Return largest, total and sums after one more block of keys.

    largest, total: (num_queries,)   sums: (num_queries, d_v)
    scores: (num_queries, block)     values: (block, d_v)
    """
    # BEGIN SOLUTION
    new = np.maximum(largest, scores.max(axis=1))
    shift = np.where(np.isfinite(new), new, 0.0)
    rescale = np.exp(largest - shift)  # (num_queries,)
    weights = np.exp(scores - shift[:, None])  # (num_queries, block)
    total = total * rescale + weights.sum(axis=1)
    sums = sums * rescale[:, None] + weights @ values
    return new, total, sums
    # END SOLUTION


def _plain(scores, values):
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True) @ values


def _stream(absorb, scores, values, cuts):
    """Return the output after blocks that end at the cuts."""
    num_queries, d_v = len(scores), values.shape[1]
    state = (np.full(num_queries, -np.inf), np.zeros(num_queries), np.zeros((num_queries, d_v)))
    with np.errstate(all="ignore"):
        for start, stop in zip([0, *cuts], [*cuts, len(values)], strict=True):
            # A reader without the earlier blocks cannot look back at them.
            given = scores[:, start:stop].copy(), values[start:stop].copy()
            state = absorb(*(np.array(part) for part in state), *given)
            expect(
                isinstance(state, tuple | list) and len(state) == 3,
                "absorb should return three things: largest, total, sums.",
                "returns-nothing" if state is None else None,
            )
            state = [as_array(part, "what absorb returned").astype(float) for part in state]
            expect_shape(state[1], (num_queries,), what="total")
            expect_shape(state[2], (num_queries, d_v), what="sums")
        return state[2] / state[1][:, None]


def _wrong_ways(scores, values, cuts):
    """Return what each mistake makes of the stream."""
    bounds = list(zip([0, *cuts], [*cuts, len(values)], strict=True))
    parts = [(scores[:, a:b], values[a:b]) for a, b in bounds]
    makes = {
        "sums-not-rescaled": lambda f: (f, 1.0),
        "total-not-rescaled": lambda f: (1.0, f),
        "rescaled-backwards": lambda f: (1 / f, 1 / f),
        "never-rescaled": lambda f: (1.0, 1.0),
    }
    found = {}
    for name, factors in makes.items():
        top, total, sums = np.full(len(scores), -np.inf), 0.0, np.zeros((len(scores), 1))
        for score, value in parts:
            new = np.maximum(top, score.max(axis=1))
            first = not np.isfinite(top).any()
            on_total, on_sums = (0.0, 0.0) if first else factors(np.exp(top - new))
            weights = np.exp(score - new[:, None])
            total = total * on_total + weights.sum(axis=1)
            sums = sums * np.reshape(on_sums, (-1, 1)) + weights @ value
            top = new
        found[name] = sums / total[:, None]
    found["mean-of-blocks"] = np.mean([_plain(*part) for part in parts], axis=0)
    found["last-block"] = _plain(*parts[-1])
    largest = scores.max(axis=1, keepdims=True)
    found["counts-keys"] = np.exp(scores - largest) @ values / len(values)
    return found


def _compare(absorb, scores, values, cuts, what, misconception=None):
    seen = _stream(absorb, scores, values, cuts)
    if np.isnan(seen).any():
        expect(False, f"{what}: the output holds NaN.", misconception or "overflow")
    expect_close(
        seen, _plain(scores, values), what=what, mistakes=_wrong_ways(scores, values, cuts)
    )


@check(points=2)
def five_keys_in_blocks_of_two(absorb):
    """Scores 1, 3, 2, 5, 4 in blocks of 2, 2 and 1"""
    scores = np.array([[1.0, 3.0, 2.0, 5.0, 4.0], [0.0, -1.0, 2.0, 1.0, 0.5]])
    values = np.array(
        [[1.0, 0.0, 2.0], [0.0, 1.0, 1.0], [2.0, 2.0, 0.0], [-1.0, 1.0, 1.0], [3.0, 0.0, 1.0]]
    )
    _compare(absorb, scores, values, [2, 4], "the output after three blocks")


@check(points=1)
def the_split_is_without_effect(absorb):
    """Eleven keys: one block, blocks of one, and unequal blocks"""
    rng = np.random.default_rng(3)
    scores, values = rng.normal(size=(5, 11)), rng.normal(size=(11, 7))
    for cuts in ([], list(range(1, 11)), [3, 4], [9]):
        _compare(absorb, scores, values, cuts, f"the output with cuts at {cuts}")


@check(points=1)
def large_scores(absorb):
    """Scores of 1e4, rising and falling from block to block"""
    values = np.arange(12.0).reshape(6, 2)
    rising = np.array([[0.0, 1.0, 5e3, 5e3, 1e4, 9999.0]])
    for scores, way in ((rising, "rise"), (rising[:, ::-1].copy(), "fall")):
        _compare(absorb, scores, values, [2, 4], f"the output where scores {way}", "overflow")


@check(points=1)
def a_hidden_block_comes_first(absorb):
    """The first block is hidden from one query, the last from another"""
    rng = np.random.default_rng(5)
    scores, values = rng.normal(size=(3, 7)), rng.normal(size=(7, 2))
    scores[0, :3] = -np.inf
    scores[1, 5:] = -np.inf
    _compare(absorb, scores, values, [2, 5], "the output with hidden blocks", "nan")


@check(points=1, hidden=True)
def other_numbers(absorb, rng):
    """Other sizes, scores and splits"""
    scores = 4.0 * rng.normal(size=(3, 13))
    scores[rng.random(scores.shape) < 0.3] = -np.inf
    scores[:, 12] = 0.5
    values = rng.normal(size=(13, 5))
    for cuts in ([1, 2, 6], [5, 11]):
        _compare(absorb, scores, values, cuts, f"the output with cuts at {cuts}", "nan")


WRONG = {
    "sums keep their old scale": wrong(
        replace={"sums * rescale[:, None]": "sums"},
        rejected_by=["five_keys_in_blocks_of_two", "the_split_is_without_effect"],
        misconception="sums-not-rescaled",
    ),
    "total keeps its old scale": wrong(
        replace={"total * rescale": "total"},
        rejected_by=["five_keys_in_blocks_of_two", "the_split_is_without_effect"],
        misconception="total-not-rescaled",
    ),
    "factor turned over": wrong(
        replace={"np.exp(largest - shift)": "np.where(total > 0, np.exp(shift - largest), 0.0)"},
        rejected_by=["five_keys_in_blocks_of_two", "the_split_is_without_effect"],
        misconception="rescaled-backwards",
    ),
    "nothing is rescaled": wrong(
        replace={"np.exp(largest - shift)": "np.ones(len(largest))"},
        rejected_by=["five_keys_in_blocks_of_two", "the_split_is_without_effect"],
        misconception="never-rescaled",
    ),
    "maximum of the block alone": wrong(
        replace={"np.maximum(largest, scores.max(axis=1))": "scores.max(axis=1)"},
        rejected_by=["large_scores"],
        misconception="overflow",
    ),
    "no maximum at all": wrong(
        """
        def absorb(largest, total, sums, scores, values):
            weights = np.exp(scores)
            return largest, total + weights.sum(axis=1), sums + weights @ values
        """,
        rejected_by=["large_scores"],
        misconception="overflow",
    ),
    "hidden blocks forgotten": wrong(
        replace={"np.where(np.isfinite(new), new, 0.0)": "new"},
        rejected_by=["a_hidden_block_comes_first"],
        misconception="nan",
    ),
    "mean of the blocks": wrong(
        """
        def absorb(largest, total, sums, scores, values):
            weights = np.exp(scores - scores.max(axis=1, keepdims=True))
            output = weights / weights.sum(axis=1, keepdims=True) @ values
            return largest, total + 1, sums + output
        """,
        rejected_by=["five_keys_in_blocks_of_two", "the_split_is_without_effect"],
        misconception="mean-of-blocks",
    ),
    "counts keys": wrong(
        replace={"weights.sum(axis=1)": "scores.shape[1]", "total * rescale": "total"},
        rejected_by=["five_keys_in_blocks_of_two", "the_split_is_without_effect"],
        misconception="counts-keys",
    ),
    "only the last block": wrong(
        """
        def absorb(largest, total, sums, scores, values):
            largest = scores.max(axis=1)
            weights = np.exp(scores - largest[:, None])
            return largest, weights.sum(axis=1), weights @ values
        """,
        rejected_by=["five_keys_in_blocks_of_two", "the_split_is_without_effect"],
        misconception="last-block",
    ),
}

ALSO_RIGHT = {
    "one key after the other": """
        def absorb(largest, total, sums, scores, values):
            for i in range(len(scores)):
                for score, value in zip(scores[i], values):
                    if score == -np.inf:
                        continue
                    new = max(largest[i], score)
                    total[i] = total[i] * np.exp(largest[i] - new) + np.exp(score - new)
                    sums[i] = sums[i] * np.exp(largest[i] - new) + np.exp(score - new) * value
                    largest[i] = new
            return largest, total, sums
    """,
    "the block by itself, then a merge of two": """
        def absorb(largest, total, sums, scores, values):
            own = scores.max(axis=1)
            weights = np.exp(scores - np.where(own == -np.inf, 0, own)[:, None])
            new = np.maximum(largest, own)
            safe = np.where(new == -np.inf, 0, new)
            a, b = np.exp(largest - safe), np.exp(own - safe)
            sums = a[:, None] * sums + b[:, None] * (weights @ values)
            return new, a * total + b * weights.sum(axis=1), sums
    """,
}

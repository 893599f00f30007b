"""Recall the lines of scaled dot-product attention in NumPy, for `query` of shape `(num_queries,
d_k)`, `key` of shape `(num_keys, d_k)` and `value` of shape `(num_keys, d_v)`. They must also work
for scores in the thousands.
"""

import math

import numpy as np

from coursekit import parsons, quiz


def works(code):
    """Whether the lines compute attention, for small scores and for large ones."""
    rng = np.random.default_rng(0)
    for size in (1.0, 3000.0):
        query, key, value = (rng.normal(size=shape) for shape in ((3, 5), (7, 5), (7, 2)))
        query[0] *= size
        scores = query @ key.T / math.sqrt(5)
        shares = np.exp(scores - scores.max(axis=1)[:, None])
        right = (shares / shares.sum(axis=1)[:, None]) @ value
        names = {"math": math, "np": np, "query": query, "key": key, "value": value}
        with np.errstate(all="ignore"):
            exec(code, names)
        if not np.allclose(names["output"], right):
            return False
    return True


quiz(
    id="lines-of-attention",
    chapter="scaled-dot-product",
    title="Order the lines of scaled dot-product attention",
    questions=[
        parsons(
            "attention_lines",
            "Put the lines in order so that `output` is right at the end. Two lines do not belong.",
            lines={
                "a": "weights = np.exp(scores)",
                "b": "output = weights @ value",
                "c": "scores = scores / query.shape[-1]",
                "d": "scores = scores - scores.max(axis=-1, keepdims=True)",
                "e": "weights = weights / weights.sum(axis=-1, keepdims=True)",
                "f": "scores = query @ key.T",
                "g": "weights = weights / weights.sum(axis=0)",
                "h": "scores = scores / math.sqrt(query.shape[-1])",
            },
            orders=["f h d a e b", "f d h a e b"],
            mistakes={
                "width-not-root": "c",
                "sum-over-queries": "g",
                "mixed-too-early": "b e",
                "exponential-before-scale": "a h",
                "exponential-before-maximum": "a d",
                "changed-too-late": "e a",
                "scale-missing": "!h",
                "maximum-missing": "!d",
                "sum-missing": "!e",
                "exponential-missing": "!a",
            },
            absent={
                "f": "the scores",
                "h": "the scale",
                "d": "the maximum of each row",
                "a": "the exponential",
                "e": "the sum of each row",
                "b": "the mixture of the values",
            },
            works=works,
            success_message="Score, scale, softmax, sum. The maximum may be subtracted before the "
            "scale or after it: either way, the same number is subtracted from every score of a "
            "row.",
            points=2,
        )
    ],
    hints=[
        "Which names does each line need, and which line defines them?",
        "The scores are complete, scaled and shifted, before the first exponential is taken.",
        "Four of the lines divide by something. Which two of them divide by √d_k and by the sum "
        "of each row?",
    ],
    misconceptions={
        "width-not-root": "One line divides the scores by d_k. Divide by its square root.",
        "sum-over-queries": "One line divides by sums over the queries, axis 0. A row belongs to "
        "a query, and its weights have to sum to 1.",
        "mixed-too-early": "The values are mixed before the weights are divided by their sum.",
        "exponential-before-scale": "The exponential is taken before the scores are scaled, so the "
        "scale does not reach the weights.",
        "exponential-before-maximum": "The exponential is taken before the maximum is subtracted, "
        "so large scores still overflow.",
        "changed-too-late": "The weights are divided by their sum before the exponential is taken.",
        "scale-missing": "Nothing divides the scores by the square root of the keys' width: the "
        "wider the keys, the more of each row's weight goes to a single key.",
        "maximum-missing": "The exponential is applied to scores in the thousands and overflows.",
        "sum-missing": "The weights of a row do not sum to 1 yet.",
        "exponential-missing": "Nothing turns the scores into positive weights.",
    },
)

"""Three questions on the chapters before, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-scores",
    chapter="scores",
    title="Before you start",
    questions=[
        numeric(
            "ratio",
            "A query has the dot products 6 and 2 with two keys, and $d_k = 16$. By which factor "
            "is the first weight larger than the second, after scaling? Two decimals are enough.",
            answer=2.718,
            tolerance=0.02,
            success_message="The scores are 6/4 and 2/4. They differ by 1, and one more in the "
            "score is e times the weight.",
            mistakes={"unscaled": 54.6, "by-d": 1.284, "ratio-of-scores": 3, "difference": 1},
        ),
        choice(
            "entry",
            "What does entry $(i, j)$ of $Q K^\\top$ say?",
            {
                "a": option(
                    "How similar tokens $i$ and $j$ are, the same both ways",
                    failure_message="Queries and keys come from different matrices, so the entry "
                    "(j, i) is usually another number.",
                    misconception="symmetric",
                ),
                "b": option(
                    "How well the key of token $j$ answers the query of token $i$",
                    correct=True,
                    success_message="Yes. Rows ask, columns are asked.",
                ),
                "c": option(
                    "How well the key of token $i$ answers the query of token $j$",
                    failure_message="Rows are queries, columns are keys: i asks.",
                    misconception="rows-are-keys",
                ),
                "d": option(
                    "How much of value $j$ goes into output $i$",
                    failure_message="That is the weight. The entry becomes one only after the "
                    "softmax of its row.",
                    misconception="score-is-weight",
                ),
            },
        ),
        choice(
            "gradient",
            "One weight of a row is 0.9999. What does a small change of the scores do to the row?",
            {
                "a": option(
                    "Almost nothing: the softmax is saturated, and so passes no gradient",
                    correct=True,
                    success_message="Yes. All its slopes hold a factor p (1 − p), or smaller, and "
                    "that is nearly 0.",
                ),
                "b": option(
                    "A lot: large scores have large gradients",
                    failure_message="The other way round: with one weight near 1 no small change "
                    "of the scores moves anything.",
                    misconception="large-scores-large-gradient",
                ),
                "c": option(
                    "It changes only the largest weight",
                    failure_message="The row always sums to 1, so no weight can move alone.",
                    misconception="one-weight-moves",
                ),
                "d": option(
                    "The row no longer sums to 1",
                    failure_message="Softmax sees to the sum, whatever the scores.",
                    misconception="sum-breaks",
                ),
            },
        ),
    ],
    misconceptions={
        "unscaled": "54.6 is e⁴, without the scaling: divide both products by √16 = 4 first.",
        "by-d": "You divided by d_k. The scale is its root, 4.",
        "ratio-of-scores": "3 is the ratio of the scores. Weights go by the exponential of their "
        "difference.",
        "difference": "1 is the difference of the scaled scores. What factor in the weights is "
        "that?",
    },
)

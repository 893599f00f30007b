"""Scores of 512 queries and 512 keys of width 64 are computed twice: with dot products, and with
the additive score at a hidden width of 64. Per pair, the dot product needs 64 multiplications
and additions. The additive score needs 64 additions for the hidden sum, 64 tanh, and 64
multiplications and additions.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-additive-cost",
    chapter="scores",
    title="Predict: what does an additive score cost?",
    questions=[
        choice(
            "slowdown",
            "How much longer does the additive score take in NumPy, written like the formula?",
            {
                "a": option(
                    "about three times as long: three kinds of operation instead of one",
                    failure_message="The number of operations is not decisive. All dot products "
                    "together are one matrix product, which processors do far faster than anything "
                    "else, and a tanh takes much longer than a multiplication.",
                    misconception="counts-operations",
                ),
                "b": option(
                    "just as long: both grow with the number of pairs",
                    failure_message="Both grow alike, but their costs per pair differ.",
                    misconception="same-order-same-time",
                ),
                "c": option(
                    "less time: an addition is faster than a multiplication",
                    failure_message="On today's processors they take the same time, and the tanh "
                    "takes much longer.",
                    misconception="additions-are-cheap",
                ),
                "d": option(
                    "far more than three times as long",
                    correct=True,
                    success_message="Yes. All dot products together are one matrix product, and "
                    "the additive score makes large arrays and computes a tanh for each number.",
                ),
            },
        )
    ],
    hints=["Which of the two is a single matrix product?"],
)

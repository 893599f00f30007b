"""The last five, from the whole course."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="mixed-third",
    version=2,
    chapter="review",
    title="Mixed questions, third round",
    questions=[
        choice(
            "no_weight",
            "In layer 5 of an encoder, a head gives *good* a weight of 0.00 on *not*. Can the "
            "model's answer still depend on *not*?",
            {
                "a": option(
                    "No, not at all",
                    failure_message="A weight is one path among many: there are other heads, other "
                    "queries and four layers before.",
                    misconception="no-weight-no-effect",
                ),
                "b": option(
                    "Only if another head of layer 5 has weight on *not*",
                    failure_message="That is one way. Positions with weight in layer 5 may already "
                    "hold *not*: earlier layers have mixed words.",
                    misconception="values-are-words",
                ),
                "c": option(
                    "Yes, and changing the word would show it",
                    correct=True,
                    success_message="Yes. Earlier layers may have mixed *not* into other "
                    "positions, and other heads may attend to it. Changing the word shows "
                    "whether the answer depends on it.",
                ),
            },
        ),
        choice(
            "one_vector",
            "A recurrent encoder without attention passes one vector of width 64. The sentences "
            "become twice as long. Which statement is right?",
            {
                "a": option(
                    "The vector has 128 numbers now",
                    failure_message="Its width is fixed when the model is built, whatever is read.",
                    misconception="vector-grows",
                ),
                "b": option(
                    "Twice as much content has to be written into the same 64 numbers",
                    correct=True,
                    success_message="Yes, that is the bottleneck. Whether 64 numbers are too few "
                    "for a length has to be measured. Attention keeps one vector for each word "
                    "instead.",
                ),
                "c": option(
                    "Only one bit is lost, such as the gender of a noun",
                    failure_message="The vector does not lose one chosen thing. All words have to "
                    "share its numbers; what a trained model keeps of them has to be measured.",
                    misconception="one-bit-is-lost",
                ),
                "d": option(
                    "The vector holds the first 64 words",
                    failure_message="A number is not a place for a word. Every word changes all "
                    "of the numbers.",
                    misconception="width-is-length",
                ),
            },
        ),
        choice(
            "twice_as_long",
            "Two keys point in the same direction; one is twice as long. The query has a positive "
            "dot product with both. Which key gets more weight from a dot-product score?",
            {
                "a": option(
                    "The longer one",
                    correct=True,
                    success_message="Yes: its dot product is twice as large. With a negative dot "
                    "product it would be the shorter one.",
                ),
                "b": option(
                    "Both get the same, because only the angle counts",
                    failure_message="The angle alone counts for the cosine. A dot product is "
                    "proportional to the length of the key.",
                    misconception="angle-only",
                ),
                "c": option(
                    "The shorter one, because its distance to the query is smaller",
                    failure_message="A dot product does not measure distance. Twice the key is "
                    "twice the dot product.",
                    misconception="distance",
                ),
            },
        ),
        numeric(
            "nothing_fits",
            "A query is orthogonal to all four keys: it fits none of them. The values are 2, 4, 6 "
            "and 20. What does attention return, without a mask?",
            answer=8,
            tolerance=0.01,
            success_message="All scores are 0, so all weights are 1/4, and the output is the "
            "plain mean. Attention cannot return “nothing found”.",
            failure_message="That is not it. Which four scores does the query have, and what "
            "weights does the softmax give to equal scores?",
            mistakes={"nothing": 0, "sum": 32, "first": 2, "largest": 20, "median": 5},
        ),
        choice(
            "who_supplies",
            "An assistant answers a question about a long report. Each token of the *answer* has "
            "to find what it needs in the report. In this cross-attention, which part does the "
            "report supply?",
            {
                "a": option(
                    "The queries",
                    failure_message="The sequence that needs something supplies the queries, and "
                    "the output has its length.",
                    misconception="sides-swapped",
                ),
                "b": option(
                    "The keys, while the values come from the answer",
                    failure_message="The weight of a key multiplies the value of the same token. "
                    "Keys and values come from one sequence.",
                    misconception="keys-without-values",
                ),
                "c": option(
                    "Queries, keys and values",
                    failure_message="That is the report's self-attention, in which the answer "
                    "has no part.",
                    misconception="self-for-cross",
                ),
                "d": option(
                    "The keys and the values",
                    correct=True,
                    success_message="Yes: the answer supplies the queries. The report's keys and "
                    "values are computed once for the whole answer.",
                ),
            },
        ),
    ],
    misconceptions={
        "nothing": "For 0, all weights would have to be 0. Weights sum to 1, whatever the scores "
        "are.",
        "sum": "32 is the sum of the values. The weights sum to 1, so the output is a mean.",
        "first": "2 is the first value alone. The four scores are equal, so no key is preferred.",
        "largest": "20 is the largest value. Scores compare queries with keys; they do not depend "
        "on values.",
        "median": "5 is the median. A weighted sum with equal weights is the mean.",
    },
)

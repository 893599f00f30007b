"""Answer three questions on earlier chapters from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-soft-and-hard",
    chapter="soft-and-hard",
    title="From memory",
    questions=[
        choice(
            "cosine",
            "Query and keys are divided by their lengths, and the scores are otherwise unchanged. "
            "What is attention then unable to do?",
            {
                "a": option(
                    "put nearly all weight on one of a hundred keys",
                    correct=True,
                    success_message="Yes. Cosines differ by 2 at most, so no weight is more than "
                    "e² = 7.4 times another.",
                ),
                "b": option(
                    "rank the keys",
                    failure_message="Cosines differ from key to key, so the keys are ranked.",
                    misconception="cosine-cannot-rank",
                ),
                "c": option(
                    "make its weights sum to 1",
                    failure_message="The softmax does that for any scores.",
                    misconception="sum-needs-dot",
                ),
            },
        ),
        numeric(
            "slope",
            "Two keys have equal scores, so the weights are 0.5 and 0.5. What is the slope of the "
            "first weight with respect to the first score?",
            answer=0.25,
            tolerance=0.005,
            success_message="It is p (1 − p) with p = 0.5.",
            mistakes={
                "weight-itself": 0.5,
                "zero-slope": 0,
                "one-slope": 1,
                "sign": -0.25,
                "one-decimal": 0.3,
            },
        ),
        choice(
            "without_tanh",
            "What is left of an additive score without its tanh?",
            {
                "a": option(
                    "a dot product",
                    failure_message="A dot product multiplies query and key. Without the tanh "
                    "they are only added.",
                    misconception="linear-is-dot",
                ),
                "b": option(
                    "the same score, only faster",
                    failure_message="The tanh is the only place where query and key interact.",
                    misconception="tanh-is-decoration",
                ),
                "c": option(
                    "a part from the query plus a part from the key, so every query gets the same "
                    "weights",
                    correct=True,
                    success_message="Yes. The query's part is the same for all keys, and the "
                    "softmax ignores a number added to all scores of a row.",
                ),
            },
        ),
    ],
    misconceptions={
        "weight-itself": "0.5 is the weight. Its slope is p (1 − p).",
        "zero-slope": "A slope of 0 belongs to a weight of 0 or 1. At 0.5 the slope is largest.",
        "one-slope": "1 is the slope of the score itself. The weight changes by less, because the "
        "sum in the denominator grows as well.",
        "sign": "A larger score makes its own weight larger. The other weight has the negative "
        "slope.",
        "one-decimal": "That is right to one decimal. Give two.",
    },
)

"""Three questions on the chapters before, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-soft-and-hard",
    chapter="soft-and-hard",
    title="Before you start",
    questions=[
        choice(
            "cosine",
            "Query and keys are divided by their lengths, and nothing else is done to the scores. "
            "What can attention then not do, however many keys there are?",
            {
                "a": option(
                    "rank the keys",
                    failure_message="Cosines differ from key to key, so the keys are ranked.",
                    misconception="cosine-cannot-rank",
                ),
                "b": option(
                    "settle on one key",
                    correct=True,
                    success_message="Yes. Cosines differ by 2 at most, so no weight is more than "
                    "e² = 7.4 times another.",
                ),
                "c": option(
                    "sum its weights to 1",
                    failure_message="Softmax does that for any scores.",
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
            success_message="p times 1 − p, with p = 0.5.",
            mistakes={"weight-itself": 0.5, "zero-slope": 0, "one-slope": 1, "sign": -0.25},
        ),
        choice(
            "without_tanh",
            "What is left of an additive score if its tanh is taken away?",
            {
                "a": option(
                    "a dot product",
                    failure_message="A dot product multiplies query and key. Without the tanh "
                    "they are only added.",
                    misconception="linear-is-dot",
                ),
                "b": option(
                    "the same score, only faster",
                    failure_message="The tanh is the only place where query and key meet.",
                    misconception="tanh-is-decoration",
                ),
                "c": option(
                    "one part from the query and one from the key, so every query gets the same "
                    "weights",
                    correct=True,
                    success_message="Yes. The query's part is the same for all keys, and the "
                    "softmax does not see it.",
                ),
            },
        ),
    ],
    misconceptions={
        "weight-itself": "0.5 is the weight. Its slope has a factor more: what is left for the "
        "others.",
        "zero-slope": "A slope of 0 comes with a weight of 0 or 1. Here the weight moves most "
        "easily.",
        "one-slope": "The score moves by 1, the weight by less: the other score pulls as well.",
        "sign": "A larger score makes its own weight larger. The minus belongs to the other one.",
    },
)

"""Three questions on earlier chapters, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-scaled-dot-product",
    chapter="scaled-dot-product",
    title="Before you start",
    questions=[
        numeric(
            "equal_scores",
            "Three keys score 0 against a query. Their values are 3, 6 and 12. What does attention "
            "return?",
            answer=7,
            tolerance=0.01,
            success_message="Equal scores give equal weights, 1/3 each, and (3 + 6 + 12) / 3 = 7.",
            mistakes={"nothing": 0, "sum": 21, "first": 3, "largest": 12, "median": 6},
        ),
        choice(
            "compared",
            "What is a query compared with?",
            {
                "a": option(
                    "With the keys: each comparison gives one score",
                    correct=True,
                    success_message="Yes. One query and `num_keys` keys give `num_keys` scores.",
                ),
                "b": option(
                    "With the values: the most similar one is returned",
                    failure_message="Values are never compared with anything. They are only "
                    "summed, with the weights that the scores give.",
                    misconception="compares-values",
                ),
                "c": option(
                    "With the other queries",
                    failure_message="Queries are not compared with each other. Each is handled "
                    "separately.",
                    misconception="compares-queries",
                ),
                "d": option(
                    "With the embeddings of all tokens",
                    failure_message="Only after a projection: W^K computes keys from the "
                    "embeddings, and it is the keys that are compared.",
                    misconception="skips-projection",
                ),
            },
        ),
        choice(
            "learned",
            "Training is over. The word *bank* now appears in two different sentences. If nothing "
            "but the words of a sentence enters the computation, which of these differs between "
            "the two?",
            {
                "a": option(
                    "The matrices $W^Q, W^K, W^V$",
                    failure_message="Training has set them, and they are the same for every "
                    "sentence.",
                    misconception="weights-per-sentence",
                ),
                "b": option(
                    "The key of *bank*",
                    failure_message="The same embedding times the same matrix gives the same key. "
                    "Differences come in when words are mixed.",
                    misconception="key-knows-context",
                ),
                "c": option(
                    "Nothing differs",
                    failure_message="The same query meets other keys and values, so the context "
                    "vector differs.",
                    misconception="no-context",
                ),
                "d": option(
                    "The context vector of *bank*",
                    correct=True,
                    success_message="Yes. It is a mixture of the values of all words in the "
                    "sentence, so it depends on the company that the word keeps.",
                ),
            },
        ),
    ],
    misconceptions={
        "nothing": "Scores of 0 do not give weights of 0: the softmax gives weights that sum to 1.",
        "sum": "21 is the sum of the values. The weights sum to 1, so the result is a mean.",
        "first": "3 is the first value alone. Equal scores give equal weights.",
        "largest": "12 is the largest value. Keys compete, not values, and these keys tie.",
        "median": "6 is the value in the middle. The weights are 1/3 each: take the mean.",
    },
)

"""Answer three questions on earlier chapters from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-positions",
    chapter="positions",
    title="Before you start",
    questions=[
        choice(
            "what_a_query_knows",
            "A token's query is its embedding times $W^Q$. What does it contain about the position "
            "of the token?",
            {
                "a": option(
                    "Its index, since row $i$ of $Q$ belongs to token $i$",
                    failure_message="The index says where we keep the query. None of the query's "
                    "numbers depends on it.",
                    misconception="row-is-known",
                ),
                "b": option(
                    "Nothing: the same word gives the same query at every position",
                    correct=True,
                    success_message="Yes. The embedding depends only on the word, and W is the "
                    "same for all tokens.",
                ),
                "c": option(
                    "Its distance to the other tokens, through the dot products",
                    failure_message="A dot product compares what two vectors contain. Neither "
                    "contains a position.",
                    misconception="distance-in-scores",
                ),
            },
        ),
        numeric(
            "factor",
            "One score is lowered by 1 before the softmax; the others stay the same. By what "
            "factor does the ratio of its weight to another change? Two decimals are enough.",
            answer=0.368,
            tolerance=0.005,
            success_message="The ratio of two weights is the exponential of the difference between "
            "their scores, which fell by 1.",
            mistakes={
                "raised": 2.718,
                "by-one": -1,
                "halved": 0.5,
                "what-is-lost": 0.632,
                "one-decimal": 0.4,
                "percent": 36.8,
                "unchanged": 1,
                "to-nothing": 0,
            },
        ),
        choice(
            "angle",
            "Query and key are both turned by the same angle. What happens to their dot product?",
            {
                "a": option(
                    "It stays the same",
                    correct=True,
                    success_message="Yes. Both lengths stay the same, and so does their angle.",
                ),
                "b": option(
                    "It is multiplied by the cosine of the angle",
                    failure_message="That would happen if only one of them were turned away.",
                    misconception="one-turned",
                ),
                "c": option(
                    "It becomes 0",
                    failure_message="Only a right angle between them gives 0.",
                    misconception="right-angle",
                ),
            },
        ),
    ],
    misconceptions={
        "one-decimal": "That is right to one decimal. Give two.",
        "percent": "That is the factor in percent: it is 100 times smaller.",
        "unchanged": "A factor of 1 would leave the ratio unchanged. The ratio falls with the "
        "score.",
        "to-nothing": "A factor of 0 would leave no weight. The exponential of a lower score is "
        "smaller, but above 0.",
        "raised": "That is the factor for a score that is raised by 1.",
        "by-one": "A difference between scores becomes a factor between weights, which is "
        "positive.",
        "what-is-lost": "That is the share that the ratio loses, 1 − 1/e. Give the remaining "
        "factor.",
        "halved": "Weights are powers of e, not of 2.",
    },
)

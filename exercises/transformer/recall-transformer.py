"""Answer three questions on earlier chapters from memory. If you are not sure, guess."""

from coursekit import choice, option, quiz

quiz(
    id="recall-transformer",
    chapter="transformer",
    title="Before you start",
    questions=[
        choice(
            "causal",
            "A causal mask covers 5 tokens in order. Which keys may the query of the third token "
            "attend to?",
            {
                "a": option(
                    "the first two",
                    failure_message="A token may attend to itself. Otherwise the first token could "
                    "attend to nothing.",
                    misconception="not-itself",
                ),
                "b": option(
                    "the last three",
                    failure_message="Those are the token itself and the future, which is hidden.",
                    misconception="mask-inverted",
                ),
                "c": option(
                    "the first three",
                    correct=True,
                    success_message="Yes: itself and the tokens before it.",
                ),
                "d": option(
                    "all five",
                    failure_message="That is attention without a mask.",
                    misconception="no-mask",
                ),
            },
        ),
        choice(
            "order",
            "Without positions, what does self-attention return if the tokens are put in another "
            "order?",
            {
                "a": option(
                    "the same rows, in the new order",
                    correct=True,
                    success_message="Yes. So the model has to be told the order.",
                ),
                "b": option(
                    "different rows, since each query has different neighbours",
                    failure_message="The sum over keys and values does not depend on their "
                    "positions.",
                    misconception="order-seen",
                ),
                "c": option(
                    "the same rows, in the same order",
                    failure_message="There is one row for each query, so the rows move with the "
                    "queries.",
                    misconception="rows-fixed",
                ),
            },
        ),
        choice(
            "cross",
            "In cross-attention a target of 4 tokens attends to a source of 6 tokens. How many "
            "rows does the output have?",
            {
                "a": option(
                    "6",
                    failure_message="6 is the number of keys: the columns of the weights.",
                    misconception="rows-are-keys",
                ),
                "b": option(
                    "10",
                    failure_message="Source and target are not concatenated. There is one row for "
                    "each query.",
                    misconception="concatenated",
                ),
                "c": option(
                    "24",
                    failure_message="24 is the number of weights. Each query gives only one row.",
                    misconception="all-pairs",
                ),
                "d": option(
                    "4",
                    correct=True,
                    success_message="Yes: one row for each query, and the queries come from the "
                    "target.",
                ),
            },
        ),
    ],
)

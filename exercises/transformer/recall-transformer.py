"""Three questions on the chapters before, from memory. If you are not sure, guess."""

from coursekit import choice, option, quiz

quiz(
    id="recall-transformer",
    chapter="transformer",
    title="Before you start",
    questions=[
        choice(
            "causal",
            "A causal mask for 5 tokens, in order. Which keys may the query of the third token "
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
                    failure_message="Those are itself and the future. The mask hides the future.",
                    misconception="mask-inverted",
                ),
                "c": option(
                    "the first three",
                    correct=True,
                    success_message="Yes: itself and what came before.",
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
            "Without positions, what does self-attention give if the tokens are put in another "
            "order?",
            {
                "a": option(
                    "the same rows, in the other order",
                    correct=True,
                    success_message="Yes. So the order has to be told to the model.",
                ),
                "b": option(
                    "other rows, since each query has other neighbours",
                    failure_message="The sum over keys and values does not ask where they stand.",
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
                    failure_message="24 is the number of weights. Each query sums them up to one "
                    "row.",
                    misconception="all-pairs",
                ),
                "d": option(
                    "4",
                    correct=True,
                    success_message="Yes: one row for each query, and the queries are the "
                    "target's.",
                ),
            },
        ),
    ],
)

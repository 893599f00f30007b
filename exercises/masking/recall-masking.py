"""Three questions on the chapters before, from memory."""

from coursekit import Picture, choice, numeric, option, quiz

quiz(
    id="recall-masking",
    chapter="masking",
    title="Before you start",
    questions=[
        choice(
            "rows_and_columns",
            "A matrix of weights has shape (4, 6). What does the number in row 2, column 5 say?",
            {
                "a": option(
                    "How much query 2 takes of the value of key 5",
                    correct=True,
                    success_message="Yes. Rows are queries, columns are keys, throughout.",
                ),
                "b": option(
                    "How much query 5 takes of the value of key 2",
                    failure_message="There are only 4 rows, so query 5 does not exist. Rows are "
                    "queries, columns are keys.",
                    misconception="rows-are-keys",
                ),
                "c": option(
                    "How similar token 2 and token 5 are",
                    failure_message="It is a weight, not a similarity: it depends on the other "
                    "keys of the row, and need not be the same in the other direction.",
                    misconception="weight-is-similarity",
                ),
                "d": option(
                    "How important token 5 is in the sentence",
                    failure_message="Only to query 2. Another query has another row.",
                    misconception="weight-is-importance",
                ),
            },
        ),
        numeric(
            "zero_score",
            "A row of scores is (0, 0, 0, 0). Which weight does the first key get?",
            answer=0.25,
            tolerance=0.001,
            picture=Picture(
                "weights",
                ["key 1", "key 2", "key 3", "key 4"],
                {
                    "zero-weight": [0, 0, 0, 0],
                    "exponential": [1, 1, 1, 1],
                    "one-more": [0.2, 0.2, 0.2, 0.2],
                    "right": [0.25, 0.25, 0.25, 0.25],
                },
            ),
            success_message="e⁰ = 1 for each, and 1 / 4 is 0.25. A score of 0 is not a weight of "
            "0.",
            mistakes={
                "zero-weight": 0.0,
                "exponential": 1.0,
                "sum": 4.0,
                "half": 0.5,
                "one-more": 0.2,
                "percent": 25.0,
            },
        ),
        choice(
            "heads_axis",
            "With heads, which shape do the weights of a batch of sentences have?",
            {
                "a": option(
                    "`(batch, num_queries, num_keys, num_heads)`",
                    failure_message="The heads stand before the tokens, so that the last two axes "
                    "are a matrix of weights for each head.",
                    misconception="heads-last",
                ),
                "b": option(
                    "`(batch, num_heads, num_queries, num_keys)`",
                    correct=True,
                    success_message="Yes. A mask has to fit this shape, which is where one of this "
                    "chapter's traps lies.",
                ),
                "c": option(
                    "`(batch, num_queries, num_keys)`: the heads are merged by then",
                    failure_message="Outputs are merged, after the weights were used. Each head "
                    "has a matrix of weights of its own.",
                    misconception="weights-merged",
                ),
                "d": option(
                    "`(num_heads, batch, num_queries, num_keys)`",
                    failure_message="The batch comes first, then the heads.",
                    misconception="heads-first",
                ),
            },
        ),
    ],
    misconceptions={
        "zero-weight": "A score of 0 has the exponential e⁰ = 1. Which score would have none?",
        "half": "0.5 would be right for two keys. Here four have the same score.",
        "one-more": "0.2 is 1 / 5. There are four exponentials of 1, that of the first key "
        "included.",
        "percent": "25 is the weight in percent. The weights of a row sum to 1.",
        "sum": "4 is the sum of the exponentials. A weight is one exponential divided by it.",
        "exponential": "1 is e⁰, the exponential. It still has to be divided by the sum of all "
        "four.",
    },
)

"""Three questions on the chapters before, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-self-and-cross",
    chapter="self-and-cross",
    title="Before you start",
    questions=[
        numeric(
            "output_shape",
            "5 queries of width 8, 7 keys of width 8, 7 values of width 3. What is the shape of "
            "the output?",
            answer=[5, 3],
            tolerance=0,
            success_message="One row for each query, as wide as a value.",
            mistakes={
                "shape-of-weights": [5, 7],
                "width-of-queries": [5, 8],
                "rows-are-keys": [7, 3],
            },
        ),
        choice(
            "together",
            "Which two of queries, keys and values must have equally many rows?",
            {
                "a": option(
                    "queries and keys",
                    failure_message="They are compared, so they must be equally *wide*. A query "
                    "looks at any number of keys.",
                    misconception="as-many-queries",
                ),
                "b": option(
                    "keys and values",
                    correct=True,
                    success_message="Yes: each key has its value, which it brings when it is "
                    "chosen.",
                ),
                "c": option(
                    "queries and values",
                    failure_message="Each query gets a mixture of however many values there are.",
                    misconception="a-value-a-query",
                ),
            },
        ),
        choice(
            "row",
            "A row of weights sums to 1. Over what is the sum?",
            {
                "a": option(
                    "over the keys: one query shares out its attention",
                    correct=True,
                    success_message="Yes. Rows are queries, columns are keys.",
                ),
                "b": option(
                    "over the queries: one key shares itself out",
                    failure_message="A key may be chosen by all queries or by none. Columns sum to "
                    "anything.",
                    misconception="over-queries",
                ),
                "c": option(
                    "over the features of the query",
                    failure_message="The features are gone: the dot product has summed over them.",
                    misconception="over-features",
                ),
            },
        ),
    ],
    misconceptions={
        "shape-of-weights": "That is the shape of the weights. The output mixes values.",
        "width-of-queries": "The width of the queries is used up in the dot products.",
        "rows-are-keys": "There is a row for each query.",
    },
)

"""A batch of one sentence has 4 queries of width 8, 6 keys of width 8, and 6 values of width 10:
`query` is `(1, 4, 8)`, `key` is `(1, 6, 8)`, `value` is `(1, 6, 10)`. Write each shape as a list of
three numbers, the batch first.
"""

from coursekit import Picture, choice, numeric, option, quiz

quiz(
    id="predict-attention-shape",
    chapter="scaled-dot-product",
    title="Predict: the shapes of weights and output",
    questions=[
        numeric(
            "shape_of_weights",
            "The shape of the weights",
            answer=[1, 4, 6],
            tolerance=0,
            picture=Picture("shape"),
            success_message="One weight for each pair: 4 queries (rows) by 6 keys (columns).",
            mistakes={
                "transposed": [1, 6, 4],
                "as-output": [1, 4, 10],
                "square": [1, 4, 4],
                "feature-width": [1, 4, 8],
                "summed-axis": [1, 8, 8],
                "pairs-of-keys": [1, 6, 6],
            },
        ),
        numeric(
            "shape_of_output",
            "The shape of the output",
            answer=[1, 4, 10],
            tolerance=0,
            picture=Picture("shape"),
            success_message="One row for each query; each row is a mixture of values, so it is 10 "
            "wide.",
            mistakes={
                "key-width": [1, 4, 8],
                "rows-of-keys": [1, 6, 10],
                "as-weights": [1, 4, 6],
                "batch-last": [4, 10, 1],
                "transposed-output": [1, 10, 4],
            },
        ),
        choice(
            "which_may_differ",
            "Take the five sizes: the number of queries, the number of keys, the width of a query, "
            "the width of a key, the width of a value. Which two of them **have** to be equal?",
            {
                "a": option(
                    "The number of queries and the number of keys",
                    failure_message="They are 4 and 6 here. Each query has a row of its own, "
                    "however many there are.",
                    misconception="square",
                ),
                "b": option(
                    "The width of a query and the width of a key",
                    correct=True,
                    success_message="Yes: a dot product needs as many numbers on both sides. (And "
                    "every key needs one value.)",
                ),
                "c": option(
                    "The width of a key and the width of a value",
                    failure_message="They are 8 and 10 here. Keys are compared, values are summed, "
                    "and the two never meet.",
                    misconception="one-width",
                ),
                "d": option(
                    "All of them",
                    failure_message="They are often equal in a model, but the formula needs only "
                    "one "
                    "pair to be.",
                    misconception="all-equal",
                ),
            },
        ),
    ],
    hints=[
        "How many outputs does attention give, and what is each one made of?",
        "`(4, 8) @ (8, 6)` is `(4, 6)`; then `(4, 6) @ (6, 10)`.",
    ],
    misconceptions={
        "transposed": "Rows and columns have changed places. Rows are queries (4), columns are "
        "keys (6).",
        "as-output": "10 is the width of a value. The weights do not depend on the values; there "
        "is one for each pair of query and key.",
        "square": "The weights are square only when there are as many queries as keys. Here 4 "
        "queries attend to 6 keys.",
        "feature-width": "8 is the width over which the dot product sums. It no longer "
        "appears in the product.",
        "key-width": "8 is the width of queries and keys. The output is made of values, which are "
        "10 wide.",
        "rows-of-keys": "6 is the number of keys. There is one output for each *query*.",
        "as-weights": "That is the shape of the weights. The output is what they make of the "
        "values.",
        "summed-axis": "8 is the width over which the dot product sums, so it disappears. What is "
        "left are the queries and the keys.",
        "pairs-of-keys": "6 by 6 would compare the keys with each other. The queries, of which "
        "there are 4, are compared with the keys.",
        "batch-last": "The batch axis stays in front; attention works on the last two axes.",
        "transposed-output": "Rows and columns have changed places: one row for each query, as "
        "wide as a value.",
    },
)

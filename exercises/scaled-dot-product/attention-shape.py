"""One batch: 4 queries of width 8, 6 keys of width 8, and 6 values of width 10.

`query` is `(1, 4, 8)`, `key` is `(1, 6, 8)`, `value` is `(1, 6, 10)`. Write each shape as a list of
numbers, **before** you run the cell below.
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="attention-shape",
    chapter="scaled-dot-product",
    title="Predict: which shape comes out?",
    questions=[
        numeric(
            "shape_of_weights",
            "The shape of the weights",
            answer=[1, 4, 6],
            tolerance=0,
            success_message="One weight for each pair: 4 queries (rows) by 6 keys (columns).",
            mistakes={
                "transposed": [1, 6, 4],
                "as-output": [1, 4, 10],
                "square": [1, 4, 4],
                "feature-width": [1, 4, 8],
            },
        ),
        numeric(
            "shape_of_output",
            "The shape of the output",
            answer=[1, 4, 10],
            tolerance=0,
            success_message="One row for each query; each row is a mixture of values, so it is 10 "
            "wide.",
            mistakes={
                "key-width": [1, 4, 8],
                "rows-of-keys": [1, 6, 10],
                "as-weights": [1, 4, 6],
                "lost-batch": [4, 10, 1],
            },
        ),
        choice(
            "which_may_differ",
            "Which two of the five sizes *have* to be equal?",
            {
                "a": option(
                    "The number of queries and the number of keys",
                    failure_message="They were 4 and 6 just now. Each query has a row of its own, "
                    "however many there are.",
                    misconception="square",
                ),
                "b": option(
                    "The width of the keys and the width of the values",
                    failure_message="They were 8 and 10. Keys are compared, values are mixed, and "
                    "the two never meet.",
                    misconception="one-width",
                ),
                "c": option(
                    "The width of the queries and the width of the keys",
                    correct=True,
                    success_message="Yes: a dot product needs as many numbers on both sides. (And "
                    "every key needs one value.)",
                ),
                "d": option(
                    "All of them",
                    failure_message="They are often equal in a model, because that is tidy. The "
                    "formula needs less.",
                    misconception="all-equal",
                ),
            },
        ),
    ],
    hints=[
        "How many answers does attention give, and what is each one made of?",
        "`(4, 8) @ (8, 6)` is `(4, 6)`; then `(4, 6) @ (6, 10)`.",
    ],
    misconceptions={
        "transposed": "Rows and columns have changed places. Rows are queries (4), columns are "
        "keys (6).",
        "as-output": "10 is the width of a value. Weights do not know what the values hold; there "
        "is one for each pair of query and key.",
        "square": "The weights are square only when there are as many queries as keys. Here 4 "
        "queries look at 6 keys.",
        "feature-width": "8 is the width over which the dot product sums. It is used up by the "
        "product, and no longer appears.",
        "key-width": "8 is the width of queries and keys. The output is made of values, which are "
        "10 wide.",
        "rows-of-keys": "6 is the number of keys. There is one output for each *query*.",
        "as-weights": "That is the shape of the weights. The output is what they make of the "
        "values.",
        "lost-batch": "The batch axis stays in front; attention works on the last two axes.",
    },
)

"""Three questions on the chapters before, from memory."""

from coursekit import Picture, choice, numeric, option, quiz

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
            picture=Picture("shape"),
            success_message="One row for each query, as wide as a value.",
            mistakes={
                "shape-of-weights": [5, 7],
                "width-of-queries": [5, 8],
                "shape-of-values": [7, 3],
                "shape-of-keys": [7, 8],
                "transposed": [3, 5],
            },
        ),
        choice(
            "together",
            "Which two of queries, keys and values must have equally many rows?",
            {
                "a": option(
                    "queries and keys",
                    failure_message="They are compared, so they must be equally *wide*. A query "
                    "is compared with any number of keys.",
                    misconception="as-many-queries",
                ),
                "b": option(
                    "queries and values",
                    failure_message="Each query gets a weighted mean of however many values there "
                    "are.",
                    misconception="a-value-a-query",
                ),
                "c": option(
                    "keys and values",
                    correct=True,
                    success_message="Yes: the weight of key j multiplies value j.",
                ),
            },
        ),
        choice(
            "row",
            "A row of the weights sums to 1. What does the sum run over?",
            {
                "a": option(
                    "over the keys, for one query",
                    correct=True,
                    success_message="Yes. Rows are queries, columns are keys: each query "
                    "distributes a weight of 1 over the keys.",
                ),
                "b": option(
                    "over the queries, for one key",
                    failure_message="That is a column. A key may get a weight near 1 from every "
                    "query or from none, so a column sums to anything.",
                    misconception="over-queries",
                ),
                "c": option(
                    "over the features of the query",
                    failure_message="The dot product has already summed over the features.",
                    misconception="over-features",
                ),
            },
        ),
    ],
    misconceptions={
        "shape-of-weights": "(5, 7) is the shape of the weights. The output has a weighted mean of "
        "values in each row.",
        "width-of-queries": "(5, 8) is the shape of the queries. An output is as wide as a value.",
        "shape-of-values": "(7, 3) is the shape of the values. The output has one row for each "
        "query.",
        "shape-of-keys": "(7, 8) is the shape of the keys. The output has one row for each query, "
        "as wide as a value.",
        "transposed": "The two numbers are exchanged. Rows come first: one for each query.",
    },
)

"""Three questions on the chapters before, from memory. If you are not sure, guess: a
wrong guess now helps more than reading it again.
"""

from coursekit import Picture, choice, numeric, option, quiz

quiz(
    id="recall-multi-head",
    chapter="multi-head",
    title="Before you start",
    questions=[
        numeric(
            "output_shape",
            "4 queries of width 8 attend to 6 keys of width 8, whose values have width 10. What is "
            "the shape of the output? Write the two numbers.",
            answer=[4, 10],
            tolerance=0.0,
            picture=Picture("shape"),
            success_message="One row for each query, as wide as a value.",
            mistakes={
                "weights-shape": [4, 6],
                "rows-are-keys": [6, 10],
                "width-of-keys": [4, 8],
                "transposed": [10, 4],
                "shape-of-keys": [6, 8],
                "weights-transposed": [6, 4],
                "widths-alone": [8, 10],
            },
        ),
        choice(
            "why_scale",
            "Why are the scores divided by $\\sqrt{d_k}$?",
            {
                "a": option(
                    "So that the weights of each row sum to 1",
                    failure_message="Softmax does that, with or without the division.",
                    misconception="scale-normalises",
                ),
                "b": option(
                    "So that wider keys do not make larger scores, which would saturate the "
                    "softmax",
                    correct=True,
                    success_message="Yes. A sum of d_k products spreads like √d_k, and the "
                    "division takes that back.",
                ),
                "c": option(
                    "So that the gradient is larger for every width",
                    failure_message="At small widths the gradient is larger without the division, "
                    "and the gradient of the queries even at 64.",
                    misconception="always-larger-gradient",
                ),
                "d": option(
                    "So that all scores lie between −1 and 1",
                    failure_message="A score may be any number. The division only keeps their "
                    "spread from growing with the width.",
                    misconception="scores-bounded",
                ),
            },
        ),
        choice(
            "outside_the_values",
            "One query, three values. Can the output be a vector that lies outside the triangle of "
            "the three values?",
            {
                "a": option(
                    "No: it is a weighted mean of them.",
                    correct=True,
                    success_message="Yes, it stays inside, or on an edge.",
                ),
                "b": option(
                    "Yes, if the query is long enough.",
                    failure_message="A long query makes the weights sharper, at most all on one "
                    "value. That is a corner of the triangle, not a point outside it.",
                    misconception="long-query-escapes",
                ),
                "c": option(
                    "Yes, if a score is negative.",
                    failure_message="A negative score still gets a positive weight; the "
                    "exponential of any number is positive.",
                    misconception="negative-weights",
                ),
                "d": option(
                    "Yes, if keys and values differ.",
                    failure_message="The keys decide the weights. Whatever they are, the weights "
                    "are positive and sum to 1.",
                    misconception="keys-escape",
                ),
            },
        ),
    ],
    misconceptions={
        "weights-shape": "(4, 6) is the shape of the weights: queries by keys. The output has the "
        "width of a value.",
        "rows-are-keys": "Rows are queries in the output too: each query gets one mixture.",
        "transposed": "Rows and columns are exchanged: there is one row for each query.",
        "shape-of-keys": "(6, 8) is the shape of the keys. The output has a row for each query, as "
        "wide as a value.",
        "weights-transposed": "(6, 4) has a row for each key and a column for each query. The "
        "output has a row for each query, as wide as a value.",
        "widths-alone": "The columns are right. A row belongs to a query, and there are 4.",
        "width-of-keys": "8 is the width in which queries and keys are compared. The output is a "
        "mixture of values, and they are 10 wide.",
    },
)

"""The 5 tokens of one sentence attend to the 7 tokens of another. Every token is an embedding of
width $d_\\text{model} = 12$, so $X$ has shape `(5, 12)` and $Y$ has shape `(7, 12)`. Queries and
keys have width $d_k = 3$, values have width $d_v = 11$.

Give each shape as a list of two numbers.
"""

from coursekit import Picture, numeric, quiz

quiz(
    id="predict-projection-shapes",
    chapter="queries-keys-values",
    title="Predict: the shapes of the projections",
    questions=[
        numeric(
            "shape_of_query_weights",
            "The shape of $W^Q$",
            answer=[12, 3],
            tolerance=0,
            picture=Picture("shape"),
            success_message="It takes 12 numbers in and gives 3 out, whatever the number of "
            "tokens.",
            mistakes={
                "transposed": [3, 12],
                "query-itself": [5, 3],
                "value-width": [12, 11],
                "embeddings": [5, 12],
                "square": [12, 12],
            },
        ),
        numeric(
            "shape_of_keys",
            "The shape of $K = Y W^K$",
            answer=[7, 3],
            tolerance=0,
            picture=Picture("shape"),
            success_message="One key for each of the 7 tokens of Y, each as wide as a query.",
            mistakes={
                "from-x": [5, 3],
                "transposed": [3, 7],
                "value-width": [7, 11],
                "matrix-itself": [12, 3],
                "embeddings": [7, 12],
            },
        ),
        numeric(
            "shape_of_values",
            "The shape of $V = Y W^V$",
            answer=[7, 11],
            tolerance=0,
            picture=Picture("shape"),
            success_message="One value for each key, and a width of its own: nothing compares "
            "values.",
            mistakes={
                "from-x": [5, 11],
                "key-width": [7, 3],
                "transposed": [11, 7],
                "matrix-itself": [12, 11],
                "embeddings": [7, 12],
            },
        ),
        numeric(
            "shape_of_output",
            "The shape of the output: one context vector for each query",
            answer=[5, 11],
            tolerance=0,
            picture=Picture("shape"),
            success_message="One row for each query, made of values, so as wide as a value.",
            mistakes={
                "rows-of-keys": [7, 11],
                "key-width": [5, 3],
                "weights": [5, 7],
                "transposed": [11, 5],
                "model-width": [5, 12],
            },
        ),
    ],
    hints=[
        "Which tokens have queries, and which have keys and values?",
        "`(tokens, 12) @ (12, d)` is `(tokens, d)`. Queries are computed from $X$, keys and values "
        "from $Y$.",
    ],
    misconceptions={
        "transposed": "Rows and columns have changed places. Tokens are rows here, and a weight "
        "matrix takes d_model numbers in and gives d out: (d_model, d).",
        "query-itself": "That is the shape of Q = X W^Q. The matrix W^Q turns one embedding of "
        "width "
        "12 into one query of width 3, whatever the number of tokens.",
        "embeddings": "That is the shape of the embeddings, before any matrix was applied.",
        "matrix-itself": "That is the shape of the weight matrix. The question is about its "
        "product "
        "with Y, which has one row for each token.",
        "square": "12 is the width of the embeddings. The matrix turns it into the width of a "
        "query, 3.",
        "value-width": "11 is the width of values. Queries and keys meet in a dot product, so "
        "they share a width of their own, 3.",
        "key-width": "3 is the width of queries and keys. Values are never compared with "
        "anything, so they may have another width: 11.",
        "from-x": "5 is the number of queries, which come from X. Keys and values come from Y, "
        "with 7 tokens.",
        "rows-of-keys": "7 is the number of keys. Every *query* gets one context vector, and "
        "there are 5.",
        "weights": "That is the shape of the weights: one for each pair of query and key. The "
        "output is what they make of the values.",
        "model-width": "12 is the width of the embeddings. Nothing has brought the values, of "
        "width 11, back to it yet; an output projection would.",
    },
)

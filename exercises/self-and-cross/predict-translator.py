"""A translator reads the 7 tokens *the apple, under, the tree, behind, the house, had been, picked*
and writes 8: *la pomme, sous, l'arbre, derrière, la maison, avait été, ramassée* and an end mark.
For each token that it writes, it computes one query. Keys and values are computed from the tokens
read.
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="predict-translator",
    chapter="self-and-cross",
    title="Predict: a translator's weights",
    version=2,
    questions=[
        numeric(
            "shape",
            "What is the shape of the matrix of weights?",
            answer=[8, 7],
            tolerance=0,
            success_message="Eight queries, one for each token written; seven keys, one for each "
            "token read.",
            mistakes={
                "transposed": [7, 8],
                "square": [8, 8],
                "square-source": [7, 7],
                "one-row": [1, 7],
                "all-together": [15, 15],
                "all-as-keys": [8, 15],
            },
        ),
        choice(
            "longer_source",
            "Suppose the sentence read had one more word but the same translation. What would "
            "change?",
            {
                "a": option(
                    "The output has one more row",
                    failure_message="The output has one row for each query, and there are still "
                    "eight.",
                    misconception="rows-follow-source",
                ),
                "b": option(
                    "The weight matrices of the layer have one more row",
                    failure_message="They turn one token into one query, key or value. Their "
                    "shapes do not depend on how many tokens there are.",
                    misconception="parameters-grow",
                ),
                "c": option(
                    "The weights have one more column, and the output keeps its shape",
                    correct=True,
                    success_message="Yes. Each query distributes its weight over one more key.",
                ),
            },
        ),
        choice(
            "picked",
            "In the row of *ramassée*, 0.98 of the weight is on *picked*. We replace the encoder's "
            "vector for *picked* by one from a sentence with a masculine noun instead of *the "
            "apple*, and change nothing else. With 20 such nouns, how often does this model write "
            "the masculine *ramassé*?",
            {
                "a": option(
                    "for nearly all 20: almost the whole weight is on this vector",
                    failure_message="For none. The weight says where the row looks, not what "
                    "decides the gender; the text below finds out what does.",
                    misconception="weight-is-cause",
                ),
                "b": option(
                    "for about half: the other words matter as well",
                    failure_message="For none: this vector alone does not decide it. The text "
                    "below finds out what does.",
                    misconception="half-half",
                ),
                "c": option(
                    "for none of them",
                    correct=True,
                    success_message="Yes, although this vector gets nearly all the weight. The "
                    "text below finds out where the gender comes from.",
                ),
            },
        ),
    ],
    hints=["A row belongs to a query, a column to a key. Which tokens supply the queries?"],
    misconceptions={
        "transposed": "The two numbers are exchanged. Rows are queries, and these are computed "
        "from the tokens that are written.",
        "one-row": "(1, 7) holds the weights of one token that is written. There are 8 of them.",
        "all-together": "15 is 7 + 8. Queries are computed from the 8 tokens written, and keys "
        "from the 7 read.",
        "all-as-keys": "The 15 columns would be the tokens of both sentences. Keys are computed "
        "from the 7 that are read.",
        "square": "(8, 8) would be the written sentence attending to itself.",
        "square-source": "(7, 7) would be the sentence that was read attending to itself. The end "
        "mark is written, too, so 8 tokens have a query.",
    },
)

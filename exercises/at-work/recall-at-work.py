"""Three questions on earlier chapters, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-at-work",
    chapter="at-work",
    title="Before you start",
    questions=[
        choice(
            "cross_attention",
            "A model answers a question about a picture, and its answer depends on what is seen in "
            "a few cells. It has one cross-attention layer. Where do queries, keys and values come "
            "from?",
            {
                "a": option(
                    "Queries from the question, keys and values from the picture",
                    correct=True,
                    success_message="Yes: the words of the question attend to the cells.",
                ),
                "b": option(
                    "Queries from the picture, keys and values from the question",
                    failure_message="Then cells would attend to words. Queries belong to what "
                    "needs the information, keys and values to what has it.",
                    misconception="sides-swapped",
                ),
                "c": option(
                    "All three from the picture",
                    failure_message="That is self-attention among the cells. It mixes the cells "
                    "but ignores the question.",
                    misconception="self-for-cross",
                ),
                "d": option(
                    "Queries and keys from the question, values from the picture",
                    failure_message="Keys and values stand for the same things, in pairs: a key "
                    "says what its value is about.",
                    misconception="keys-without-values",
                ),
            },
        ),
        numeric(
            "weights_shape",
            "The 7 words of a caption attend to a picture of 4 by 4 cells. How many weights does "
            "one head compute?",
            answer=112,
            tolerance=0.0,
            success_message="7 queries times 16 keys.",
            mistakes={
                "one-side": 28,
                "square": 49,
                "added": 23,
                "square-of-cells": 256,
                "one-word": 16,
                "side-added": 11,
            },
        ),
        choice(
            "order",
            "A model without positions takes one weighted mean of the words *good not boring*, and "
            "one of *boring not good*. Are the two resulting vectors the same?",
            {
                "a": option(
                    "No: the words are in other places",
                    failure_message="Scores depend on the words alone. Without positions their "
                    "order is invisible.",
                    misconception="order-is-seen",
                ),
                "b": option(
                    "Yes",
                    correct=True,
                    success_message="Yes: the words are the same, so the weights and sum are, too.",
                ),
                "c": option(
                    "No: the weights are the same, but the values are not",
                    failure_message="Values are computed from the words as well, and they do not "
                    "depend on places.",
                    misconception="values-know-places",
                ),
            },
        ),
    ],
    misconceptions={
        "one-side": "The picture has 4 · 4 cells, and each of them is a key.",
        "square": "7 · 7 would be words attending to words. Here they attend to cells.",
        "square-of-cells": "16 · 16 would be cells that attend to cells. Here words attend to "
        "cells.",
        "one-word": "16 is the number for one word: a weight for each cell. There are 7 words.",
        "side-added": "11 is 7 + 4. The picture has 16 cells, and there is a weight for each pair "
        "of a word and a cell.",
        "added": "Every word has a weight for every cell: how many pairs are there?",
    },
)

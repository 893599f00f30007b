"""Three questions on the chapters before, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-at-work",
    chapter="at-work",
    title="Before you start",
    questions=[
        choice(
            "cross_attention",
            "A model writes a caption for a picture: words look at cells of the picture. Where do "
            "queries, keys and values come from?",
            {
                "a": option(
                    "Queries from the caption, keys and values from the picture",
                    correct=True,
                    success_message="Yes: cross-attention. The words query the cells.",
                ),
                "b": option(
                    "Queries from the picture, keys and values from the caption",
                    failure_message="Then cells would attend to words. Queries belong to what is "
                    "being written, keys and values to what is looked at.",
                    misconception="sides-swapped",
                ),
                "c": option(
                    "All three from the picture",
                    failure_message="That is self-attention among the cells. It mixes the "
                    "cells, and the caption has no part in it.",
                    misconception="self-for-cross",
                ),
                "d": option(
                    "Queries and keys from the caption, values from the picture",
                    failure_message="Keys and values stand for the same things, in pairs: a key "
                    "says what its value is about.",
                    misconception="keys-without-values",
                ),
            },
        ),
        numeric(
            "weights_shape",
            "A caption of 7 words looks at a picture of 4 by 4 cells. How many weights does one "
            "head compute?",
            answer=112,
            tolerance=0.0,
            success_message="7 queries times 16 keys.",
            mistakes={"one-side": 28, "square": 49, "added": 23},
        ),
        choice(
            "order",
            "Attention without positions reads *good not boring* and *boring not good*. What does "
            "it "
            "make of the pooled vector?",
            {
                "a": option(
                    "Two different vectors, since the words stand elsewhere",
                    failure_message="Scores depend on the words alone. Without positions their "
                    "order is invisible.",
                    misconception="order-is-seen",
                ),
                "b": option(
                    "The same vector twice",
                    correct=True,
                    success_message="Yes: the same words, so the same weights and the same sum.",
                ),
                "c": option(
                    "The same weights, but other values",
                    failure_message="Values are made of the words as well, and do not know their "
                    "places.",
                    misconception="values-know-places",
                ),
            },
        ),
    ],
    misconceptions={
        "one-side": "The picture has 4 · 4 cells, and each of them is a key.",
        "square": "7 · 7 would be words looking at words. Here they look at cells.",
        "added": "Every word has a weight for every cell: how many pairs are there?",
    },
)

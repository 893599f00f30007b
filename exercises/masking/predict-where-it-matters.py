"""In all six layers of all-MiniLM-L6-v2, somebody takes the softmax over the **queries**. Somebody
else leaves out the scale. After layer 1, the cosine between the vector of the 12-token sentence and
the model's own is 0.993 with the first mistake, and 0.986 with the second. (Vectors that point the
same way have cosine 1.)
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-where-it-matters",
    chapter="masking",
    title="Predict: where a mistake starts to matter",
    questions=[
        choice(
            "after_six_layers",
            "What are the two cosines after layer 6?",
            {
                "a": option(
                    "Both are 0.95 or more: every layer normalises its tokens, which removes most "
                    "of the difference",
                    failure_message="A norm sets each token's mean and spread. The token's "
                    "direction stays wrong, and the next layer starts from it.",
                    misconception="norms-repair",
                ),
                "b": option(
                    "Leaving out the scale is worse: its cosine was lower after layer 1, and "
                    "errors grow alike",
                    failure_message="Errors do not grow alike. Without the scale, the right keys "
                    "still have the largest weights.",
                    misconception="errors-grow-alike",
                ),
                "c": option(
                    "The softmax over the queries is far worse, although its cosine was higher "
                    "after layer 1",
                    correct=True,
                    success_message="Yes: its cosine is 0.428, and 0.862 without the scale.",
                ),
                "d": option(
                    "Both are near 0: after six layers, nothing is left of the sentence",
                    failure_message="A residual connection carries each token past every "
                    "attention. With neither mistake is the cosine below 0.4 here.",
                    misconception="nothing-left",
                ),
            },
        ),
        choice(
            "no_mask",
            "A third person forgets the mask. Which sentence's vector changes?",
            {
                "a": option(
                    "Both sentences' vectors: they are in the same batch",
                    failure_message="Sentences in a batch never interact. The longer one has no "
                    "token to hide.",
                    misconception="sentences-meet",
                ),
                "b": option(
                    "Neither: the mean leaves out the padding tokens",
                    failure_message="The mean does, but the sentence's own tokens attended to the "
                    "padding in every layer.",
                    misconception="mean-protects",
                ),
                "c": option(
                    "The padded sentence's vector, and no other",
                    correct=True,
                    success_message="Yes. Its tokens give some of their weight to six padding "
                    "tokens.",
                ),
            },
        ),
    ],
    hints=[
        "What does each mistake do to the order of a query's weights?",
        "Which tokens does a mask hide in a sentence that fills its row?",
    ],
)

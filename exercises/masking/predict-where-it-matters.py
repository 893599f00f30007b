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
            "Where are the two vectors after layer 6?",
            {
                "a": option(
                    "Both at 0.95 or more: every layer normalises its tokens, which takes most of "
                    "the difference away",
                    failure_message="A norm sets each token's mean and spread. Its direction stays "
                    "wrong, and the next layer starts from there.",
                    misconception="norms-repair",
                ),
                "b": option(
                    "Leaving out the scale is worse: it was further away after layer 1, and errors "
                    "grow alike",
                    failure_message="They do not grow alike. Without the scale the right keys "
                    "still have the largest weights.",
                    misconception="errors-grow-alike",
                ),
                "c": option(
                    "The softmax over the queries is far worse, although it was nearer after "
                    "layer 1",
                    correct=True,
                    success_message="Yes: 0.428, and 0.862 without the scale.",
                ),
                "d": option(
                    "Both near 0: after six layers nothing is left of the sentence",
                    failure_message="A residual connection carries each token past every "
                    "attention. Neither of these two mistakes gets below 0.4 here.",
                    misconception="nothing-left",
                ),
            },
        ),
        choice(
            "no_mask",
            "A third person forgets the mask. Whose vectors change?",
            {
                "a": option(
                    "Those of both sentences: they are in the same batch",
                    failure_message="Sentences of a batch never meet. The longer one has no token "
                    "that is to be hidden.",
                    misconception="sentences-meet",
                ),
                "b": option(
                    "Those of neither: the mean leaves out the tokens that fill up",
                    failure_message="The mean does, but the sentence's own tokens attended to "
                    "them, in every layer.",
                    misconception="mean-protects",
                ),
                "c": option(
                    "Those of the padded sentence, and no others",
                    correct=True,
                    success_message="Yes. Its tokens share their weight with six that say nothing.",
                ),
            },
        ),
    ],
    hints=[
        "What does each mistake do to the order of a query's weights?",
        "Which tokens does a mask hide in a sentence that fills its row?",
    ],
)

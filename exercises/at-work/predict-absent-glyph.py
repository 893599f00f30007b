"""The picture has a bar, a ring, an arch and a diamond on 16 cells, and no cross. The query for
*cross* gets the same 16 keys as the others, and the model has learned to answer that there is no
cross.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-absent-glyph",
    chapter="at-work",
    title="Predict: a query for what is absent",
    questions=[
        choice(
            "weights_of_cross",
            "How large is the largest of the 16 weights of the query for *cross*?",
            {
                "a": option(
                    "0: there is nothing to attend to, so all weights are 0",
                    failure_message="The weights come from a softmax, so they sum to 1 for every "
                    "query.",
                    misconception="softmax-abstains",
                ),
                "b": option(
                    "About 1/16: without a match the scores are equal",
                    failure_message="Scores would have to be equal for that. The noise and the "
                    "other glyphs differ from cell to cell, so the scores do as well.",
                    misconception="absent-is-uniform",
                ),
                "c": option(
                    "About 1/4: the four cells with glyphs share the weight, as the nearest match",
                    failure_message="These cells match other queries. In this picture the three "
                    "largest weights of *cross* are on cells without any glyph.",
                    misconception="nearest-glyph",
                ),
                "d": option(
                    "More than 1/4, on one of the cells",
                    correct=True,
                    success_message="Yes, as the table below shows. Softmax normalises whatever "
                    "the scores are, so the largest score gets a large weight even where nothing "
                    "matches.",
                ),
            },
        )
    ],
    hints=["What do the weights of a query sum to?"],
)

"""Three questions on the chapters before, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-windows",
    chapter="windows",
    title="Before you start",
    questions=[
        numeric(
            "causal_pairs",
            "Five tokens look at each other with a causal mask. How many of the 25 cells are "
            "visible?",
            answer=15,
            tolerance=0.0,
            success_message="1 + 2 + 3 + 4 + 5: the staircase with its diagonal.",
            mistakes={"without-itself": 10, "nothing-hidden": 25, "half": 12.5},
        ),
        choice(
            "visible_row",
            "A mask leaves one query two visible keys out of six, with the scores 1 and 0. What do "
            "their two weights sum to?",
            {
                "a": option(
                    "To one third: two of six",
                    failure_message="A mask does not leave room for what it hides. The visible "
                    "keys share everything.",
                    misconception="share-of-visible",
                ),
                "b": option(
                    "To 1",
                    correct=True,
                    success_message="Yes. Hidden scores drop out before the softmax, and the "
                    "visible keys share everything. So it is in a window, too.",
                ),
                "c": option(
                    "To whatever they had without the mask",
                    failure_message="That is what cutting after the softmax gives. Hide first, "
                    "then share out.",
                    misconception="not-renormalised",
                ),
                "d": option(
                    "It depends on the hidden scores",
                    failure_message="A hidden score is minus infinity before the softmax; what it "
                    "was is forgotten.",
                    misconception="hidden-still-counts",
                ),
            },
        ),
        numeric(
            "twice_as_long",
            "A text gets three times as long. How many times as many scores does self-attention "
            "compute?",
            answer=9,
            tolerance=0.0,
            success_message="Three times the queries, and three times the keys for each.",
            mistakes={"linear": 3, "one-more": 6, "exponential": 8},
        ),
    ],
    misconceptions={
        "without-itself": "That is the triangle without its diagonal. A token may look at itself.",
        "nothing-hidden": "25 is all of them. A causal mask hides what comes later.",
        "half": "The diagonal is visible, so it is more than half.",
        "linear": "There are three times as many queries. And how many keys does each of them see?",
        "one-more": "Count rows and columns: 3n rows, 3n columns.",
        "exponential": "That would be 2 to the power of 3. The number of scores is a product of "
        "two lengths.",
    },
)

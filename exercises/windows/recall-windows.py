"""Three questions on earlier chapters, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-windows",
    chapter="windows",
    title="From memory",
    hints=[
        "A causal mask lets each token see itself and the tokens before it. A mask takes effect "
        "before the softmax."
    ],
    questions=[
        numeric(
            "causal_pairs",
            "Five tokens attend to each other with a causal mask. How many of the 25 cells are "
            "visible?",
            answer=15,
            tolerance=0.0,
            success_message="1 + 2 + 3 + 4 + 5: a staircase that includes the diagonal.",
            failure_message="How many keys does the first token see, and how many does the second "
            "see?",
            mistakes={
                "without-itself": 10,
                "nothing-hidden": 25,
                "diagonal-hidden": 20,
                "half": 12.5,
                "diagonal-alone": 5,
            },
        ),
        choice(
            "visible_row",
            "A mask leaves one query two visible keys out of six, with the scores 1 and 0. What do "
            "their two weights sum to?",
            {
                "a": option(
                    "To one third: two of six",
                    failure_message="A mask leaves no weight for the keys that it hides. The "
                    "weights of the visible keys sum to 1.",
                    misconception="share-of-visible",
                ),
                "b": option(
                    "To the same as without the mask",
                    failure_message="That is what zeroing weights after the softmax gives. The "
                    "mask hides scores before the softmax, which then normalises over the visible "
                    "keys.",
                    misconception="not-renormalised",
                ),
                "c": option(
                    "It depends on the hidden scores",
                    failure_message="A hidden score becomes minus infinity before the softmax, so "
                    "its old value has no effect.",
                    misconception="hidden-still-counts",
                ),
                "d": option(
                    "To 1",
                    correct=True,
                    success_message="Yes. The softmax normalises over the visible keys. The same "
                    "holds in a window.",
                ),
            },
        ),
        numeric(
            "twice_as_long",
            "A text becomes three times as long. By what factor does the number of scores in "
            "self-attention grow?",
            answer=9,
            tolerance=0.0,
            success_message="There are three times as many queries, each with three times as many "
            "keys.",
            failure_message="There is a score for each pair of a query and a key. How does the "
            "number of each grow?",
            mistakes={"linear": 3, "added": 6, "exponential": 8, "cubic": 27},
        ),
    ],
    misconceptions={
        "without-itself": "10 is the triangle without its diagonal. A token also attends to "
        "itself.",
        "nothing-hidden": "25 is all of them. A causal mask hides the keys that come later.",
        "diagonal-hidden": "20 leaves 5 hidden. All later keys are hidden: four from the first "
        "token, three from the second, and so on.",
        "half": "12.5 is half of 25. The diagonal is visible, so it is more than half.",
        "diagonal-alone": "5 is one key for each token. A token sees itself and all earlier ones.",
        "linear": "There are three times as many queries. How many keys does each of them have?",
        "added": "6 = 3 + 3. There is a score for each *pair*: multiply the two factors.",
        "exponential": "8 = 2³. The number of scores is a product of two lengths, each of which "
        "grows by a factor of 3.",
        "cubic": "27 = 3³. Two things grow, queries and keys; the width of the vectors does not.",
    },
)

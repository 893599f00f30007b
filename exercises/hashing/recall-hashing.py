"""Three questions on the chapters before, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-hashing",
    chapter="hashing",
    title="Before you start",
    questions=[
        numeric(
            "stack_of_windows",
            "1000 tokens, a window of 3 on each side, 4 layers. How many tokens can have informed "
            "the one in place 500?",
            answer=25,
            tolerance=0.0,
            success_message="3 · 4 = 12 on each side, and itself.",
            mistakes={"window-only": 7, "windows-added": 28, "one-side": 13, "without-itself": 24},
        ),
        choice(
            "weight_ratio",
            "One score is 2 higher than another in the same row. How do their weights compare?",
            {
                "a": option(
                    "The higher one is twice the other",
                    failure_message="Scores are exponents: differences become ratios, not "
                    "products.",
                    misconception="linear-softmax",
                ),
                "b": option(
                    "The higher one is larger by 2",
                    failure_message="Weights are between 0 and 1.",
                    misconception="weight-is-score",
                ),
                "c": option(
                    "The higher one is about 7.4 times the other",
                    correct=True,
                    success_message="Yes: e to the power of 2. So a few high scores can hold "
                    "nearly all weight. Whether they do is a question of this chapter.",
                ),
                "d": option(
                    "That depends on the other scores of the row",
                    failure_message="Their sizes do; their ratio does not.",
                    misconception="ratio-depends-on-row",
                ),
            },
        ),
        choice(
            "sees_nothing",
            "A mask hides all keys from one query. What does attention return for it here?",
            {
                "a": option(
                    "NaN",
                    failure_message="That is what 0/0 gives where nobody has decided.",
                    misconception="nan-row",
                ),
                "b": option(
                    "The mean of all values",
                    failure_message="That is what hiding with −10⁹ gives: a mean of what was "
                    "hidden.",
                    misconception="mean-of-hidden",
                ),
                "c": option(
                    "Zero",
                    correct=True,
                    success_message="Yes. This chapter has another way out for such a query: it "
                    "may look at itself, and only then.",
                ),
                "d": option(
                    "Its own value",
                    failure_message="Not in general. But remember the idea: it comes back below.",
                    misconception="own-value",
                ),
            },
        ),
    ],
    misconceptions={
        "window-only": "That is one layer. The next one sees what the neighbours have seen.",
        "windows-added": "Four windows of 7 overlap. Each layer adds 3 on each side.",
        "one-side": "That is one side. The window opens both ways.",
        "without-itself": "The token itself is in its window, too.",
    },
)

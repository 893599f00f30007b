"""Three questions on earlier chapters, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-hashing",
    chapter="hashing",
    title="From memory",
    hints=[
        "Each layer adds one window on each side. A difference of scores becomes a ratio of "
        "weights."
    ],
    questions=[
        numeric(
            "stack_of_windows",
            "A stack of 4 layers, with windows of 3 on each side, reads 1000 tokens. How "
            "many tokens can affect the output at position 500, token 500 included?",
            answer=25,
            tolerance=0.0,
            success_message="3 · 4 = 12 on each side, and itself.",
            failure_message="How far to each side does one layer reach, and how far do four?",
            mistakes={
                "window-only": 7,
                "windows-added": 28,
                "one-side": 13,
                "without-itself": 24,
                "distance": 12,
                "paths": 2401,
                "three-layers": 19,
                "five-layers": 31,
                "everything": 1000,
            },
        ),
        choice(
            "weight_ratio",
            "One score is 2 higher than another in the same row. How do their weights compare?",
            {
                "a": option(
                    "The higher one is twice the other",
                    failure_message="The softmax takes exponentials, so a *difference* of 2 "
                    "becomes a ratio of e².",
                    misconception="linear-softmax",
                ),
                "b": option(
                    "The higher one is larger by 2",
                    failure_message="Weights are between 0 and 1, so they cannot differ by 2.",
                    misconception="weight-is-score",
                ),
                "c": option(
                    "The higher one is about 7.4 times the other",
                    correct=True,
                    success_message="Yes: e². So a few high scores can get nearly all of the "
                    "weight. Whether they do is a question for this chapter.",
                ),
                "d": option(
                    "That depends on the other scores of the row",
                    failure_message="The two weights do, but their ratio does not: the sum "
                    "cancels.",
                    misconception="ratio-depends-on-row",
                ),
            },
        ),
        choice(
            "sees_nothing",
            "A mask hides all keys from one query. What does attention return for it in this "
            "course?",
            {
                "a": option(
                    "NaN",
                    failure_message="NaN comes from 0 / 0 if there is no rule for such a query.",
                    misconception="nan-row",
                ),
                "b": option(
                    "Zero",
                    correct=True,
                    success_message="Yes. This chapter uses another rule for such a query: it may "
                    "attend to itself, and only then.",
                ),
                "c": option(
                    "The mean of all values",
                    failure_message="That is the result of hiding with −10⁹: the mean of the "
                    "values that should be hidden.",
                    misconception="mean-of-hidden",
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
        "window-only": "7 is one layer. The next layer adds the tokens that the neighbours have "
        "seen.",
        "windows-added": "28 is four windows of 7. They overlap: each layer adds 3 on each side.",
        "one-side": "13 is twelve on one side, and the token itself. The window opens both ways.",
        "without-itself": "24 is twelve on each side. The token itself is also in its window.",
        "distance": "12 is how far four layers reach to one side.",
        "paths": "2401 = 7⁴ counts paths. Many of them begin at the same token.",
        "three-layers": "19 is the reach of three layers.",
        "five-layers": "31 is the reach of five layers.",
        "everything": "1000 is the total number of tokens. Four layers reach 12 to each side.",
    },
)

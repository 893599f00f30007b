"""Each review has eight words: neutral ones, one adjective (*superb*, *boring* …) and one *not*. In
a quarter of the reviews, *not* comes right before the adjective and reverses its meaning; in the
others it comes before another word. The task is to judge the review.

A model computes **one** weighted mean of the word vectors, with a learned query. It has no
positions, so it knows nothing about word order.
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="predict-not-good",
    chapter="at-work",
    title="Predict: not good",
    questions=[
        numeric(
            "share_right",
            "At best, what share of the reviews can it get right?",
            answer=0.75,
            tolerance=0.01,
            success_message="Every review has a *not*. Without order the model cannot tell which "
            "word is negated, so the best it can do is trust the adjective.",
            mistakes={
                "chance": 0.5,
                "all": 1.0,
                "the-other-quarter": 0.25,
                "one-word-in-eight": 0.875,
                "only-one-in-eight": 0.125,
                "percent": 75.0,
            },
        ),
        choice(
            "plain_mean",
            "How will the plain mean of the word vectors, with equal weights, do in comparison?",
            {
                "a": option(
                    "Much worse: the adjective is one word in eight",
                    failure_message="An eighth of a clear signal is still a clear signal: the "
                    "layer that reads the mean can multiply it by eight.",
                    misconception="dilution-is-loss",
                ),
                "b": option(
                    "About as well",
                    correct=True,
                    success_message="Yes, at this length. Here attention only adds that you can "
                    "see where it looks.",
                ),
                "c": option(
                    "Better: it does not lose the other words",
                    failure_message="The other words say nothing here, and the mean "
                    "cannot show which word is negated either.",
                    misconception="mean-sees-more",
                ),
            },
        ),
    ],
    hints=[
        "What does the model know when it knows the words but not their order?",
        "Trusting the adjective fails exactly where it is negated.",
    ],
    misconceptions={
        "chance": "The model sees the adjective, and in most reviews the adjective is right.",
        "all": "To use *not*, the model has to know which word follows it.",
        "only-one-in-eight": "One in eight would be worse than guessing. The adjective is right "
        "wherever it is not negated.",
        "percent": "75 is the share in percent. Write it as a number between 0 and 1.",
        "one-word-in-eight": "How many words there are does not matter: the adjective can be "
        "found. In a quarter of the reviews it is negated.",
        "the-other-quarter": "In that share of the reviews, the meaning of the adjective is "
        "reversed.",
    },
)

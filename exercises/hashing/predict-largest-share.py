"""A query has 1024 keys. Its scores are normally distributed with a standard deviation of 1, as
dividing by $\\sqrt{d_k}$ makes them before training.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-largest-share",
    chapter="hashing",
    title="Predict: the share of the largest scores",
    questions=[
        choice(
            "largest_share",
            "What share of the weight do the keys with the 32 largest scores get together?",
            {
                "a": option(
                    "About 0.2",
                    correct=True,
                    success_message="Yes: about six times their share of the keys, but still a "
                    "small part of the weight.",
                ),
                "b": option(
                    "About 0.03",
                    failure_message="32 of 1024 is 0.03, which is their share with equal weights. "
                    "Larger scores get more.",
                    misconception="equal-weights",
                ),
                "c": option(
                    "About 0.55",
                    failure_message="That takes scores with a standard deviation of 2.",
                    misconception="spread-of-two",
                ),
                "d": option(
                    "About 0.95",
                    failure_message="That takes scores with a standard deviation of 4. With 1, the "
                    "largest weight is only about e³ times a typical one.",
                    misconception="only-the-largest",
                ),
            },
        )
    ],
    hints=[
        "The largest 32 of 1024 scores lie between about 1.9 and 3.2. What is e to these powers?"
    ],
)

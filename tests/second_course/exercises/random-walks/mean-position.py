"""A thousand walkers start at 0 and walk $n$ steps each."""

from coursekit import choice, option, quiz

quiz(
    id="mean-position",
    chapter="random-walks",
    title="The mean position",
    questions=[
        choice(
            "mean",
            "What is the mean of their positions near to, for large $n$?",
            {
                "a": option("0", correct=True, success_message="Yes: left and right cancel."),
                "b": option(
                    "$\\sqrt n$",
                    failure_message="That is how far from 0 a walk typically ends, on either "
                    "side. The sides cancel in the mean.",
                    misconception="distance",
                ),
                "c": option(
                    "$n$",
                    failure_message="Only a walk with all its steps to the right ends there.",
                    misconception="all-right",
                ),
            },
            points=1,
        )
    ],
    hints=["What does the mean of $s_1$ come to? And of a sum of such steps?"],
    misconceptions={
        "distance": "You took the typical distance for the mean position.",
        "all-right": "You took the farthest position for the mean.",
    },
)

"""One self-attention layer without a mask gets five tokens. The five rows of `x` are shuffled: *dog
bites man today again* becomes *man again bites dog today*. The weight matrices stay the same.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-shuffle",
    chapter="positions",
    title="Predict: a shuffled sentence",
    questions=[
        choice(
            "rows",
            "What happens to the five rows of the output?",
            {
                "a": option(
                    "They are the same rows as before, shuffled in the same way",
                    correct=True,
                    success_message="Yes. Each word finds the same keys and values in another "
                    "order, and a sum does not depend on order.",
                ),
                "b": option(
                    "They stay where they were",
                    failure_message="Row 0 belongs to the token in row 0, which is now a different "
                    "one.",
                    misconception="rows-stay",
                ),
                "c": option(
                    "They change: every word has different neighbours now",
                    failure_message="It has the same words around it, and no number that it sees "
                    "says which of them is adjacent.",
                    misconception="neighbours-matter",
                ),
                "d": option(
                    "They change, since the weights of a row must sum to 1 again",
                    failure_message="They sum to 1 before and after; they are the same weights in "
                    "another order.",
                    misconception="softmax-sees-order",
                ),
            },
        ),
        choice(
            "who_bites",
            "A classifier takes the mean of the output rows. Can it tell *dog bites man* from *man "
            "bites dog*?",
            {
                "a": option(
                    "Yes: the weights between *dog* and *bites* say who bites",
                    failure_message="These weights are the same in both sentences.",
                    misconception="weights-tell",
                ),
                "b": option(
                    "Yes, with enough layers",
                    failure_message="Each layer passes shuffled rows to the next, whose outputs "
                    "are shuffled in the same way. No layer adds the order.",
                    misconception="depth-helps",
                ),
                "c": option(
                    "No: both give the same mean",
                    correct=True,
                    success_message="Yes. The rows are the same in another order, so their mean is "
                    "the same.",
                ),
            },
        ),
    ],
    hints=[
        "Write down what the query of *bites* is compared with, in both sentences.",
        "An output is a sum over keys. Does a sum depend on the order of its terms?",
    ],
)

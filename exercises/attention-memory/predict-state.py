"""Two models read 8 pairs and then look up one key. One attends with a softmax to the 8 keys. The
other sums the pairs into the state of linear attention, with 2, 8 or 32 features, each with a row
of 32 numbers. Guessing is right in 1 of 16 cases.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-state",
    chapter="attention-memory",
    title="Predict: what does a state recall?",
    questions=[
        choice(
            "recalled",
            "What share of the keys does each of them look up right, after training with 8 pairs?",
            {
                "a": option(
                    "All of them find all keys: 8 pairs are few, even for 64 numbers.",
                    failure_message="A value that is one of 16 takes 4 bits, so there is room. But "
                    "the query must read one pair without the others, and in two dimensions, 8 "
                    "keys cannot point in sufficiently different directions.",
                    misconception="room-is-recall",
                ),
                "b": option(
                    "The softmax finds all of them; the fewer features a state has, the fewer it "
                    "finds.",
                    correct=True,
                    success_message="Yes. A state returns a mixture of all values, weighted by the "
                    "overlap of features; with fewer features, keys overlap more.",
                ),
                "c": option(
                    "The softmax finds all of them; no state does better than a guess.",
                    failure_message="Features that differ enough keep keys apart: a wide state can "
                    "look up several.",
                    misconception="state-is-useless",
                ),
                "d": option(
                    "All about the same: the sum over pairs is taken either way.",
                    failure_message="The softmax sees the query before it sums, and can put all "
                    "its weight on one key.",
                    misconception="same-function",
                ),
            },
        )
    ],
)

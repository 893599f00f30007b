"""Dot, scaled dot, general, additive. Which is which?"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="choose-a-score",
    chapter="scores",
    title="Choose a score",
    questions=[
        choice(
            "widths",
            "Queries are 512 wide, keys 300. Which scores work as they are?",
            {
                "a": option(
                    "dot and scaled dot",
                    failure_message="A dot product needs equal widths: 512 products need 512 "
                    "pairs.",
                    misconception="dot-with-any-width",
                ),
                "b": option(
                    "general and additive",
                    correct=True,
                    success_message="Yes: W has shape (512, 300), and the additive score has a "
                    "matrix for each side.",
                ),
                "c": option(
                    "additive only",
                    failure_message="W in the general score need not be square.",
                    misconception="square-general",
                ),
                "d": option(
                    "all of them, by broadcasting",
                    failure_message="Broadcasting repeats axes of length 1. It does not fit 512 "
                    "to 300.",
                    misconception="broadcasts",
                ),
            },
        ),
        numeric(
            "megabytes",
            "The additive score of 1,024 queries with 1,024 keys, `d_hidden` 64, float32 (4 "
            "bytes). How many MiB (1,048,576 bytes) does the array of all hidden vectors take?",
            answer=256,
            tolerance=0.5,
            unit="MiB",
            success_message="1024 · 1024 pairs, 64 numbers each, 4 bytes a number.",
            mistakes={"scores-only": 4, "bytes-forgotten": 64, "double": 512},
        ),
        choice(
            "impossible",
            "All values lie between 0 and 1. With which score can an output be 1.2?",
            {
                "a": option(
                    "general: its matrix can make any score as large as it likes",
                    failure_message="Large scores make one weight large, and no weight is larger "
                    "than 1.",
                    misconception="score-scales-output",
                ),
                "b": option(
                    "dot, without the root",
                    failure_message="The root changes how sharp the weights are. They still sum "
                    "to 1.",
                    misconception="unscaled-leaves-hull",
                ),
                "c": option(
                    "additive: a small network computes anything",
                    failure_message="It computes the scores. What follows is a mean of the "
                    "values, as ever.",
                    misconception="network-leaves-hull",
                ),
                "d": option(
                    "with none",
                    correct=True,
                    success_message="Yes. The score chooses the weights, and any weights give a "
                    "mean of the values.",
                ),
            },
        ),
    ],
    misconceptions={
        "scores-only": "4 MiB is the result, one number for each pair. On the way there is a "
        "hidden vector for each.",
        "bytes-forgotten": "That counts numbers, in millions. Each takes 4 bytes.",
        "double": "That is float64. The numbers here take 4 bytes.",
    },
)

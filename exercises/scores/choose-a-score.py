"""Dot, scaled dot, general, additive: what does each need, and what can it do?"""

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
                    failure_message="A dot product needs equal widths: 512 numbers cannot be "
                    "multiplied in pairs with 300.",
                    misconception="dot-with-any-width",
                ),
                "b": option(
                    "additive only",
                    failure_message="The matrix W of the general score need not be square.",
                    misconception="square-general",
                ),
                "c": option(
                    "all of them, by broadcasting",
                    failure_message="Broadcasting repeats axes of length 1. It cannot match 512 "
                    "with 300.",
                    misconception="broadcasts",
                ),
                "d": option(
                    "general and additive",
                    correct=True,
                    success_message="Yes: W has shape (512, 300), and the additive score has a "
                    "matrix for each side.",
                ),
            },
        ),
        numeric(
            "megabytes",
            "The additive score compares 1024 queries with 1024 keys, `d_hidden` 64, in float32 "
            "(4 bytes). How many MiB (1,048,576 bytes) do all hidden vectors take, one for each "
            "pair?",
            answer=256,
            tolerance=0.1,
            unit="MiB",
            success_message="1024 · 1024 pairs have 64 numbers each, with 4 bytes a number.",
            mistakes={
                "scores-only": 4,
                "bytes-forgotten": 64,
                "double": 512,
                "million-bytes": 268.435,
                "gibibytes": 0.25,
                "kibibytes": 262144,
                "bits": 2048,
                "sides-only": 0.5,
            },
        ),
        choice(
            "impossible",
            "All values lie between 0 and 1. With which score can an output be 1.2?",
            {
                "a": option(
                    "with none",
                    correct=True,
                    success_message="Yes. The score determines the weights, and any weights give a "
                    "mean of the values.",
                ),
                "b": option(
                    "general: its matrix can make any score as large as it likes",
                    failure_message="A large score makes one weight large, and no weight is larger "
                    "than 1.",
                    misconception="score-scales-output",
                ),
                "c": option(
                    "dot, without the root",
                    failure_message="The root changes how sharp the weights are. They still sum "
                    "to 1.",
                    misconception="unscaled-leaves-hull",
                ),
                "d": option(
                    "additive: a small network computes anything",
                    failure_message="It computes the scores. The output is still a weighted mean "
                    "of the values.",
                    misconception="network-leaves-hull",
                ),
            },
        ),
    ],
    misconceptions={
        "scores-only": "4 MiB is the array of scores, one number for each pair. Each pair has a "
        "hidden vector of 64 numbers.",
        "bytes-forgotten": "64 counts the numbers, in units of 1,048,576. Each number takes 4 "
        "bytes.",
        "double": "512 MiB would be float64, or two such arrays. Here a number takes 4 bytes, and "
        "there is one array.",
        "million-bytes": "That counts in millions of bytes. One MiB has 1,048,576.",
        "gibibytes": "That is the answer in GiB. Give it in MiB.",
        "kibibytes": "That is the answer in KiB. Give it in MiB.",
        "bits": "That counts bits. A byte has 8 of them.",
        "sides-only": "That is one vector for each query and each key. Each *pair* has its own.",
    },
)

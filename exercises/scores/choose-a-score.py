"""Dot, scaled dot, general, additive; soft, hard, local. Which is which?"""

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
                    feedback="A dot product needs equal widths: 512 products need 512 pairs.",
                    misconception="dot-with-any-width",
                ),
                "b": option(
                    "general and additive",
                    correct=True,
                    feedback="Yes: W has shape (512, 300), and the additive score has a matrix for "
                    "each side.",
                ),
                "c": option(
                    "additive only",
                    feedback="W in the general score need not be square.",
                    misconception="square-general",
                ),
                "d": option(
                    "all of them, by broadcasting",
                    feedback="Broadcasting repeats axes of length 1. It does not fit 512 to 300.",
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
            right="1024 · 1024 pairs, 64 numbers each, 4 bytes a number.",
            mistakes={"scores-only": 4, "bytes-forgotten": 64, "double": 512},
        ),
        choice(
            "two_globals",
            "“Global attention” in Luong's paper and “global attention” in the Longformer: what do "
            "they mean?",
            {
                "a": option(
                    "The same: every query sees every key",
                    feedback="That is Luong's meaning. In the Longformer most queries see a "
                    "window; a few chosen tokens are global.",
                    misconception="one-meaning",
                ),
                "b": option(
                    "Luong: every query sees every key. Longformer: a few chosen tokens see all "
                    "and are seen by all",
                    correct=True,
                    feedback="Yes. One names a whole mechanism, the other a few tokens in it.",
                ),
                "c": option(
                    "Luong: a few chosen tokens. Longformer: every query sees every key",
                    feedback="The other way round.",
                    misconception="swapped",
                ),
                "d": option(
                    "Luong: attention over all layers. Longformer: over all documents",
                    feedback="Neither speaks of layers or documents here; both speak of which keys "
                    "a query sees.",
                    misconception="other-axis",
                ),
            },
        ),
        choice(
            "differentiable",
            "For which of these does backpropagation find a gradient with respect to the *scores*?",
            {
                "a": option(
                    "the value of the key with the largest score",
                    feedback="It stays the same when a score moves a little, and jumps when "
                    "another key takes over: its slope is 0 wherever it has one.",
                    misconception="argmax-differentiable",
                ),
                "b": option(
                    "the value of a key that was drawn",
                    feedback="The drawn value does not move with the scores; only its probability "
                    "does. That needs the score function.",
                    misconception="draw-differentiable",
                ),
                "c": option(
                    "the mean of all values, by weight",
                    correct=True,
                    feedback="Yes, soft attention: every weight moves with every score.",
                ),
                "d": option(
                    "all three",
                    feedback="Choosing one key, by draw or by maximum, is a jump.",
                    misconception="all-differentiable",
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

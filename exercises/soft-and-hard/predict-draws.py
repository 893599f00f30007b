"""Hard attention has 16 keys, and all scores are equal. One key is right and costs 0; the others
cost 1. Each draw of a key gives an estimate of the gradient of the expected loss, without a
baseline at first. A single draw is typically off by about 15.5 times the gradient's length.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-draws",
    chapter="soft-and-hard",
    title="Predict: how many draws make a gradient?",
    questions=[
        choice(
            "draws",
            "How many draws does it take until the standard error of their mean is a tenth of the "
            "gradient's length?",
            {
                "a": option(
                    "about 16, one for each key",
                    failure_message="Then each key is drawn about once, and the error is still far "
                    "larger than the gradient.",
                    misconception="once-each",
                ),
                "b": option(
                    "about 100, as an error falls with the root of the number",
                    failure_message="That would be true if one draw's error were as large as the "
                    "gradient. Here, one draw is off by much more: 15 of 16 estimates come from "
                    "wrong keys.",
                    misconception="root-only",
                ),
                "c": option(
                    "about 1,400",
                    failure_message="That is far too few. The error of one draw has to fall by a "
                    "factor of 155, and it falls with the root of the number of draws.",
                    misconception="too-few",
                ),
                "d": option(
                    "about 24,000",
                    correct=True,
                    success_message="Yes: (15.5 / 0.1)² is about 24,000. If the loss of every key "
                    "were known, one pass would give the gradient exactly.",
                ),
            },
        ),
        choice(
            "role_of_the_baseline",
            "Now the expected loss, 15/16, is subtracted from the loss of every draw. What "
            "changes?",
            {
                "a": option(
                    "Hardly anything: the right key's loss is now nearly as far from 0 as those of "
                    "the wrong keys were.",
                    failure_message="The right key is drawn once in 16 times. For the other 15 "
                    "draws, the loss is now much closer to 0.",
                    misconception="right-key-decides",
                ),
                "b": option(
                    "Only their spread: it gets larger, since some losses are now negative.",
                    failure_message="What counts is how far the losses are from 0, and most of "
                    "them are now closer.",
                    misconception="negative-is-worse",
                ),
                "c": option(
                    "Only their spread: it gets smaller.",
                    correct=True,
                    success_message="Yes. A draw of a wrong key now costs 1/16 instead of 1, so "
                    "nearly all estimates are small.",
                ),
                "d": option(
                    "Nothing: a constant has no gradient.",
                    failure_message="The constant multiplies the gradient of log p of each draw. "
                    "The mean is 0, but the spread is not.",
                    misconception="constant-has-no-effect",
                ),
            },
        ),
    ],
    hints=[
        "The standard error of a mean of n draws is √n times smaller than the error of one draw."
    ],
)

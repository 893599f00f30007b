"""A hard attention has 16 keys and all its scores are equal. One key is right and costs 0, the
others cost 1. Each draw of a key gives an estimate of the gradient of the expected loss, without a
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
            "How many draws until the standard error of their mean is a tenth of the gradient's "
            "length?",
            {
                "a": option(
                    "about 16, one for each key",
                    failure_message="Then each key was drawn about once, and the error is still "
                    "far larger than the gradient.",
                    misconception="once-each",
                ),
                "b": option(
                    "about 100, as an error falls with the root of the number",
                    failure_message="That would be so if one draw had an error as large as the "
                    "gradient. Here one draw is off by much more: 15 of 16 estimates come from "
                    "wrong keys.",
                    misconception="root-only",
                ),
                "c": option(
                    "about 1,400",
                    failure_message="That is enough with a good baseline. Without one it takes "
                    "many more.",
                    misconception="too-few",
                ),
                "d": option(
                    "about 24,000",
                    correct=True,
                    success_message="Yes: (15.5 / 0.1)² is about 24,000. If the loss of every key "
                    "were known, one pass would give the gradient exactly. The next question "
                    "reduces the number.",
                ),
            },
        ),
        choice(
            "role_of_the_baseline",
            "Now the expected loss, 15/16, is subtracted from the loss of every draw. What "
            "changes?",
            {
                "a": option(
                    "The mean of the estimates: they now estimate a different gradient.",
                    failure_message="The gradients of log p have mean 0 over the draws, so a "
                    "constant times them drops out of the mean.",
                    misconception="baseline-moves-the-mean",
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
                    success_message="Yes. A draw of a wrong key now costs 1/16 and not 1, so these "
                    "estimates, nearly all of them, are small.",
                ),
                "d": option(
                    "Nothing: a constant has no gradient.",
                    failure_message="The constant multiplies the gradient of log p of each draw. "
                    "Its mean is 0, but its spread is not.",
                    misconception="constant-has-no-effect",
                ),
            },
        ),
    ],
    hints=[
        "The standard error of a mean of n draws is √n times smaller than the error of one draw.",
    ],
)

"""One query, three keys. The scores are $(1, 0, 2)$, and the third key is padding. Without a mask
the weights are $(0.24, 0.09, 0.67)$: two thirds go to a token without meaning.

A calculator helps: $e^1 \\approx 2.718$, $e^2 \\approx 7.389$.
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="predict-hidden-key",
    chapter="masking",
    title="Predict: what a mask does to the others",
    questions=[
        numeric(
            "first_weight",
            "The third key is hidden. Which weight does the **first** key get now? Two decimals "
            "are enough.",
            answer=0.731,
            tolerance=0.006,
            success_message="2.718 / (2.718 + 1). The two visible keys share everything, in the "
            "same proportion as before.",
            mistakes={
                "cut-afterwards": 0.2447,
                "ratio-changed": 0.5745,
                "half": 0.5,
                "second-key": 0.269,
            },
        ),
        choice(
            "which_score",
            "Which score should the hidden key have, so that softmax gives it nothing?",
            {
                "a": option(
                    "0",
                    failure_message="e⁰ is 1, so it would get as much as the second key.",
                    misconception="zero-score",
                ),
                "b": option(
                    "−1",
                    failure_message="e⁻¹ is 0.37: less, and not nothing.",
                    misconception="negative-is-nothing",
                ),
                "c": option(
                    "−∞",
                    correct=True,
                    success_message="Yes: its exponential is 0. A finite score always keeps some "
                    "weight.",
                ),
                "d": option(
                    "No score does that; its weight must be set to 0 afterwards.",
                    failure_message="Then the row would no longer sum to 1: what the key had "
                    "would be lost, and the others would not get it.",
                    misconception="zero-after-softmax",
                ),
            },
        ),
    ],
    hints=[
        "Which exponentials are left in the sum when the third key is gone?",
        "The sum is $e^1 + e^0$.",
    ],
    misconceptions={
        "cut-afterwards": "0.245 is what the first key had before. Without the hidden key the "
        "other weights are larger, since they sum to 1.",
        "ratio-changed": "The two visible weights sum to 1 and keep their ratio, e to 1: that "
        "gives "
        "more than this. A hidden key has no weight, and what it had is not distributed equally.",
        "half": "The two visible keys do not get the same: their scores are 1 and 0.",
        "second-key": "0.269 is the weight of the second key.",
    },
)

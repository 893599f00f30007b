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
            success_message="2.718 / (2.718 + 1). The two visible keys have all the weight, in "
            "the same proportion as before.",
            mistakes={
                "cut-afterwards": 0.2447,
                "ratio-changed": 0.5745,
                "half": 0.5,
                "second-key": 0.269,
                "one-decimal": 0.7,
                "percent": 73.1,
                "score": 1.0,
                "of-the-hidden": 0.665,
            },
        ),
        choice(
            "which_score",
            "How can a hidden key get the weight 0, so that the weights of the others still sum "
            "to 1?",
            {
                "a": option(
                    "Give it a score of 0, since a score of 0 means no weight",
                    failure_message="e⁰ is 1, so it would get as much weight as the second key.",
                    misconception="zero-score",
                ),
                "b": option(
                    "Give it a negative score such as −10, since weights cannot be negative",
                    failure_message="e⁻¹⁰ is small, and it is not 0. If all other scores are −20, "
                    "the hidden key even gets nearly all the weight.",
                    misconception="negative-is-nothing",
                ),
                "c": option(
                    "Give it a score of −∞, since its exponential is then 0 in the sum, too",
                    correct=True,
                    success_message="Yes: its exponential is 0 above and below the fraction bar. "
                    "With a finite score it always keeps some weight.",
                ),
                "d": option(
                    "Set its weight to 0 after the softmax, since that leaves the others alone",
                    failure_message="It does leave them alone, and so they sum to less than 1: "
                    "their sum with the hidden key was 1.",
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
        "one-decimal": "That is right to one decimal. Give two.",
        "percent": "That is the weight in percent. As a weight it is 100 times smaller.",
        "score": "1 is the score of the first key. A weight of 1 would leave nothing for the "
        "second, which is visible, too.",
        "of-the-hidden": "That was the weight of the third key before it was hidden.",
        "cut-afterwards": "0.245 is what the first key had before. Without the hidden key the "
        "other weights are larger, since they sum to 1.",
        "ratio-changed": "The two visible weights sum to 1 and keep their ratio, e to 1: that "
        "gives "
        "more than this. A hidden key has no weight, and what it had is not distributed equally.",
        "half": "The two visible keys do not get the same: their scores are 1 and 0.",
        "second-key": "0.269 is the weight of the second key.",
    },
)

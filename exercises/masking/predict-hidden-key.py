"""One query, three keys. The scores are $(1, 0, 2)$, and the third key is padding. Without a mask
the weights are $(0.24, 0.09, 0.67)$: two thirds go to a token without meaning.

A calculator helps: $e^1 \\approx 2.718$, $e^2 \\approx 7.389$.
"""

from coursekit import Picture, numeric, quiz

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
            picture=Picture(
                "weights",
                ["key 1", "key 2", "hidden"],
                {
                    "ratio-changed": [0.574, 0.426, None],
                    "half": [0.5, 0.5, None],
                    "second-key": [0.269, 0.731, None],
                    "score": [1, 0, None],
                    "right": [0.731, 0.269, None],
                },
            ),
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
        numeric(
            "sum_afterwards",
            "Somebody sets the third weight to 0 *after* the softmax instead and leaves the others "
            "as they are. What do the three weights sum to?",
            answer=0.335,
            tolerance=0.0075,
            success_message="0.24 + 0.09 + 0. The output is then about a third of what it should "
            "be, and the larger the hidden score, the smaller it gets.",
            mistakes={
                "still-one": 1.0,
                "the-third-alone": 0.665,
                "one-weight": 0.2447,
                "the-other-weight": 0.09,
            },
        ),
    ],
    hints=[
        "Which exponentials are left in the sum when the third key is gone?",
        "The sum is $e^1 + e^0$.",
    ],
    misconceptions={
        "still-one": "The softmax made the three sum to 1. One of them is now 0, and nothing has "
        "changed the others.",
        "the-third-alone": "That is the weight that was taken away.",
        "one-weight": "That is the weight of the first key alone.",
        "the-other-weight": "That is the weight of the second key alone.",
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

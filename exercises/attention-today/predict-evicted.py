"""This is the head from the chapter's case: after most words, no earlier word helps. The mark at
the beginning says nothing about any word.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-evicted",
    chapter="attention-today",
    title="Predict: without the first token",
    questions=[
        choice(
            "evicted",
            "What happens to the predictions of these words when the mark is evicted?",
            {
                "a": option(
                    "Nothing: no prediction depends on the mark.",
                    failure_message="The next word does not depend on the mark. The weights do, "
                    "though: they sum to 1 and had to go somewhere.",
                    misconception="irrelevant-is-unused",
                ),
                "b": option(
                    "They become slightly worse at first and recover as more tokens come.",
                    failure_message="The window always holds 12 tokens. The mark is missing at "
                    "position 12 and at every later position, so nothing recovers.",
                    misconception="recovers",
                ),
                "c": option(
                    "They become much worse and stay worse.",
                    correct=True,
                    success_message="Yes. A softmax has to put its weight somewhere, and training "
                    "chose a token whose value does no harm. Without it, the same weight falls on "
                    "words, whose values do harm.",
                ),
                "d": option(
                    "They become better: the head attends to words instead of the mark.",
                    failure_message="For these words, no earlier word helps. The head adds only "
                    "noise.",
                    misconception="more-attention-helps",
                ),
            },
        )
    ],
)

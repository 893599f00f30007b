"""The head of the chapter's case: after most words nothing earlier helps. The mark at the beginning
says nothing about any word.
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
                    failure_message="What is predicted does not depend on the mark. The weights "
                    "do, though: they sum to 1, and had to be somewhere.",
                    misconception="irrelevant-is-unused",
                ),
                "b": option(
                    "They become slightly worse at first, and recover as more tokens come.",
                    failure_message="The window always holds 12 tokens. What came instead of the "
                    "mark at position 12 comes at every later position, too.",
                    misconception="recovers",
                ),
                "c": option(
                    "They become much worse, and stay so.",
                    correct=True,
                    success_message="Yes. A softmax has to put its weight somewhere, and "
                    "training chose a token whose value does no harm. Without it the same weight "
                    "falls on words, whose values do.",
                ),
                "d": option(
                    "They become better: the head attends to words instead of the mark.",
                    failure_message="For these words, no earlier word helps. What the head adds is "
                    "noise.",
                    misconception="more-attention-helps",
                ),
            },
        ),
    ],
)

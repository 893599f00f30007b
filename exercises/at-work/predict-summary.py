"""Texts have six sentences on one topic and up to five strays, each from a different text. The two
sentences whose vectors are nearest to the mean of the text are kept. The first sentence of a
document says what it is about.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-summary",
    chapter="at-work",
    title="Predict: which sentences are kept",
    questions=[
        choice(
            "strays",
            "With 5 strays among 11 sentences, how often is a kept sentence on topic?",
            {
                "a": option(
                    "In about 6 of 11 cases, as if chosen at random",
                    failure_message="Six sentences on one topic pull the mean towards them, and "
                    "five strays pull it in five directions.",
                    misconception="mean-is-blind",
                ),
                "b": option(
                    "In about three quarters of cases",
                    failure_message="It is clearer than that: strays come from different "
                    "documents, so no two of them pull the mean in the same direction.",
                    misconception="strays-pull-together",
                ),
                "c": option(
                    "Nearly always",
                    correct=True,
                    success_message="Yes: the mean lies among the six sentences that resemble one "
                    "another.",
                ),
            },
        ),
        choice(
            "first_sentence",
            "And how often is the first sentence of the document among the two that are kept?",
            {
                "a": option(
                    "Nearly always: it says what the text is about",
                    failure_message="The mean measures what is typical. A sentence that sums up "
                    "the topic need not be the most typical one.",
                    misconception="central-is-important",
                ),
                "b": option(
                    "About as often as every other sentence on topic, in a third of the texts",
                    correct=True,
                    success_message="Yes: two of the six are kept. Nearness to the mean does not "
                    "single out the sentence that matters.",
                ),
                "c": option(
                    "Hardly ever: it is too general",
                    failure_message="It is as near to the mean as the others are, so it is kept "
                    "as often.",
                    misconception="general-is-far",
                ),
            },
        ),
    ],
    hints=["Which sentences does the mean of the text resemble most?"],
)

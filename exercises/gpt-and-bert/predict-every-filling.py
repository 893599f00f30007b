"""The next-token model also gives a probability for a whole sentence: the product of the
probabilities of its tokens, each given those before it. So you can put every word of the vocabulary
into the gap, compute the probability of each whole sentence, and normalise.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-every-filling",
    chapter="gpt-and-bert",
    title="Predict: every word tried in the gap",
    questions=[
        choice(
            "gender",
            "How much of the probability is now on nouns with the gender of the participle?",
            {
                "a": option(
                    "nearly all of it",
                    correct=True,
                    success_message="Yes. With a noun of the wrong gender, the participle at the "
                    "end is improbable.",
                ),
                "b": option(
                    "about half, since each token is still predicted from those before it",
                    failure_message="Each token is. But the participle is now predicted from the "
                    "noun that was tried, and the product contains that probability.",
                    misconception="product-is-blind",
                ),
                "c": option(
                    "none: it was never trained to fill gaps",
                    failure_message="It was trained to predict the participle from the subject, "
                    "and that connection is what is used here.",
                    misconception="untrained-for-gaps",
                ),
            },
        )
    ],
    hints=["Which factor of the product changes when a noun of the other gender is tried?"],
)

"""The classifier has two layers: first the words attend to each other, then one learned query pools
them. Each review has one *not*: in *a boring not long film* the answer is "bad"; in *a not boring
long film* it is "good". The classifier is right in at least 0.98 of such reviews.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-weight-on-not",
    chapter="interpretation",
    title="Predict: the weight and the effect of “not”",
    questions=[
        choice(
            "weight_and_effect",
            "What do we find for *not* in front of the adjective, in most of three seeds?",
            {
                "a": option(
                    "A large weight in the pooling, and an answer that changes without it",
                    failure_message="It does change the answer, but it does not need weight in "
                    "the last layer: the first layer has already mixed the words.",
                    misconception="effect-needs-weight",
                ),
                "b": option(
                    "A large weight in the pooling, and an answer that stays the same",
                    failure_message="The answer has to depend on *not*, or *not boring* would "
                    "count as *boring*.",
                    misconception="weight-without-effect",
                ),
                "c": option(
                    "Next to no weight in the pooling, and an answer that changes without it",
                    correct=True,
                    success_message="Yes. The first layer has carried the value of *not* to the "
                    "position of the adjective, and the pooling reads that position.",
                ),
                "d": option(
                    "Next to no weight in the pooling, and an answer that stays the same",
                    failure_message="That is so for one of the three seeds, but not because of the "
                    "weight. In the other two, nearly every answer changes.",
                    misconception="no-weight-no-effect",
                ),
            },
        )
    ],
    hints=["Which layer can bring *not* and *boring* together?"],
)

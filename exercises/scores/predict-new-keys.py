"""Two models were trained on the same task, one with an additive score and one with a general
score. A query is made from one of six keys by a fixed linear map, and the model has to find that
key. Both succeed whenever the keys come from the twelve vectors ("words") that they were trained
on. Now the six keys are vectors that were never among these words. The map is the same.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-new-keys",
    chapter="scores",
    title="Predict: keys never seen",
    questions=[
        choice(
            "generalises",
            "Which model still finds the right one of the six keys nearly always?",
            {
                "a": option(
                    "the general score only",
                    correct=True,
                    success_message="Yes. The map from keys to queries is linear, which is exactly "
                    "what the matrix W can learn.",
                ),
                "b": option(
                    "the additive score only: it ends with the lower loss",
                    failure_message="The loss was measured on the twelve words. It does not say "
                    "what happens with other keys.",
                    misconception="lower-loss-generalises",
                ),
                "c": option(
                    "both: they learned the map",
                    failure_message="Both fit the twelve words. Only one of them had to learn the "
                    "map to do so.",
                    misconception="fit-is-understanding",
                ),
                "d": option(
                    "neither: twelve words are too few",
                    failure_message="A linear map from width 5 is determined by five independent "
                    "keys, and there are twelve.",
                    misconception="too-few-words",
                ),
            },
        )
    ],
    hints=["The query is a linear map of the key. Which score is a bilinear form?"],
)

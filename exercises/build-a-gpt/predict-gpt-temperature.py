"""Before the model writes with your loop, commit to a guess."""

from coursekit import choice, option, quiz

quiz(
    id="predict-gpt-temperature",
    chapter="build-a-gpt",
    title="Predict: a higher temperature",
    questions=[
        choice(
            "predict_gpt_temperature",
            "The temperature goes from 0.8 to 1.5. What suffers most in the fables?",
            {
                "a": option(
                    "The next word after “once there”: the model forgets its phrases.",
                    failure_message="There one word has nearly all of the probability, and a "
                    "higher temperature leaves it most of that. What suffers is what depends on "
                    "words further back.",
                    misconception="phrases-first",
                ),
                "b": option(
                    "Whether the answer to “who has it?” fits the events.",
                    correct=True,
                    success_message="What takes several steps to find has the smallest lead over "
                    "its rivals, and one odd word on the way misleads all that follow.",
                ),
                "c": option(
                    "Their variety: all fables become alike.",
                    failure_message="It is the other way round: a higher temperature brings the "
                    "probabilities closer together, so that rare words are drawn more often.",
                    misconception="temperature-inverted",
                ),
            },
        ),
    ],
)

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
                    "higher temperature leaves it most of that. The phrase needs this one word to "
                    "be right. Which of the others needs many?",
                    misconception="phrases-first",
                ),
                "b": option(
                    "Whether the answer to “who has it?” fits the events.",
                    correct=True,
                    success_message="Each word goes wrong a few times in a hundred, this answer no "
                    "more often than others. But it fits only if every name in every event before "
                    "it is right as well.",
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

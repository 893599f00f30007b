"""Before you change the temperature in the writer above, commit to a guess."""

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
                    failure_message="There, one word has nearly all of the probability, and it "
                    "keeps most of it at a higher temperature. This phrase needs only one right "
                    "word. Which of the other options needs many?",
                    misconception="phrases-first",
                ),
                "b": option(
                    "Whether the answer to “who has it?” fits the events.",
                    correct=True,
                    success_message="Each word goes wrong a few times in a hundred, and this "
                    "answer no more often than others. But it fits only if the events before it "
                    "are told without a mistake, and one wrong word can spoil them.",
                ),
                "c": option(
                    "Their variety: all fables become alike.",
                    failure_message="It is the other way round: a higher temperature brings the "
                    "probabilities closer together, so rare words are drawn more often.",
                    misconception="temperature-inverted",
                ),
            },
        )
    ],
)

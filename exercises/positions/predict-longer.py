"""Added sinusoids, rotary and ALiBi are compared on two tasks in one layer with four heads, each 8
wide, trained on texts of 4 to 16 tokens.

- **Three back**: name the word three positions before the last. Here the exact position counts.
- **Latest**: each token is a name with a colour, such as *Ann red*; the last one asks for a name,
  and the answer is its *latest* colour. Here order counts, but the exact position does not.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-longer",
    chapter="positions",
    title="Predict: which encoding works for longer texts?",
    questions=[
        choice(
            "never_learns",
            "Which of the three encodings does not even learn *three back* on 16 tokens?",
            {
                "a": option(
                    "Added sinusoids",
                    failure_message="They learn it: every position has its own vectors, from which "
                    "the model can compute which key is three back.",
                    misconception="sinusoids-fail",
                ),
                "b": option(
                    "Rotary",
                    failure_message="It does learn it: a score can be largest at a distance of 3.",
                    misconception="rotary-fails",
                ),
                "c": option(
                    "ALiBi",
                    correct=True,
                    success_message="Yes. Its bias falls steadily with the distance, so no "
                    "head can prefer the key three back to the key two back by distance.",
                ),
            },
        ),
        choice(
            "still_right",
            "Which of them still finds the *latest* colour in texts of 64 tokens?",
            {
                "a": option(
                    "ALiBi",
                    correct=True,
                    success_message="Yes: a new distance only lowers the score more, which is what "
                    "the task needs.",
                ),
                "b": option(
                    "Added sinusoids",
                    failure_message="Both the positions beyond 16 and the distances beyond 15 are "
                    "new to the model, and nothing taught it what to do with them.",
                    misconception="sinusoids-extrapolate",
                ),
                "c": option(
                    "Rotary",
                    failure_message="Its scores depend on the distance, but distances beyond 15 "
                    "are new, and training did not teach what to do with them.",
                    misconception="rotary-extrapolates",
                ),
                "d": option(
                    "All three",
                    failure_message="Two of them meet positions or distances that never "
                    "occurred in training.",
                    misconception="all-extrapolate",
                ),
            },
        ),
    ],
    hints=["What is new at 64 tokens: positions, distances, or both? For which encoding?"],
)

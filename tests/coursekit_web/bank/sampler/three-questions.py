"""Three kinds of question, about $\\sqrt{16}$ and `sqrt`."""

from coursekit import choice, example, free_text, numeric, option, quiz

quiz(
    id="three-questions",
    chapter="sampler",
    title="Three kinds of question",
    questions=[
        choice(
            "root",
            "Which of these is $\\sqrt{16}$?",
            {
                "a": option(
                    "$8$, half of `16`",
                    failure_message="That is half of 16.",
                    misconception="halved",
                ),
                "b": option("$4$", success_message="Yes: `4 * 4` is 16.", correct=True),
                "c": option(
                    "$256$, sixteen times sixteen",
                    failure_message="That is 16 squared.",
                    misconception="squared",
                ),
            },
        ),
        numeric(
            "pair",
            "Give the square roots of 0.04 and 0.25.",
            answer=[0.2, 0.5],
            tolerance=0.005,
            mistakes={"halved": [0.02, 0.125], "squared": [0.0016, 0.0625]},
            success_message="0.2 · 0.2 is 0.04, and 0.5 · 0.5 is 0.25.",
            points=2,
        ),
        numeric("single", "And of 2?", answer=1.4142, tolerance=0.001, unit="m"),
        free_text(
            "why",
            "Why has a negative number no real root?",
            rubric=[(1, "Says that a square is never negative."), (2, "Names $i$.")],
            examples=[
                example("weak", "It has one.", points=(0, 0), why="Square it and see."),
                example(
                    "good",
                    "No real number squared is `-1`.",
                    points=(1, 0),
                    why="True, and $i$ is missing.",
                ),
                example(
                    "excellent",
                    "Squares are never negative, so the root is a multiple of $i$.",
                    points=(1, 2),
                    why="Both are there.",
                ),
            ],
        ),
    ],
    hints=["Which number, times itself, is 16?", "It is less than $5$.", "Try `2 + 2`."],
    misconceptions={
        "halved": "A root is not a half: half of 16 added to itself is 16. Look at a product.",
        "squared": "You went the other way. Which number has to be squared?",
    },
)

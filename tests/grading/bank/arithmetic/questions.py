"""Three questions."""

from coursekit import choice, example, free_text, numeric, option, quiz

quiz(
    id="questions",
    chapter="arithmetic",
    title="Questions",
    questions=[
        choice(
            "even",
            "Which number is even?",
            {
                "a": option("Three", failure_message="Three is odd.", misconception="odd"),
                "b": option("Four", success_message="Four is twice two.", correct=True),
            },
        ),
        numeric("half", "What is half of five?", answer=2.5, tolerance=0.01, points=2),
        free_text(
            "why",
            "Why is a double always even?",
            rubric=[(2, "Names the factor two.")],
            examples=[
                example("weak", "All numbers are.", points=(0,), why="Three is not."),
                example("good", "It is a sum.", points=(1,), why="Of *two equal* numbers."),
                example("excellent", "It is 2n.", points=(2,), why="The factor is there."),
            ],
        ),
    ],
    misconceptions={"odd": "Odd numbers leave a remainder of one."},
)

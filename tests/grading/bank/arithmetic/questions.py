"""Three questions."""

from coursekit import choice, free_text, numeric, option, quiz

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
        free_text("why", "Why is a double always even?", rubric=[(2, "Names the factor two.")]),
    ],
    misconceptions={"odd": "Odd numbers leave a remainder of one."},
)

"""Match numbers to their roots; one root belongs to none."""

from coursekit import match, quiz

quiz(
    id="whole-roots",
    chapter="sampler",
    title="Numbers and their roots",
    questions=[
        match(
            "roots",
            "Which number has which root?",
            left={"1": "`16`", "2": "$25$", "3": "36", "4": "49"},
            right={"a": "5", "b": "$6$", "c": "7", "d": "4", "e": "8"},
            answer="1d 2a 3b 4c",
            mistakes={
                "halved": "1e",
                "too-large": "1a 1b 1c 2b 2c 3c",
                "too-small": "2d 3a 3d 4a 4b 4d",
                "of-none": "2e 3e 4e",
            },
            success_message="Each root times itself is its number.",
            points=2,
        )
    ],
    hints=["What is 4 times 4?"],
    misconceptions={
        "halved": "8 is half of 16. Its root times itself is 16.",
        "too-large": "That root times itself is more than the number.",
        "too-small": "That root times itself is less than the number.",
        "of-none": "8 times 8 is 64, and no number here is.",
    },
)

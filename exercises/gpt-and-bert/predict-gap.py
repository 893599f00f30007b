"""In the text, half of the nouns are feminine. A subject is hidden: *… sous la lampe avait été
ramassée*. The participle at the end shows that it is feminine. How much probability does each
model give to feminine nouns in the gap?
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-gap",
    chapter="gpt-and-bert",
    title="Predict: a gap at the beginning, the clue at the end",
    questions=[
        choice(
            "masked",
            "The masked model, which was trained to fill gaps:",
            {
                "a": option(
                    "about 0.5",
                    failure_message="It also reads the participle: nothing hides it from the gap.",
                    misconception="masked-is-blind",
                ),
                "b": option(
                    "about 0.75",
                    failure_message="The participle decides the gender. After training there is "
                    "little doubt left.",
                    misconception="half-sure",
                ),
                "c": option(
                    "nearly 1",
                    correct=True,
                    success_message="Yes: the gap attends to the participle.",
                ),
            },
        ),
        choice(
            "next_token",
            "The next-token model:",
            {
                "a": option(
                    "about 0.5",
                    correct=True,
                    success_message="Yes. Only the mark for the beginning comes before the gap.",
                ),
                "b": option(
                    "about 0.75",
                    failure_message="Nothing before the gap says anything about the gender.",
                    misconception="half-sure",
                ),
                "c": option(
                    "nearly 1",
                    failure_message="The participle comes after the gap, and the mask hides it.",
                    misconception="sees-the-future",
                ),
            },
        ),
    ],
    hints=["Which tokens does each of them read when it fills the first place?"],
)

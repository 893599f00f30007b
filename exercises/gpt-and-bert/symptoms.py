"""Four models were trained, each with one mistake in its mask, its loss or its layers. You see only
what the trained models do.
"""

from coursekit import match, quiz

quiz(
    id="symptoms",
    chapter="gpt-and-bert",
    title="From the symptom to the mistake",
    questions=[
        match(
            "mistakes",
            "Which mistake explains what you see?",
            left={
                "1": "A decoder knows each next token in a text but not what follows the text.",
                "2": "A model that should fill gaps mostly repeats its input.",
                "3": "A search model's vector for the first word is the same, whatever follows.",
                "4": "A translator writes good sentences, the same for every source.",
            },
            right={
                "a": "Cross-attention is left out.",
                "b": "The causal mask is missing.",
                "c": "The loss counts every position, not only the hidden ones.",
                "d": "The encoder has a causal mask.",
                "e": "Padding is visible.",
            },
            answer="1b 2c 3d 4a",
            mistakes={
                "no-source": "a",
                "sees-the-answer": "b",
                "rewards-copying": "c",
                "hides-what-follows": "d",
                "depends-on-batch": "e",
            },
            success_message="A mask decides what a prediction may use, the loss decides which "
            "predictions count, and cross-attention is the only way from source to target.",
            points=2,
        )
    ],
    hints=[
        "For each symptom: which tokens did the model use, and which ones should it have used?",
        "A model that knows each next token and one that repeats its input have one cause in "
        "common: the answer was in the input. In one case, it was at the next position, in the "
        "other at the same position.",
    ],
    misconceptions={
        "no-source": "Without cross-attention, nothing from the source reaches the target. Within "
        "one text, everything still works.",
        "sees-the-answer": "Without a causal mask, the next token is in the input of a model that "
        "has to predict it: the loss is excellent, and writing fails.",
        "rewards-copying": "At a position that is not hidden, the token to be predicted is in the "
        "input at the same position. A loss that counts these positions rewards copying.",
        "hides-what-follows": "A causal mask hides later words from earlier ones. This limits what "
        "an encoder's first vectors can know but gives no answer away.",
        "depends-on-batch": "If padding is visible, a result depends on how long the other texts "
        "in the batch are. None of these symptoms is about the batch.",
    },
)

"""Three kinds of models write the same participle, *ramassée*: one layer of attention in which the
verb is the query, a recurrent translator with attention, and a Transformer. Each is always right.
For each sentence we compare the word with the most weight and the word whose removal changes the
answer most.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-top-word",
    chapter="interpretation",
    title="Predict: most weight and most effect",
    questions=[
        choice(
            "fewest_agree",
            "In which model are they the same word least often?",
            {
                "a": option(
                    "In the single layer: the verb matters and needs no weight",
                    correct=True,
                    success_message="Yes. The verb is the query, so it reaches the answer without "
                    "needing a weight.",
                ),
                "b": option(
                    "In the recurrent translator: its layers mix the words",
                    failure_message="They do, and yet the position of the verb has the most weight "
                    "and, in most sentences, also the most effect.",
                    misconception="mixing-hides-all",
                ),
                "c": option(
                    "In the Transformer: it has the most layers and heads",
                    failure_message="In two of three seeds the two words are the same in nearly "
                    "every sentence.",
                    misconception="depth-hides-all",
                ),
            },
        )
    ],
    hints=["By what routes other than a weight can a word reach the answer?"],
)

"""A Transformer that translates has read a sentence of 6 tokens with its encoder and written 4
tokens of the translation with its decoder. It now writes a fifth and keeps all the keys and values
computed so far.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-recompute",
    chapter="self-and-cross",
    title="Predict: what has to be computed for one more word?",
    questions=[
        choice(
            "new_keys",
            "In which of its three uses of attention are new keys and values needed?",
            {
                "a": option(
                    "in the encoder's self-attention, and so in all three",
                    failure_message="The encoder attends from the source to the source. Nothing "
                    "changes there when a word of the translation is added.",
                    misconception="encoder-recomputed",
                ),
                "b": option(
                    "in the decoder's self-attention only",
                    correct=True,
                    success_message="Yes. The new word has to be visible to the words after it, so "
                    "it needs a key and a value there. The source stays as it is.",
                ),
                "c": option(
                    "in the decoder's cross-attention only",
                    failure_message="There keys and values come from the source, which has not "
                    "changed.",
                    misconception="source-recomputed",
                ),
                "d": option(
                    "in none: only a new query is needed",
                    failure_message="Later words attend to the new word too, so it needs a key and "
                    "a value in one of the three.",
                    misconception="query-only",
                ),
            },
        )
    ],
    hints=["In each use, which sequence do the keys come from, and has it changed?"],
)

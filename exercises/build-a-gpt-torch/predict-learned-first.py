"""Training takes 1200 steps. You will see texts after 50 steps, after 200, and at the end."""

from coursekit import choice, option, quiz

quiz(
    id="predict-learned-first",
    chapter="build-a-gpt-torch",
    title="Predict: what is learned first",
    questions=[
        choice(
            "first",
            "What do you expect of the text after 50 steps?",
            {
                "a": option(
                    "Correct sentences throughout, but about events that do not fit together",
                    failure_message="Correct sentences of every kind take longer: after its "
                    "beginning, the text falls apart.",
                    misconception="grammar-first",
                ),
                "b": option(
                    "Single words only, since no rule of the grammar can be learned so early",
                    failure_message="The beginning has the same words in nearly every fable. They "
                    "lower the loss at once, so they are learned at once.",
                    misconception="words-first",
                ),
                "c": option(
                    "A correct beginning, then words of the right kind that form no sentence",
                    correct=True,
                    success_message="Words that all fables share lower the loss most, so they are "
                    "learned first. Rules for few tokens, such as the one for the pronoun, come "
                    "last.",
                ),
                "d": option(
                    "A whole fable from one of the batches, word for word",
                    failure_message="No fable occurs twice, so none can be learned by heart.",
                    misconception="memory-first",
                ),
            },
        )
    ],
    misconceptions={
        "grammar-first": "The network has no grammar to begin with. It first learns whatever "
        "lowers the loss of many tokens.",
        "words-first": "How early something is learned depends on how many tokens it helps to "
        "predict, not on whether it is one word or several.",
        "memory-first": "A text can be learned by heart only if it occurs more than once.",
    },
)

"""Self-attention or cross-attention? Where do queries, keys and values come from?"""

from coursekit import choice, option, quiz

quiz(
    id="who-asks-whom",
    chapter="self-and-cross",
    title="Which sequence attends to which?",
    questions=[
        choice(
            "question",
            "A model answers questions about a text. Each word of the question needs a vector that "
            "holds what the text says about it. What are the queries computed from?",
            {
                "a": option(
                    "from the question",
                    correct=True,
                    success_message="Yes: the output has one row for each query, and each word of "
                    "the question needs one.",
                ),
                "b": option(
                    "from the text, since the answer is there",
                    failure_message="The text supplies the content, so keys and values are "
                    "computed from it. The output has a row for each query.",
                    misconception="asked-is-query",
                ),
                "c": option(
                    "from both, joined into one sequence",
                    failure_message="That is self-attention over one long sequence. It can work, "
                    "but then the text attends to the question as well.",
                    misconception="one-sequence",
                ),
            },
        ),
        choice(
            "once",
            "A translator writes 20 tokens, one after another. How often must the keys and values "
            "of its cross-attention be computed?",
            {
                "a": option(
                    "20 times, again for each token",
                    failure_message="They are computed from the source, which does not change.",
                    misconception="anew-each-step",
                ),
                "b": option(
                    "never: they are parameters of the model",
                    failure_message="The matrices are parameters. Keys and values are computed "
                    "from the sentence.",
                    misconception="keys-are-parameters",
                ),
                "c": option(
                    "once",
                    correct=True,
                    success_message="Yes: they belong to the source, which is complete from the "
                    "start. Only the query is new.",
                ),
            },
        ),
        choice(
            "deep",
            "An encoder's third layer computes self-attention. What are its keys computed from?",
            {
                "a": option(
                    "from the embeddings of the sentence",
                    failure_message="The embeddings are the input of the first layer only.",
                    misconception="embeddings-everywhere",
                ),
                "b": option(
                    "from the keys of the second layer",
                    failure_message="A layer's keys are used only for its own scores. The next "
                    "layer gets the layer's output.",
                    misconception="keys-passed-on",
                ),
                "c": option(
                    "from the layer's input, like its queries and values: the second layer's "
                    "output",
                    correct=True,
                    success_message="Yes. Self-attention computes all three from the sequence that "
                    "the layer gets.",
                ),
            },
        ),
        choice(
            "square",
            "A matrix of weights is square. Does it come from self-attention?",
            {
                "a": option(
                    "Yes",
                    failure_message="Two sentences of the same length also give a square matrix.",
                    misconception="square-is-self",
                ),
                "b": option(
                    "The shape does not tell",
                    correct=True,
                    success_message="Yes. A non-square matrix cannot come from self-attention; a "
                    "square one can come from either.",
                ),
                "c": option(
                    "Only if it is symmetric",
                    failure_message="Queries and keys have different matrices, and each row is "
                    "normalised separately, so even then it is rarely symmetric.",
                    misconception="self-is-symmetric",
                ),
            },
        ),
    ],
)

"""Self-attention or cross-attention? And who asks?"""

from coursekit import choice, option, quiz

quiz(
    id="who-asks-whom",
    chapter="self-and-cross",
    title="Who asks whom?",
    questions=[
        choice(
            "question",
            "A model answers questions on a text: each word of the question is to fetch what the "
            "text says about it. What are the queries made of?",
            {
                "a": option(
                    "of the text, since the answer stands there",
                    feedback="What stands there is fetched: it gives keys and values.",
                    misconception="asked-is-query",
                ),
                "b": option(
                    "of the question",
                    correct=True,
                    feedback="Yes: whoever gets something has a row, and so has the queries.",
                ),
                "c": option(
                    "of both, one after the other",
                    feedback="That is self-attention over one long sequence. It works as well, and "
                    "then the text asks the question, too.",
                    misconception="one-sequence",
                ),
            },
        ),
        choice(
            "once",
            "A translator writes 20 tokens, one after the other. How often must the keys and "
            "values of its cross-attention be computed?",
            {
                "a": option(
                    "20 times, for each token anew",
                    feedback="They are made of the source, and that does not change.",
                    misconception="anew-each-step",
                ),
                "b": option(
                    "once",
                    correct=True,
                    feedback="Yes: they belong to the source, which is there from the start. Only "
                    "the query is new.",
                ),
                "c": option(
                    "never: they are weights of the model",
                    feedback="The matrices are weights. Keys and values are computed from the "
                    "sentence.",
                    misconception="keys-are-parameters",
                ),
            },
        ),
        choice(
            "deep",
            "The third layer of an encoder is self-attention. What are its keys made of?",
            {
                "a": option(
                    "of the embeddings of the sentence",
                    feedback="Those went into the first layer.",
                    misconception="embeddings-everywhere",
                ),
                "b": option(
                    "of the output of the second layer, as are its queries and values",
                    correct=True,
                    feedback="Yes. That is the sequence which this layer is given, once and for "
                    "all three.",
                ),
                "c": option(
                    "of the keys of the second layer",
                    feedback="Keys are used up in the scores. What is passed on is the output.",
                    misconception="keys-passed-on",
                ),
            },
        ),
        choice(
            "square",
            "A matrix of weights is square. Was it self-attention?",
            {
                "a": option(
                    "Yes",
                    feedback="Two sentences of the same length give a square matrix as well.",
                    misconception="square-is-self",
                ),
                "b": option(
                    "That cannot be seen from the shape",
                    correct=True,
                    feedback="Yes. Only a matrix that is not square gives cross-attention away.",
                ),
                "c": option(
                    "Only if it is symmetric",
                    feedback="Queries and keys have matrices of their own, so not even "
                    "self-attention is symmetric.",
                    misconception="self-is-symmetric",
                ),
            },
        ),
    ],
)

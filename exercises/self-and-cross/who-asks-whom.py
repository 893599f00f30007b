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
                    failure_message="What stands there is fetched: it gives keys and values.",
                    misconception="asked-is-query",
                ),
                "b": option(
                    "of the question",
                    correct=True,
                    success_message="Yes: whoever gets something has a row, and so has the "
                    "queries.",
                ),
                "c": option(
                    "of both, one after the other",
                    failure_message="That is self-attention over one long sequence. It works as "
                    "well, and then the text asks the question, too.",
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
                    failure_message="They are made of the source, and that does not change.",
                    misconception="anew-each-step",
                ),
                "b": option(
                    "once",
                    correct=True,
                    success_message="Yes: they belong to the source, which is there from the "
                    "start. Only the query is new.",
                ),
                "c": option(
                    "never: they are weights of the model",
                    failure_message="The matrices are weights. Keys and values are computed from "
                    "the sentence.",
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
                    failure_message="Those went into the first layer.",
                    misconception="embeddings-everywhere",
                ),
                "b": option(
                    "of the output of the second layer, as are its queries and values",
                    correct=True,
                    success_message="Yes. That is the sequence which this layer is given, once "
                    "and for all three.",
                ),
                "c": option(
                    "of the keys of the second layer",
                    failure_message="Keys are used up in the scores. What is passed on is the "
                    "output.",
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
                    failure_message="Two sentences of the same length give a square matrix as "
                    "well.",
                    misconception="square-is-self",
                ),
                "b": option(
                    "That cannot be seen from the shape",
                    correct=True,
                    success_message="Yes. Only a matrix that is not square gives cross-attention "
                    "away.",
                ),
                "c": option(
                    "Only if it is symmetric",
                    failure_message="Queries and keys have matrices of their own, so not even "
                    "self-attention is symmetric.",
                    misconception="self-is-symmetric",
                ),
            },
        ),
    ],
)

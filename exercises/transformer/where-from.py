"""A Transformer with 3 encoder layers and 5 decoder layers, norm first, translates."""

from coursekit import choice, option, quiz

quiz(
    id="where-from",
    chapter="transformer",
    title="Where does it come from?",
    questions=[
        choice(
            "keys",
            "From what are the keys of the cross-attention in decoder layer 2 computed?",
            {
                "a": option(
                    "the output of encoder layer 2",
                    failure_message="Layers are not paired. The two stacks need not even have the "
                    "same number of layers.",
                    misconception="layers-paired",
                ),
                "b": option(
                    "the output of decoder layer 1",
                    failure_message="The stream for the queries comes from there. Keys and "
                    "values come from the other sequence.",
                    misconception="keys-from-target",
                ),
                "c": option(
                    "the embedded source",
                    failure_message="The embedding is only the encoder's input.",
                    misconception="keys-from-embedding",
                ),
                "d": option(
                    "the output of encoder layer 3",
                    correct=True,
                    success_message="Yes, the last one: every decoder layer gets the same encoder "
                    "output, each with its own W^K and W^V.",
                ),
            },
        ),
        choice(
            "queries",
            "From what are the queries of the cross-attention in decoder layer 2 computed?",
            {
                "a": option(
                    "the stream after the causal self-attention of decoder layer 2",
                    correct=True,
                    success_message="Yes. So a query already knows the words written before.",
                ),
                "b": option(
                    "the embedded target",
                    failure_message="That is the input of decoder layer 1. In layer 2 the stream "
                    "has passed four sublayers more.",
                    misconception="queries-from-embedding",
                ),
                "c": option(
                    "the weights of the causal self-attention",
                    failure_message="Weights say what is mixed. Queries are computed from the "
                    "result of the mixing, added to the stream.",
                    misconception="queries-from-weights",
                ),
                "d": option(
                    "the output of the encoder",
                    failure_message="That gives keys and values. Queries come from the sequence "
                    "that needs information, the target.",
                    misconception="queries-from-source",
                ),
            },
        ),
        choice(
            "network",
            "In which sublayers does a token's result depend on other tokens?",
            {
                "a": option(
                    "in all of them",
                    failure_message="The feed-forward network and the norm get each token on its "
                    "own.",
                    misconception="network-mixes",
                ),
                "b": option(
                    "in the attentions only",
                    correct=True,
                    success_message="Yes: nothing else looks at another token.",
                ),
                "c": option(
                    "in the attentions and the norms",
                    failure_message="Layer normalisation takes mean and variance over the features "
                    "of one token.",
                    misconception="norm-mixes",
                ),
            },
        ),
    ],
    hints=["Follow the lines of the block diagram backwards."],
)

"""A norm-first Transformer with 3 encoder layers and 5 decoder layers translates."""

from coursekit import choice, option, quiz

quiz(
    id="where-from",
    chapter="transformer",
    title="Where does it come from?",
    version=2,
    questions=[
        choice(
            "keys",
            "What are the cross-attention keys in decoder layer 2 computed from?",
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
                    "output but has its own W^K and W^V.",
                ),
            },
        ),
        choice(
            "queries",
            "What are the cross-attention queries in decoder layer 2 computed from?",
            {
                "a": option(
                    "the stream after the causal self-attention of decoder layer 2",
                    correct=True,
                    success_message="Yes. So a query already knows the words written before.",
                ),
                "b": option(
                    "the embedded target",
                    failure_message="That is the input of decoder layer 1. In layer 2, the stream "
                    "has passed through four more sublayers.",
                    misconception="queries-from-embedding",
                ),
                "c": option(
                    "the weights of the causal self-attention",
                    failure_message="Weights say how values are mixed. Queries are computed from "
                    "the result of the mixing, added to the stream.",
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
            "changed",
            "One source word is changed. Which is the first sublayer of decoder layer 1 whose "
            "result changes?",
            {
                "a": option(
                    "the causal self-attention",
                    failure_message="Its queries, keys and values are all computed from the "
                    "target, which is the same as before.",
                    misconception="self-reads-source",
                ),
                "b": option(
                    "the cross-attention",
                    correct=True,
                    success_message="Yes. Its queries are the same as before, but keys and values "
                    "come from the encoder's output, which has changed.",
                ),
                "c": option(
                    "the feed-forward network",
                    failure_message="It processes each token's features, and these have already "
                    "changed when it gets them.",
                    misconception="network-first",
                ),
                "d": option(
                    "none: only layer 5 sees the encoder",
                    failure_message="Every decoder layer has a cross-attention of its own, and "
                    "each of them gets the encoder's output.",
                    misconception="last-layer-crosses",
                ),
            },
        ),
    ],
    hints=["Follow the lines of the block diagram backwards."],
)

"""Heads are mostly used for self-attention. Where do the inputs of such a layer come from?"""

from coursekit import choice, option, quiz

quiz(
    id="self-attention-source",
    chapter="multi-head",
    title="Self-attention: who gives what?",
    questions=[
        choice(
            "source",
            "In self-attention, where do the queries, keys and values of a layer come from?",
            {
                "a": option(
                    "From two different sequences",
                    failure_message="That is cross-attention: queries from one sequence, keys and "
                    "values from the other.",
                    misconception="cross-attention",
                ),
                "b": option(
                    "All three from one and the same sequence",
                    correct=True,
                    success_message="Yes: three projections of one sequence. In the first layer "
                    "that is the embedded sentence; in every later layer it is the output of the "
                    "layer before.",
                ),
                "c": option(
                    "Some from the output of the layer before, some from the model's own input",
                    failure_message="A deep model's later layers do read the previous layer's "
                    "output, but all three come from there. None of them comes from the model's "
                    "own input.",
                    misconception="previous-and-input",
                ),
                "d": option(
                    "From pre-trained embeddings",
                    failure_message="Embeddings, pre-trained or not, feed only the first layer. "
                    "And they are not queries, keys or values until three matrices have been "
                    "applied to them.",
                    misconception="embeddings",
                ),
            },
        )
    ],
)

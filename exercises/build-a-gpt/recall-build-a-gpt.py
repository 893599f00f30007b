"""Three questions on earlier chapters."""

from coursekit import choice, option, quiz

quiz(
    id="recall-build-a-gpt",
    chapter="build-a-gpt",
    title="Recall: what a GPT needs",
    questions=[
        choice(
            "recall_gpt_mask",
            "Five tokens attend to each other under a causal mask. Which of them gives weight to "
            "exactly two keys?",
            {
                "a": option(
                    "the second",
                    correct=True,
                    success_message="It sees itself and the first token.",
                ),
                "b": option(
                    "the fourth",
                    failure_message="The fourth sees itself and three earlier tokens. Only what "
                    "comes later is hidden.",
                    misconception="future-visible",
                ),
                "c": option(
                    "all but the first",
                    failure_message="The third token sees itself and both tokens before it. A "
                    "causal mask is not a window.",
                    misconception="mask-as-window",
                ),
            },
        ),
        choice(
            "recall_gpt_heads",
            "A layer with `d_model = 64` has 4 heads of equal width that fill it. By what number "
            "are its scores divided?",
            {
                "a": option(
                    "8",
                    failure_message="That is the root of 64. A head compares queries and keys of "
                    "its own width.",
                    misconception="scaled-by-model-width",
                ),
                "b": option(
                    "16",
                    failure_message="That is the width of a head; the scale is its square root.",
                    misconception="scaled-by-d",
                ),
                "c": option(
                    "4",
                    correct=True,
                    success_message="Each head is 16 wide, and the scale is the root of that.",
                ),
            },
        ),
        choice(
            "recall_gpt_order",
            "Self-attention without positions and without a mask is given a sentence in reverse "
            "order. What changes in its outputs?",
            {
                "a": option(
                    "The output of each token",
                    failure_message="Each token meets the same keys as before and gets the same "
                    "output; only the order of the outputs changes.",
                    misconception="order-is-seen",
                ),
                "b": option(
                    "Only their order",
                    correct=True,
                    success_message="Attention is permutation-equivariant: this is why a model "
                    "needs positions.",
                ),
                "c": option(
                    "Nothing at all",
                    failure_message="Each output moves with its token: their order changes too.",
                    misconception="order-is-lost",
                ),
            },
        ),
    ],
)

"""One question that every course on attention asks."""

from coursekit import choice, option, quiz

quiz(
    id="softmax-purpose",
    chapter="scaled-dot-product",
    title="What is the softmax for?",
    questions=[
        choice(
            "softmax_purpose",
            "What is the main purpose of the softmax in attention?",
            {
                "a": option(
                    "To scale the dot products",
                    failure_message="Scaling is the division by √d_k, and it comes before. The "
                    "softmax gets scores that are scaled already.",
                    misconception="softmax-scales",
                ),
                "b": option(
                    "To compute queries, keys and values",
                    failure_message="Those are made by three learned matrices, before any score "
                    "exists.",
                    misconception="softmax-projects",
                ),
                "c": option(
                    "To turn the scores into a probability distribution over the keys",
                    correct=True,
                    success_message="Yes: for each query, weights that are positive and sum to 1. "
                    "It also makes differences count more, and it can be differentiated.",
                ),
                "d": option(
                    "To join the outputs of several heads",
                    failure_message="Heads are concatenated and multiplied by W^O, after each "
                    "head has used a softmax of its own.",
                    misconception="softmax-joins-heads",
                ),
            },
        ),
    ],
)

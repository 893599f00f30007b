"""Take the four steps again: score, scale, softmax, sum."""

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
                    "To keep the scores from growing with the width of the keys",
                    failure_message="That is what the division by √d_k is for, and it comes "
                    "before. The softmax gets scores that are scaled already.",
                    misconception="softmax-scales",
                ),
                "b": option(
                    "To find the key with the largest score",
                    failure_message="An arg max does that. The softmax gives the best key the "
                    "largest weight, and every other key some weight too.",
                    misconception="softmax-selects",
                ),
                "c": option(
                    "To turn each query's scores into positive weights that sum to 1",
                    correct=True,
                    success_message="Yes. Such numbers are called a probability distribution, "
                    "here over the keys. It also makes differences count more, and it can be "
                    "differentiated.",
                ),
                "d": option(
                    "To compute how similar each query is to each key",
                    failure_message="That is the score, a dot product. The softmax comes after "
                    "it and does not look at queries and keys.",
                    misconception="softmax-compares",
                ),
            },
        ),
    ],
)

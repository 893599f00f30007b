"""Take the four steps again: score, scale, softmax, sum."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="softmax-purpose",
    chapter="scaled-dot-product",
    title="What is the softmax for?",
    version=2,
    questions=[
        choice(
            "softmax_purpose",
            "What is the main purpose of the softmax in attention?",
            {
                "a": option(
                    "To keep the scores from growing with the width of the keys",
                    failure_message="That is what the division by √d_k is for, and it comes "
                    "before. The softmax gets scores that are already scaled.",
                    misconception="softmax-scales",
                ),
                "b": option(
                    "To find the key with the largest score",
                    failure_message="An arg max does that. The softmax gives the best key the "
                    "largest weight and every other key some weight.",
                    misconception="softmax-selects",
                ),
                "c": option(
                    "To turn each query's scores into positive weights that sum to 1",
                    correct=True,
                    success_message="Yes. Such numbers are called a probability distribution, here "
                    "over the keys. The softmax also makes differences count more and can be "
                    "differentiated.",
                ),
                "d": option(
                    "To compute how similar each query is to each key",
                    failure_message="That is the score, a dot product. The softmax comes after it "
                    "and does not see queries and keys.",
                    misconception="softmax-compares",
                ),
            },
        ),
        numeric(
            "without",
            "Suppose the scaled scores themselves are the weights, without a softmax. A query has "
            "a scaled score of 2 with each of three keys, and each of the three values is $(1, "
            "0)$. What is the output?",
            answer=[6, 0],
            tolerance=1e-9,
            success_message="Yes: 2 + 2 + 2 times the value. The softmax gives weights of 1/3 and "
            "an output of (1, 0), a mean of the values. Without it the output grows with the "
            "scores and with the number of keys.",
            mistakes={"with-softmax": [1, 0], "one-key": [2, 0], "mean-score": [2 / 3, 0]},
        ),
    ],
    misconceptions={
        "with-softmax": "That is the output with the softmax, whose weights sum to 1. Without it "
        "the weights are the scores.",
        "one-key": "That is what one key contributes. There are three.",
        "mean-score": "The scores were divided by the number of keys. Here nothing divides them.",
    },
)

"""Three questions on earlier chapters, from memory."""

from coursekit import Picture, choice, numeric, option, quiz

quiz(
    id="recall-attention-today",
    chapter="attention-today",
    title="From memory",
    hints=["Weights are positive and sum to 1. A cache keeps what later queries need."],
    questions=[
        numeric(
            "equal_scores",
            "Five visible keys all have the score −20. Which weight does each get from a softmax?",
            answer=0.2,
            tolerance=0.001,
            picture=Picture(
                "weights",
                ["key 1", "key 2", "key 3", "key 4", "key 5"],
                {
                    "tiny": [0, 0, 0, 0, 0],
                    "one": [1, 1, 1, 1, 1],
                    "right": [0.2, 0.2, 0.2, 0.2, 0.2],
                },
            ),
            success_message="Only differences of scores count, and there are none.",
            failure_message="The exponentials are tiny, and so is their sum: the weight is a "
            "ratio.",
            mistakes={"inverse": 5.0, "tiny": 0.0, "one": 1.0, "minus-four": -4.0},
        ),
        choice(
            "cached",
            "A decoder with a key–value cache writes one more token. What does it read of the "
            "earlier ones?",
            {
                "a": option(
                    "Their queries and keys",
                    failure_message="An earlier token's query is done: its output was computed "
                    "when it was the newest.",
                    misconception="keeps-queries",
                ),
                "b": option(
                    "Their outputs",
                    failure_message="A new query is compared with keys and mixes values.",
                    misconception="keeps-outputs",
                ),
                "c": option(
                    "Their weights",
                    failure_message="The new query has weights of its own, which need new scores.",
                    misconception="keeps-weights",
                ),
                "d": option(
                    "Their keys and values",
                    correct=True,
                    success_message="Yes: they do not depend on later tokens.",
                ),
            },
        ),
        choice(
            "saturated",
            "What happens to gradients when one weight of a row is nearly 1 and all others are "
            "nearly 0?",
            {
                "a": option(
                    "Hardly any gradient reaches the scores",
                    correct=True,
                    success_message="Yes: the softmax's Jacobian, diag(p) − ppᵀ, is nearly zero.",
                ),
                "b": option(
                    "They become very large",
                    failure_message="Each entry of the Jacobian is a product of weights, such as "
                    "p(1 − p): nearly 0.",
                    misconception="explodes",
                ),
                "c": option(
                    "Nothing special: the scores are still far apart",
                    failure_message="Because they are far apart, a small change of one of them "
                    "moves no weight.",
                    misconception="scores-not-weights",
                ),
            },
        ),
    ],
    misconceptions={
        "inverse": "5 is the number of keys. The five weights are equal and sum to 1.",
        "tiny": "e⁻²⁰ is tiny, but it is divided by the sum of five of them.",
        "one": "1 is the sum of all five weights.",
        "minus-four": "Scores were divided by their number. A weight is a ratio of exponentials.",
    },
)

"""You may have computed this before, without scaling. The query is $q = (1, 0)$, the keys are
$k_1 = (1, 1)$ and $k_2 = (0, 1)$, the values $v_1 = (0.5, 0.5)$ and $v_2 = (0.2, 0.8)$.
"""

from coursekit import Picture, numeric, quiz

quiz(
    id="context-vector-scaled",
    chapter="review",
    title="The context vector, with the scale",
    questions=[
        numeric(
            "scaled_context",
            "What is the context vector in *scaled* dot-product attention? Give three decimals.",
            answer=[0.4009, 0.5991],
            tolerance=0.0015,
            picture=Picture(
                "weights",
                ["value 1", "value 2"],
                {
                    "unscaled": [0.731, 0.269],
                    "by-d": [0.622, 0.378],
                    "uniform": [0.5, 0.5],
                    "no-softmax-or-hard": [1, 0],
                    "swapped": [0.33, 0.67],
                    "right": [0.67, 0.33],
                },
            ),
            points=2,
            success_message="The keys have width 2, so the scores are 1/√2 = 0.707 and 0. The "
            "weights are 0.670 and 0.330, and the context vector is 0.670·(0.5, 0.5) + "
            "0.330·(0.2, 0.8). Without the scale it is (0.419, 0.581): the scale moves it towards "
            "the plain mean.",
            failure_message="That is not it. Divide both scores by √d_k, where d_k is the number "
            "of components of a key; then apply the softmax and take the weighted sum of the "
            "values.",
            mistakes={
                "unscaled": [0.4193, 0.5807],
                "by-d": [0.3867, 0.6133],
                "uniform": [0.35, 0.65],
                "no-softmax-or-hard": [0.5, 0.5],
                "weights": [0.6698, 0.3302],
                "swapped": [0.2991, 0.7009],
                "reversed": [0.5991, 0.4009],
                "multiplied": [0.4413, 0.5587],
                "scaled-output": [0.2965, 0.4106],
            },
        ),
    ],
    hints=[
        "How many components does a key have?",
        "The scores are $1/\\sqrt{2}$ and $0$.",
        "$e^{0.707} = 2.028$ and $e^0 = 1$, so the first weight is $2.028 / 3.028$.",
    ],
    misconceptions={
        "unscaled": "(0.419, 0.581) is the context vector without the scale, from the scores 1 and "
        "0. Here they are divided by √2 first.",
        "by-d": "The scores were divided by 2, the width of a key. The scale is its root, √2.",
        "uniform": "(0.35, 0.65) is the plain mean of the two values. The scale makes the scores "
        "smaller, 0.707 and 0, but they still differ.",
        "no-softmax-or-hard": "(0.5, 0.5) is the first value alone, as if the second key had no "
        "weight. Its score is 0, and e⁰ is 1.",
        "weights": "0.670 and 0.330 are the weights. The context vector is the sum of the values, "
        "each multiplied by its weight.",
        "swapped": "The weights are right, but each belongs to the other value: the first key has "
        "the larger score.",
        "reversed": "The two numbers are right, in reverse order: the first components of the "
        "values make the first number.",
        "multiplied": "The scores were multiplied by √2, which makes them more different. The "
        "scale divides them.",
        "scaled-output": "The unscaled context vector was divided by √2. The scale belongs to the "
        "scores, before the softmax, so that the weights still sum to 1.",
    },
)

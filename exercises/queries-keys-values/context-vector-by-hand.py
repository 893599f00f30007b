"""The query is $q = (1, 0)$. The keys are $k_1 = (1, 1)$ and $k_2 = (0, 1)$; the values are
$v_1 = (0.5, 0.5)$ and $v_2 = (0.2, 0.8)$.
"""

from coursekit import numeric, quiz

quiz(
    id="context-vector-by-hand",
    chapter="queries-keys-values",
    title="The context vector, by hand",
    questions=[
        numeric(
            "context",
            "What is the context vector, with plain dot products (no scaling)? Two decimals are "
            "enough.",
            answer=[0.4193, 0.5807],
            tolerance=0.005,
            points=2,
            success_message="The scores are 1 and 0, the weights e/(e+1) = 0.731 and 0.269, and "
            "the context vector is 0.731·(0.5, 0.5) + 0.269·(0.2, 0.8).",
            mistakes={
                "no-softmax-or-hard": [0.5, 0.5],
                "scaled": [0.4009, 0.5991],
                "uniform": [0.35, 0.65],
                "swapped": [0.2807, 0.7193],
            },
        ),
    ],
    hints=[
        "How many scores are there, and which vectors make each of them?",
        "The scores are $q \\cdot k_1 = 1$ and $q \\cdot k_2 = 0$. Softmax makes two weights of "
        "them that sum to 1.",
        "$e^1 = 2.718$ and $e^0 = 1$, so the first weight is $2.718 / 3.718$.",
    ],
    misconceptions={
        "no-softmax-or-hard": "(0.5, 0.5) is the first value alone, and two roads lead there: "
        "using the scores 1 and 0 as weights without a softmax, or keeping only the best key. "
        "Softmax gives the second key a share too, because e⁰ is 1 and not 0.",
        "scaled": "You divided the scores by √2, as scaled dot-product attention does. The "
        "question asks for plain dot products, so the scores stay 1 and 0.",
        "uniform": "(0.35, 0.65) is the plain mean of the two values: both keys got the same "
        "weight. The scores are 1 and 0. Which weights does softmax make of them?",
        "swapped": "The weights are right, but each sits on the other value. The key that scored "
        "higher belongs to v₁.",
    },
)

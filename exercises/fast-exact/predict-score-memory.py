"""Eight heads of width 64 attend to 2048 tokens, in `float32`: four bytes a number. The queries of
all heads together take $8 \\cdot 2048 \\cdot 64 \\cdot 4$ bytes, which is 4 MiB.
"""

from coursekit import numeric, quiz

quiz(
    id="predict-score-memory",
    chapter="fast-exact",
    title="Predict: how much the scores take",
    questions=[
        numeric(
            "scores_mib",
            "How many MiB do the scores of all heads take? One MiB is $2^{20}$ bytes, and "
            "$2048 = 2^{11}$.",
            answer=128.0,
            tolerance=0.5,
            success_message="2³ heads, 2¹¹ queries, 2¹¹ keys, 2² bytes: 2²⁷ bytes, 32 times the "
            "queries.",
            mistakes={
                "one-head": 16.0,
                "numbers-not-bytes": 32.0,
                "like-queries": 4.0,
                "mega-not-mebi": 134.2,
            },
        ),
        numeric(
            "scores_mib_longer",
            "And for four times as many tokens, 8192?",
            answer=2048.0,
            tolerance=1.0,
            success_message="16 times as much, 2 GiB, and the weights are as large again.",
            mistakes={"grows-linearly": 512.0, "one-head": 256.0},
        ),
    ],
    hints=[
        "How many scores has one head? One for each pair of a query and a key.",
        "$8 \\cdot 2048 \\cdot 2048$ numbers of 4 bytes. With powers of two it is an addition of "
        "exponents.",
    ],
    misconceptions={
        "one-head": "That is one head. Each of the eight has scores of its own.",
        "numbers-not-bytes": "That counts numbers. Each takes four bytes.",
        "like-queries": "That is as large as the queries. Scores belong to pairs of tokens: 2048 "
        "keys stand where the 64 features were.",
        "mega-not-mebi": "You divided by a million. A MiB is 2 to the 20, 1,048,576 bytes.",
        "grows-linearly": "Four times the tokens are four times the queries and four times the "
        "keys.",
    },
)

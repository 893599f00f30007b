"""Eight heads of width 64 attend to 2048 tokens, in `float32`: four bytes per number. The queries
of all heads together take $8 \\cdot 2048 \\cdot 64 \\cdot 4$ bytes, which is 4 MiB.
"""

from coursekit import numeric, quiz

quiz(
    id="predict-score-memory",
    chapter="fast-exact",
    title="Predict: how much the scores take",
    questions=[
        numeric(
            "scores_mib",
            "How many MiB do the scores of all heads take? One MiB is $2^{20}$ bytes, and $2048 = "
            "2^{11}$.",
            answer=128.0,
            tolerance=0.3,
            unit="MiB",
            success_message="2³ heads, 2¹¹ queries, 2¹¹ keys and 2² bytes give 2²⁷ bytes, 32 times "
            "the size of the queries.",
            failure_message="Each head has a score for each pair of a query and a key. How many "
            "are there, and how many bytes does each take?",
            mistakes={
                "one-head": 16.0,
                "numbers-not-bytes": 32.0,
                "half": 64.0,
                "twice": 256.0,
                "like-queries": 4.0,
                "with-width": 8192.0,
                "in-bytes": 134217728.0,
                "in-kib": 131072.0,
                "in-gib": 0.125,
                "mega-not-mebi": 134.2,
            },
        ),
        numeric(
            "scores_mib_longer",
            "How many MiB do the scores take for four times as many tokens, 8192?",
            answer=2048.0,
            tolerance=1.0,
            unit="MiB",
            success_message="They take 16 times as much, 2 GiB, and the weights take as much "
            "again.",
            failure_message="Four times as many queries, each with four times as many keys: by "
            "what factor does the number of scores grow?",
            mistakes={
                "grows-linearly": 512.0,
                "one-head-longer": 256.0,
                "doubled-four-fold": 1024.0,
                "cubed": 8192.0,
                "longer-in-gib": 2.0,
                "with-weights": 4096.0,
                "mega-longer": 2147.5,
            },
        ),
    ],
    hints=[
        "How many scores does one head have? There is one for each pair of a query and a key.",
        "$8 \\cdot 2048 \\cdot 2048$ numbers of 4 bytes. With powers of two, you only add "
        "exponents.",
    ],
    misconceptions={
        "one-head": "16 MiB is one head. Each of the eight has its own scores.",
        "numbers-not-bytes": "32 is the number of scores, in units of 2²⁰. Each takes four bytes.",
        "half": "64 MiB is half the size. All 2048 · 2048 scores of a head are counted, at four "
        "bytes each.",
        "twice": "256 MiB is twice as much: the size of scores and weights together. The question "
        "is about the scores alone.",
        "like-queries": "4 MiB is the size of the queries. Scores belong to pairs of tokens: where "
        "the queries have 64 features, the scores have 2048 keys.",
        "with-width": "That counts the 64 features for each pair. A score is one number: the "
        "product is summed over the features.",
        "in-bytes": "That is the size in bytes. Divide by 2²⁰.",
        "in-kib": "That is the size in KiB. One MiB has 1024 KiB.",
        "in-gib": "That is the size in GiB. One GiB has 1024 MiB.",
        "mega-not-mebi": "You divided by a million. A MiB is 2²⁰ = 1,048,576 bytes.",
        "grows-linearly": "512 MiB is four times as much. Four times as many tokens mean four "
        "times as many queries *and* four times as many keys.",
        "one-head-longer": "256 MiB is one head. There are eight.",
        "doubled-four-fold": "1024 MiB is eight times as much. Two things grow by a factor of 4, "
        "queries and keys.",
        "cubed": "8192 MiB is 64 = 4³ times as much. Two things grow, queries and keys; the width "
        "does not.",
        "longer-in-gib": "2 is the size in GiB. The question asks for MiB: there are 1024 in each "
        "GiB.",
        "with-weights": "4096 MiB is the size of scores and weights together. The question is "
        "about the scores alone.",
        "mega-longer": "You divided by a million. A MiB is 2²⁰ = 1,048,576 bytes.",
    },
)

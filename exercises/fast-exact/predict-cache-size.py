"""A model of 32 layers, each with 32 heads of width 128, has read 8192 tokens. Its keys **and** its
values are kept in a cache, in 2 bytes per number.
"""

from coursekit import numeric, quiz

quiz(
    id="predict-cache-size",
    chapter="fast-exact",
    title="Predict: the size of a cache",
    questions=[
        numeric(
            "cache_gib",
            "How many GiB does the cache of one text take? One GiB is $2^{30}$ bytes. $32 = 2^5$, "
            "$128 = 2^7$, $8192 = 2^{13}$.",
            answer=4.0,
            tolerance=0.02,
            unit="GiB",
            success_message="Keys and values give a factor of 2, times 2⁵ layers, 2⁵ heads, 2⁷ "
            "features, 2¹³ tokens and 2 bytes: 2³² bytes.",
            failure_message="Multiply six numbers: keys and values, layers, heads, width, tokens, "
            "bytes. As powers of two, add their exponents, and divide by 2³⁰.",
            mistakes={
                "one-of-two": 2.0,
                "one-layer": 0.125,
                "four-bytes": 8.0,
                "one-byte-or-keys": 1.0,
                "in-mib": 4096.0,
                "scores": 128.0,
                "squared": 32768.0,
                "giga": 4.295,
            },
        ),
        numeric(
            "grouped_gib",
            "Now every four query heads share one head of keys and values, so there are 8 heads of "
            "keys and values. How many GiB does the cache take?",
            answer=1.0,
            tolerance=0.01,
            unit="GiB",
            success_message="With a quarter of the key and value heads, the cache is a quarter as "
            "large. The queries are not kept, so their number does not matter.",
            failure_message="Only the heads of keys and values are kept. There are 8 of them now "
            "instead of 32.",
            mistakes={
                "queries-count": 4.0,
                "halved": 2.0,
                "keys-shared-only": 2.5,
                "divided-by-eight": 0.5,
                "multi-query": 0.125,
                "grouped-mib": 1024.0,
                "quarter-squared": 0.25,
            },
        ),
    ],
    hints=[
        "How many numbers does one layer keep for one token? Count keys and values for each head.",
        "$2 \\cdot 32 \\cdot 128$ numbers for each token and layer; times 32 layers, 8192 tokens, "
        "2 bytes.",
    ],
    misconceptions={
        "one-of-two": "2 GiB is half the size: keys *and* values are kept, in 2 bytes per number.",
        "one-layer": "That is one layer. Each of the 32 layers has its own keys and values.",
        "four-bytes": "8 GiB would be right for 4 bytes per number. Here a number takes 2.",
        "one-byte-or-keys": "1 GiB is a quarter of the size. Two factors of 2 are easily "
        "forgotten: keys and values, and 2 bytes per number.",
        "in-mib": "4096 is the size in MiB. One GiB has 1024 MiB.",
        "scores": "128 GiB would be 32 times as much as is kept. Each of 32 layers has 32 heads: "
        "count each factor once.",
        "squared": "That counts 8192 twice. The cache keeps one key and one value per token; the "
        "scores, one per pair of tokens, are not kept.",
        "giga": "You divided by 10⁹. A GiB is 2³⁰ bytes.",
        "queries-count": "The cache shrinks. There are still 32 query heads, but queries are not "
        "kept: count the heads of keys and values.",
        "halved": "2 GiB would be 16 heads of keys and values. Four query heads share one, which "
        "leaves 8.",
        "keys-shared-only": "2.5 is right if only the keys are shared, or only the values. Both "
        "are.",
        "divided-by-eight": "0.5 GiB would be 4 heads of keys and values, or half of the cache of "
        "8. There are 8, each with keys and values.",
        "multi-query": "0.125 GiB is right for a single head of keys and values. There are 8.",
        "grouped-mib": "1024 is the size in MiB. One GiB has 1024 MiB.",
        "quarter-squared": "0.25 GiB is a sixteenth. The number of heads counts once: 8 in place "
        "of 32.",
    },
)

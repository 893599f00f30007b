"""A model of 32 layers, each with 32 heads of width 128, has read 8192 tokens. Its keys **and** its
values are kept in 2 bytes a number.
"""

from coursekit import numeric, quiz

quiz(
    id="predict-cache-size",
    chapter="fast-exact",
    title="Predict: the size of a cache",
    questions=[
        numeric(
            "cache_gib",
            "How many GiB does the cache of one text take? One GiB is $2^{30}$ bytes. "
            "$32 = 2^5$, $128 = 2^7$, $8192 = 2^{13}$.",
            answer=4.0,
            tolerance=0.02,
            success_message="Keys and values are 2, times 2⁵ layers, 2⁵ heads, 2⁷ features, 2¹³ "
            "tokens and 2 bytes: 2³² bytes.",
            mistakes={"keys-only": 2.0, "one-layer": 0.125, "squared": 32768.0, "giga": 4.295},
        ),
        numeric(
            "grouped_gib",
            "Four query heads in a row share one head of keys and values, so there are 8 of these. "
            "How many GiB now?",
            answer=1.0,
            tolerance=0.01,
            success_message="A quarter of the key and value heads, a quarter of the cache. The "
            "queries are not kept, so their number does not matter.",
            mistakes={
                "queries-count": 4.0,
                "keys-shared-only": 2.5,
                "multi-query": 0.125,
                "keys-only": 0.5,
            },
        ),
    ],
    hints=[
        "For one token: how many numbers does one layer keep? Keys and values, for each head.",
        "$2 \\cdot 32 \\cdot 128$ numbers for each token and layer; times 32 layers, 8192 tokens, "
        "2 bytes.",
    ],
    misconceptions={
        "keys-only": "Keys alone are half of it. The values are kept too.",
        "one-layer": "That is one layer. Each layer has keys and values of its own.",
        "squared": "Kept are keys and values, one each for a token. The scores, one for each pair, "
        "are not kept.",
        "giga": "You divided by a thousand million. A GiB is 2 to the 30 bytes.",
        "queries-count": "Query heads are still 32, but queries are not kept. Count the heads of "
        "keys and values.",
        "keys-shared-only": "Both are shared, keys and values.",
        "multi-query": "That is a single head of keys and values for all 32.",
    },
)

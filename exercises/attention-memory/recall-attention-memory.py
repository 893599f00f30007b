"""Three questions on earlier chapters, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-attention-memory",
    chapter="attention-memory",
    title="From memory",
    hints=["A causal window also sees the newest token. Count one layer after another."],
    questions=[
        numeric(
            "window_reach",
            "In causal layers with windows, each token attends to itself and to the 6 tokens "
            "before it. How many tokens can the last output depend on after 5 such layers?",
            answer=31,
            tolerance=0.0,
            success_message="Each layer goes 6 tokens further back, and the token itself counts "
            "once: 5 · 6 + 1.",
            failure_message="Each layer goes further back by the same number of tokens. Count the "
            "token itself once.",
            mistakes={"without-itself": 30, "sevens": 35, "one-layer": 7, "both-sides": 61},
        ),
        numeric(
            "cached_numbers",
            "A layer has 8 query heads and 2 heads of keys and values, all of width 16. How many "
            "numbers does its cache keep for each token?",
            answer=64,
            tolerance=0.0,
            success_message="Keys and values of 2 heads: 2 · 2 · 16. Queries are not kept.",
            failure_message="The cache keeps keys *and* values, for each head of keys and values.",
            mistakes={"query-heads": 256, "keys-only": 32, "one-head": 16, "with-queries": 192},
        ),
        choice(
            "rotated",
            "What does a score depend on if queries and keys are turned by `rotary`?",
            {
                "a": option(
                    "On the positions of both tokens, one by one",
                    failure_message="If both move by the same distance, both angles grow by the "
                    "same amount, and the score stays the same.",
                    misconception="absolute",
                ),
                "b": option(
                    "On the contents only",
                    failure_message="The angle between the two turned vectors changes with the "
                    "distance.",
                    misconception="content-only",
                ),
                "c": option(
                    "On the contents and the distance between the tokens",
                    correct=True,
                    success_message="Yes: only the difference of the two rotations is left.",
                ),
            },
        ),
    ],
    misconceptions={
        "without-itself": "30 tokens lie before it. The token itself is one more.",
        "sevens": "35 counts the token itself in every layer. It is the same token.",
        "one-layer": "7 is what one layer sees.",
        "both-sides": "61 counts tokens on both sides. These windows only look back.",
        "query-heads": "256 counts 8 heads. The query heads share 2 heads of keys and values.",
        "keys-only": "32 is the keys alone, or the values alone.",
        "one-head": "16 is one key of one head.",
        "with-queries": "192 includes the 8 queries: 128 + 64. Queries are not kept.",
    },
)

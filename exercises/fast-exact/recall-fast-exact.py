"""Four questions on the chapters before, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-fast-exact",
    chapter="fast-exact",
    title="Before you start",
    questions=[
        choice(
            "shift",
            "What happens to the weights of a row when 7 is subtracted from all of its scores?",
            {
                "a": option(
                    "Nothing",
                    correct=True,
                    success_message="Yes: the factor e⁻⁷ stands above and below the line. This "
                    "chapter lives on that freedom.",
                ),
                "b": option(
                    "Each is divided by e⁷",
                    failure_message="Each exponential is, and so is their sum. The share stays.",
                    misconception="forgets-the-sum",
                ),
                "c": option(
                    "They move towards each other",
                    failure_message="Dividing the scores does that. Subtracting keeps all "
                    "differences, and only differences count.",
                    misconception="shift-is-scale",
                ),
                "d": option(
                    "The largest one wins more clearly",
                    failure_message="Multiplying the scores does that. Subtracting keeps all "
                    "differences.",
                    misconception="shift-is-scale",
                ),
            },
        ),
        numeric(
            "num_weights",
            "One sentence of 100 tokens, 8 heads of width 64, self-attention. How many weights are "
            "there in one layer?",
            answer=80000,
            tolerance=0.0,
            success_message="Each of 8 heads has 100 · 100. The width of a head plays no part.",
            mistakes={
                "one-head": 10000,
                "tokens-times-width": 51200,
                "with-width": 5120000,
                "linear": 800,
            },
        ),
        choice(
            "last_query",
            "A decoder has 5 keys and asks 2 queries, the last two tokens. Which keys may the "
            "*first* of the two see?",
            {
                "a": option(
                    "Key 0 only",
                    failure_message="That is the mask aligned at the top left. This query stands "
                    "at position 3, and three keys stand before it.",
                    misconception="top-left",
                ),
                "b": option(
                    "Keys 0 to 3",
                    correct=True,
                    success_message="Yes: it stands at position 3. The last query sees all five.",
                ),
                "c": option(
                    "All five",
                    failure_message="Key 4 is the token after it: the future.",
                    misconception="sees-the-future",
                ),
                "d": option(
                    "Keys 3 and 4",
                    failure_message="What came before was read already, and may be looked at: "
                    "keys are kept for that.",
                    misconception="only-new",
                ),
            },
        ),
        choice(
            "heads_cost",
            "One head of width 512 is cut into 8 heads of width 64. What becomes of the number of "
            "multiplications in the scores $Q K^\\top$?",
            {
                "a": option(
                    "It stays",
                    correct=True,
                    success_message="Yes: 8 times as many scores, each a sum of an eighth of the "
                    "products. There are 8 times as many exponentials, though.",
                ),
                "b": option(
                    "An eighth: each head is narrower",
                    failure_message="Each head costs an eighth, and there are eight.",
                    misconception="heads-are-cheaper",
                ),
                "c": option(
                    "Eight times: there are eight matrices",
                    failure_message="Eight matrices of the same size, yes. Each number in them "
                    "costs an eighth.",
                    misconception="heads-are-dearer",
                ),
            },
        ),
    ],
    misconceptions={
        "one-head": "10,000 is one head. Each head has a matrix of its own.",
        "tokens-times-width": "A weight belongs to a pair of tokens, not to a token and a feature.",
        "with-width": "The width is summed over when a query meets a key: one number a pair.",
        "linear": "Every token looks at every token: 100 · 100 pairs in each head.",
    },
)

"""Four questions on earlier chapters, from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-fast-exact",
    chapter="fast-exact",
    title="From memory",
    hints=[
        "Weights are ratios of exponentials. There is one for each head and each pair of tokens. "
        "With a cache, the last query lines up with the last key."
    ],
    questions=[
        choice(
            "shift",
            "What happens to the weights of a row when 7 is subtracted from all of its scores?",
            {
                "a": option(
                    "Nothing",
                    correct=True,
                    success_message="Yes: the factor e⁻⁷ cancels between numerator and "
                    "denominator. This chapter builds on that freedom.",
                ),
                "b": option(
                    "Each is divided by e⁷",
                    failure_message="Each exponential is divided by e⁷, and so is their sum: the "
                    "ratio does not change.",
                    misconception="forgets-the-sum",
                ),
                "c": option(
                    "They move closer together",
                    failure_message="Dividing the scores does that. Subtracting keeps all "
                    "differences, and only differences count.",
                    misconception="shift-is-scale",
                ),
                "d": option(
                    "The largest weight grows",
                    failure_message="Multiplying the scores does that. Subtracting keeps all "
                    "differences.",
                    misconception="shift-is-scale",
                ),
            },
        ),
        numeric(
            "num_weights",
            "Self-attention with 8 heads of width 64 reads a sentence of 100 tokens. How many "
            "weights are there in one layer?",
            answer=80000,
            tolerance=0.0,
            success_message="Each of the 8 heads has 100 · 100 weights. The width of a head does "
            "not matter.",
            mistakes={
                "one-head": 10000,
                "tokens-times-width": 51200,
                "with-width": 5120000,
                "linear": 800,
                "parameters": 1048576,
                "of-one-projection": 262144,
                "causal-half": 40400,
            },
            failure_message="Each head has a weight for each pair of a query and a key.",
        ),
        choice(
            "last_query",
            "A decoder has 5 keys and 2 queries, those of the last two tokens. Which keys may the "
            "*first* of the two queries attend to?",
            {
                "a": option(
                    "Key 0 only",
                    failure_message="That is the mask aligned at the top left. This query is at "
                    "position 3, and there are three keys before it.",
                    misconception="top-left",
                ),
                "b": option(
                    "Keys 0 to 3",
                    correct=True,
                    success_message="Yes: it is at position 3. The last query sees all five keys.",
                ),
                "c": option(
                    "All five",
                    failure_message="Key 4 is the token after it: the future.",
                    misconception="sees-the-future",
                ),
                "d": option(
                    "Keys 3 and 4",
                    failure_message="Earlier tokens may be attended to as well: that is why their "
                    "keys are kept.",
                    misconception="only-new",
                ),
            },
        ),
        choice(
            "heads_cost",
            "One head of width 512 is split into 8 heads of width 64. How does the number of "
            "multiplications in the scores $Q K^\\top$ change?",
            {
                "a": option(
                    "It does not change",
                    correct=True,
                    success_message="Yes: there are 8 times as many scores, each a sum of an "
                    "eighth as many products. There are 8 times as many exponentials, though.",
                ),
                "b": option(
                    "It falls to an eighth: each head is narrower",
                    failure_message="Each head costs an eighth, and there are eight.",
                    misconception="heads-are-cheaper",
                ),
                "c": option(
                    "It grows eightfold: there are eight matrices",
                    failure_message="There are eight matrices of the same size, but each number in "
                    "them costs an eighth.",
                    misconception="heads-cost-more",
                ),
            },
        ),
    ],
    misconceptions={
        "one-head": "10,000 is the number for one head. Each head has its own matrix of weights.",
        "tokens-times-width": "51,200 = 100 · 512 counts features of tokens. A weight belongs to a "
        "pair of tokens.",
        "with-width": "5,120,000 counts the 64 features of each pair. A dot product sums over "
        "them: one number per pair.",
        "linear": "800 = 100 · 8. Every token attends to every token: 100 · 100 pairs in each "
        "head.",
        "parameters": "1,048,576 = 4 · 512² is the number of *parameters* of the four projections. "
        "Attention weights are computed for each sentence.",
        "of-one-projection": "262,144 = 512² is the number of *parameters* of one projection. "
        "Attention weights are computed for each sentence.",
        "causal-half": "40,400 is the number of visible pairs under a causal mask. Here nothing is "
        "masked.",
    },
)

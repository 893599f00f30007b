"""Five more, again mixed."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="mixed-second",
    chapter="review",
    title="Mixed questions, second round",
    questions=[
        choice(
            "doubled_scores",
            "A query's scores, which are not all equal, are all doubled. What happens to its "
            "weights?",
            {
                "a": option(
                    "Nothing: the softmax depends only on differences between scores",
                    failure_message="It does, and doubling the scores doubles the differences. "
                    "What leaves the weights as they are is *adding* a number to all scores.",
                    misconception="shift-is-scale",
                ),
                "b": option(
                    "They become less equal",
                    correct=True,
                    success_message="Yes: doubling the difference of two scores squares the ratio "
                    "of their weights. Equal scores stay equal.",
                ),
                "c": option(
                    "They double",
                    failure_message="Then they would sum to 2. The softmax always divides by the "
                    "sum.",
                    misconception="linear-softmax",
                ),
                "d": option(
                    "They become more equal",
                    failure_message="*Dividing* the scores does that: a higher temperature.",
                    misconception="too-hot",
                ),
            },
        ),
        numeric(
            "reach",
            "A model has two layers with a window of 4 keys on each side, without global tokens. "
            "How many tokens, itself included, can affect the output at a position in the middle "
            "of a long text?",
            answer=17,
            tolerance=0.4,
            success_message="Each layer adds 4 on each side: 2 · 2 · 4 + 1.",
            failure_message="That is not it. In the first layer, 4 tokens on each side reach a "
            "position. How far does the second layer look, and what do those positions hold?",
            mistakes={
                "window-only": 9,
                "one-side": 8,
                "windows-added": 18,
                "without-itself": 16,
                "paths": 81,
            },
        ),
        choice(
            "outside",
            "A colleague's additive attention returns 0.93 in a component in which all values lie "
            "between 0.1 and 0.8. What do you tell them?",
            {
                "a": option(
                    "An additive score is a small network, so outputs may lie outside the values",
                    failure_message="The score decides only the weights. Whatever it is, the "
                    "output is a weighted mean.",
                    misconception="network-leaves-hull",
                ),
                "b": option(
                    "The query was too long: scale the scores",
                    failure_message="A long query makes the weights less equal. Its output is "
                    "still a weighted mean of the values.",
                    misconception="long-query-escapes",
                ),
                "c": option(
                    "Some score was negative, which subtracts a value",
                    failure_message="A negative score makes a small weight, but never a negative "
                    "one.",
                    misconception="negative-weights",
                ),
                "d": option(
                    "There is a fault: weights that are positive and sum to 1 cannot give 0.93",
                    correct=True,
                    success_message="Yes. A weighted mean stays between the smallest and the "
                    "largest value. Perhaps the weights do not sum to 1.",
                ),
            },
        ),
        numeric(
            "cached_numbers",
            "A decoder has 3 layers, each with 2 heads of keys and values of width 8. It has "
            "written 10 tokens. How many numbers does its key–value cache hold?",
            answer=960,
            tolerance=0.5,
            success_message="Keys and values: 2 · 3 layers · 2 heads · 10 tokens · 8.",
            failure_message="That is not it. Count one vector of width 8, then multiply: tokens, "
            "heads, layers, and how many kinds of vector are kept.",
            mistakes={
                "one-of-two": 480,
                "one-layer": 320,
                "one-token": 96,
                "scores": 600,
                "queries-count": 1440,
                "squared": 9600,
            },
        ),
        choice(
            "many_draws",
            "Hard attention draws one key for each answer, with the weights as probabilities. The "
            "mean of very many answers to the same query approaches …",
            {
                "a": option(
                    "the output of soft attention",
                    correct=True,
                    success_message="Yes: the expected value of the draw is the sum of the values, "
                    "each times its probability. One draw alone is a single value.",
                ),
                "b": option(
                    "the value of the key with the largest weight",
                    failure_message="That key is drawn most often, but not always. The others "
                    "are drawn as often as their weights say.",
                    misconception="best-only",
                ),
                "c": option(
                    "the plain mean of all values",
                    failure_message="That would need equal probabilities. The draws follow the "
                    "weights.",
                    misconception="plain-mean",
                ),
            },
        ),
    ],
    misconceptions={
        "window-only": "9 is the window of one layer. The second layer mixes positions that hold "
        "more than themselves.",
        "one-side": "8 counts one side. The window covers both sides and the position itself.",
        "windows-added": "18 is 9 + 9, which counts the position itself twice.",
        "without-itself": "16 leaves the position itself out.",
        "paths": "81 is 9 · 9, the number of paths through two layers. Many lead to the same "
        "token.",
        "one-of-two": "480 counts keys or values. Both are kept.",
        "one-token": "96 is what one token adds. Ten have been written.",
        "one-layer": "320 is one layer's share. Every layer keeps its own.",
        "scores": "600 counts scores, 10 · 10 for each head of each layer. The cache keeps "
        "vectors, not scores.",
        "queries-count": "1440 counts queries as well. A query is used once, when its token is "
        "written; only keys and values are needed again.",
        "squared": "9600 grows with the square of the number of tokens. Each token adds its own "
        "keys and values once.",
    },
)

"""The word *drank* asks "who?". Its query is $q = (2, 0)$, and the four keys are

| word | the | cat | drank | milk |
|---|---|---|---|---|
| key | $(0, 0)$ | $(1, 0)$ | $(-1, -1)$ | $(0, 1)$ |

A calculator helps: $e^2 \\approx 7.389$, $e^0 = 1$ and $e^{-2} \\approx 0.135$.
"""

from coursekit import numeric, quiz

quiz(
    id="predict-who-drank",
    chapter="queries-keys-values",
    title="Predict: how sure is the answer?",
    questions=[
        numeric(
            "weight_of_cat",
            "Which weight, between 0 and 1, does *cat* get? Two decimals are enough.",
            answer=0.7758,
            tolerance=0.006,
            success_message="The scores are 0, 2, −2, 0; their exponentials 1, 7.389, 0.135, 1; "
            "and 7.389 / 9.524 is 0.776. Even *drank*, with its negative score, keeps a share of "
            "0.014.",
            mistakes={
                "exact": 1.0,
                "two-way": 0.8808,
                "negative-as-zero": 0.7112,
                "negative-left-out": 0.787,
                "sign-lost": 0.4404,
                "uniform": 0.25,
                "score": 2.0,
                "exponential": 7.389,
                "scaled": 0.6471,
            },
        ),
    ],
    hints=[
        "How many scores are there, and which of them is negative?",
        "The weight is the exponential of the score of *cat*, divided by the sum of all four "
        "exponentials.",
    ],
    misconceptions={
        "exact": "A weight of 1 is what a dictionary does: the best key takes all. Softmax gives a "
        "score of 0 the exponential e⁰ = 1, which is not nothing.",
        "two-way": "0.881 is e² / (e² + 1): *cat* against one other word. Three other words have "
        "scores, and each adds its exponential to the sum.",
        "negative-as-zero": "You counted the score of *drank* as 0. It is −2, and its exponential "
        "is 0.135, less than that of 0.",
        "negative-left-out": "You left *drank* out, because its score is negative. Every "
        "exponential is positive, so every key keeps a share, however small.",
        "sign-lost": "You counted the score of *drank* as +2. Its key points away from the query, "
        "and 2·(−1) + 0·(−1) is −2.",
        "uniform": "A quarter for each would mean that all scores are equal. They are 0, 2, −2 "
        "and 0.",
        "score": "2 is the score. Weights are shares: the exponentials of the scores, divided by "
        "their sum.",
        "exponential": "7.389 is e², the exponential of the score. It still has to be divided by "
        "the sum of all four.",
        "scaled": "You divided the scores by √2 first. That is the next chapter; here the scores "
        "are plain dot products.",
    },
)

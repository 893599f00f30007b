"""The word *drank* asks "who?". Its query is $q = (2, 0)$, and the four keys are

| | the | cat | drank | milk |
|---|---|---|---|---|
| key | $(0, 0)$ | $(1, 0)$ | $(0, 0)$ | $(0, 1)$ |

A calculator helps: $e^2 \\approx 7.389$ and $e^0 = 1$.
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
            answer=0.7112,
            tolerance=0.006,
            right="The scores are 0, 2, 0, 0; their exponentials 1, 7.389, 1, 1; and 7.389 / "
            "10.389 is 0.711. The three words that do not match keep a share of 0.096 each.",
            mistakes={
                "exact": 1.0,
                "two-way": 0.8808,
                "uniform": 0.25,
                "score": 2.0,
                "exponential": 7.389,
                "scaled": 0.5783,
            },
        ),
    ],
    hints=[
        "How many scores are there, and how many of them are zero?",
        "The weight is the exponential of the score of *cat*, divided by the sum of all four "
        "exponentials.",
    ],
    misconceptions={
        "exact": "A weight of 1 is what a dictionary does: the best key takes all. Softmax gives a "
        "score of 0 the exponential e⁰ = 1, which is not nothing.",
        "two-way": "0.881 is e² / (e² + 1): *cat* against a single other word. Three other words "
        "have the score 0, and each has an exponential of 1.",
        "uniform": "A quarter for each would mean that all scores are equal. The score of *cat* "
        "is 2 and the others are 0.",
        "score": "2 is the score. Weights are shares: the exponentials of the scores, divided by "
        "their sum.",
        "exponential": "7.389 is e², the exponential of the score. It still has to be divided by "
        "the sum of all four.",
        "scaled": "You divided the score by √2 first. That is the next chapter; here the scores "
        "are plain dot products.",
    },
)

"""Three keys have the values 10, 20 and 30. The weights of a query are 0.245, 0.090 and 0.665.
**Hard attention** draws *one* key, with its weight as the probability, and returns that key's
value. It answers ten thousand identical queries in this way.
"""

from coursekit import numeric, quiz

quiz(
    id="predict-hard-mean",
    chapter="soft-and-hard",
    title="Predict: the mean of many draws",
    questions=[
        numeric(
            "mean_of_draws",
            "Roughly what is the mean of the ten thousand answers? A whole number is enough.",
            answer=24.2,
            tolerance=0.5,
            success_message="0.245 · 10 + 0.090 · 20 + 0.665 · 30 = 24.2, which is what soft "
            "attention returns.",
            mistakes={
                "best-only": 30,
                "plain-mean": 20,
                "reversed": 15.8,
                "hundredths": 0.242,
                "first-two-exchanged": 25.75,
                "divided-by-three": 8.07,
                "sum": 60,
            },
        )
    ],
    hints=["How often is each of the values drawn in ten thousand draws?"],
    misconceptions={
        "best-only": "30 is the value of the best key. It is drawn in two thirds of the cases.",
        "plain-mean": "20 is the plain mean, as if every key were drawn equally often.",
        "reversed": "15.8 has the weights in reverse order: 0.665 belongs to 30.",
        "first-two-exchanged": "25.75 has the weights of the first two keys exchanged: 0.245 "
        "belongs to 10, and 0.090 to 20.",
        "divided-by-three": "8 is a third of the weighted sum. The weights sum to 1, so the sum is "
        "already a mean.",
        "sum": "60 is the sum of the values. A mean lies between 10 and 30.",
        "hundredths": "That is 100 times too small: the mean lies between 10 and 30.",
    },
)

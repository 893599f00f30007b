"""Two translations form one training batch. The first has 7 tokens and the second 5. Each gets an
`(end)`, and the shorter row gets padding.
"""

from coursekit import numeric, quiz

quiz(
    id="predict-counted",
    chapter="transformer",
    title="Predict: how many predictions count?",
    questions=[
        numeric(
            "places",
            "What is the shape of the array of targets? Write the two numbers.",
            answer=[2, 8],
            tolerance=0.0,
            success_message="Both rows are as long as the longest sentence with its (end).",
            mistakes={"no-end": [2, 7], "both-marks": [2, 9], "transposed": [8, 2]},
        ),
        numeric(
            "counted",
            "How many of these positions count in the loss?",
            answer=14,
            tolerance=0.0,
            success_message="7 + 1 and 5 + 1: every word and every (end), no padding.",
            mistakes={"all": 16, "words-only": 12, "with-begin": 18, "one-end": 13},
        ),
    ],
    hints=["What has to be predicted after the last word of a sentence?"],
    misconceptions={
        "no-end": "(end) has to be predicted, too. So each row is one longer than its sentence.",
        "both-marks": "The mark for the beginning is read but never predicted.",
        "transposed": "Rows are sentences, and columns are positions.",
        "all": "That counts the padding. The model must not be trained to write padding.",
        "words-only": "That leaves (end) out. The model has to learn when to stop.",
        "one-end": "Both sentences end with an (end).",
        "with-begin": "That also counts the marks for the beginning or some padding. The beginning "
        "is read but never predicted.",
    },
)

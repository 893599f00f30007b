"""Two translations form one training batch. The first has 7 tokens, the second 5. Each gets an
`(end)`. The shorter row is filled up with padding.
"""

from coursekit import Picture, numeric, quiz

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
            picture=Picture("shape"),
            success_message="Two rows, as long as the longest sentence with its (end).",
            mistakes={"no-end": [2, 7], "both-marks": [2, 9], "transposed": [8, 2]},
        ),
        numeric(
            "counted",
            "How many of these places count in the loss?",
            answer=14,
            tolerance=0.0,
            success_message="7 + 1 and 5 + 1: every word and every (end), no padding.",
            mistakes={"all": 16, "words-only": 12, "with-begin": 18, "one-end": 13},
        ),
    ],
    hints=["What has to be predicted after the last word of a sentence?"],
    misconceptions={
        "no-end": "(end) has to be predicted, too. So each row is one longer than its sentence.",
        "both-marks": "The mark for the beginning is read and never predicted.",
        "transposed": "Rows are sentences, columns are places.",
        "all": "That counts the padding. The model must not be trained to write padding.",
        "words-only": "That leaves (end) out. The model has to learn when to stop.",
        "one-end": "Both sentences end with an (end).",
        "with-begin": "That counts the marks for the beginning as well, or places of the padding. "
        "A beginning is read and never predicted.",
    },
)

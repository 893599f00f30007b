"""Four buckets in the plane. A token $x = (x_1, x_2)$ falls into the bucket of the largest of the
four numbers $(x_1, x_2, -x_1, -x_2)$, counted from 0: the nearest of right, up, left and down.

Eight tokens, in the order of the text:

| token | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 |
|---|---|---|---|---|---|---|---|---|
| $x_1$ | 1.0 | −0.3 | 0.9 | −1.0 | 0.2 | 0.8 | −0.2 | 0.7 |
| $x_2$ | 0.2 | 1.0 | −0.1 | 0.3 | 1.1 | 0.7 | −0.9 | 0.8 |

They are sorted by bucket, equal ones in the order of the text, and cut into chunks of two. A token
sees its own chunk and the one before.
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="predict-buckets",
    chapter="hashing",
    title="Predict: buckets, chunks, and who meets whom",
    questions=[
        numeric(
            "bucket_of_3",
            "Into which bucket, 0 to 3, does token 3 fall?",
            answer=2,
            tolerance=0.0,
            success_message="The four numbers are −1.0, 0.3, 1.0, −0.3. The third is the largest: "
            "left.",
            mistakes={"no-negatives": 1, "counts-from-one": 3, "largest-length": 0},
        ),
        numeric(
            "order",
            "In which order do the eight tokens stand when they are sorted? Write the eight "
            "numbers.",
            answer=[0, 2, 5, 1, 4, 7, 3, 6],
            tolerance=0.0,
            success_message="Bucket 0 holds tokens 0, 2, 5; bucket 1 holds 1, 4, 7; then 3, then "
            "6.",
            mistakes={
                "buckets-not-tokens": [0, 1, 0, 2, 1, 0, 3, 1],
                "by-angle": [2, 0, 5, 7, 4, 1, 3, 6],
            },
        ),
        choice(
            "who_meets",
            "Tokens 5 and 7 lie close together, on two sides of a border between buckets. Which of "
            "them sees the other in this round?",
            {
                "a": option(
                    "Neither: they are in different buckets",
                    failure_message="Buckets decide the order. What a token sees is its chunk and "
                    "the one before, and in the sorted row 5 stands in the chunk before that of 7.",
                    misconception="bucket-only",
                ),
                "b": option(
                    "Both see each other",
                    failure_message="That would need a look forward as well. Who stands in the "
                    "chunk before that of 5?",
                    misconception="looks-both-ways",
                ),
                "c": option(
                    "7 sees 5, but 5 does not see 7",
                    correct=True,
                    success_message="Yes: the chunks are (0, 2), (5, 1), (4, 7), (3, 6), and each "
                    "looks one back. Another round, turned otherwise, may bring them together.",
                ),
                "d": option(
                    "5 sees 7, but 7 does not see 5",
                    failure_message="The other way round: a chunk looks back at the one before "
                    "it, and 5 stands before 7.",
                    misconception="looks-forward",
                ),
            },
        ),
    ],
    hints=[
        "Write the four numbers for each token and mark the largest.",
        "The chunks are the sorted row, cut after every second token.",
    ],
    misconceptions={
        "no-negatives": "You took the larger of the two coordinates. The two negatives take part "
        "as well, and 1.0 = −(−1.0) is larger than 0.3.",
        "counts-from-one": "The right direction; the buckets are counted from 0.",
        "largest-length": "The sign matters: left and right are different buckets.",
        "buckets-not-tokens": "These are the buckets of the tokens in the order of the text. Asked "
        "is which *token* stands where after sorting.",
        "by-angle": "Sorted by direction. Inside a bucket tokens keep the order of the text.",
    },
)

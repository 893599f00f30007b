"""Learned positions for $128 = 8 \\cdot 16$ tokens, 64 numbers wide. In place of one table of 128
rows there are two: the first has 8 rows of 24 numbers, the second 16 rows of 40. The position of a
token is a row of the first and a row of the second, side by side.
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="predict-axial",
    chapter="hashing",
    title="Predict: two small tables",
    questions=[
        numeric(
            "numbers_learned",
            "How many numbers are learned, in both tables together?",
            answer=832,
            tolerance=0.0,
            success_message="8 · 24 + 16 · 40 = 192 + 640, in place of 128 · 64 = 8192.",
            mistakes={"full-table": 8192, "crossed": 704, "product": 122880, "widths-both": 1536},
        ),
        choice(
            "how_many_rows",
            "How many *different* positions can the two tables make?",
            {
                "a": option(
                    "24: one for each row",
                    failure_message="A position takes a row of each table. How many pairs are "
                    "there?",
                    misconception="rows-added",
                ),
                "b": option(
                    "128: one for each pair of rows",
                    correct=True,
                    success_message="Yes, as long as no table repeats a row. Rows are shared, "
                    "pairs are not.",
                ),
                "c": option(
                    "16: as many as the longer table has",
                    failure_message="The shorter table changes too: 8 times 16 pairs.",
                    misconception="longer-only",
                ),
                "d": option(
                    "832: one for each number learned",
                    failure_message="Numbers are not positions. How many pairs of rows are there?",
                    misconception="numbers-are-positions",
                ),
            },
        ),
    ],
    hints=["A table of 8 rows, each 24 wide, has how many numbers?"],
    misconceptions={
        "full-table": "That is the one large table, 128 · 64.",
        "crossed": "8 rows go with 24 columns, and 16 rows with 40.",
        "product": "The tables stand beside each other: their sizes are added, not multiplied.",
        "widths-both": "Neither table has the full width of 64; the two widths add up to it.",
    },
)

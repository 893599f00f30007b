"""Positions are learned, 64 numbers wide. Instead of one table with a row for each position, there
are two: the first has 8 rows of 24 numbers, the second 16 rows of 40. A token's position is a row
of the first and a row of the second, side by side.
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
            success_message="8 · 24 + 16 · 40 = 192 + 640.",
            failure_message="How many numbers does a table of 8 rows hold, each 24 wide? And the "
            "other one?",
            mistakes={
                "full-table": 8192,
                "crossed": 704,
                "product": 122880,
                "widths-both": 1536,
                "first-only": 192,
                "second-only": 640,
                "rows": 24,
                "pairs": 128,
            },
        ),
        choice(
            "how_many_rows",
            "How many *different* positions can the two tables make?",
            {
                "a": option(
                    "24: one for each row",
                    failure_message="A position takes a row from each table. How many pairs of "
                    "rows are there?",
                    misconception="rows-added",
                ),
                "b": option(
                    "16: as many as the longer table has",
                    failure_message="The shorter table varies too: there are 8 times 16 pairs.",
                    misconception="longer-only",
                ),
                "c": option(
                    "832: one for each number learned",
                    failure_message="A position takes a whole row from each table. How many pairs "
                    "of rows are there?",
                    misconception="numbers-are-positions",
                ),
                "d": option(
                    "128: one for each pair of rows",
                    correct=True,
                    success_message="Yes, as long as no table repeats a row. Tokens share rows, "
                    "but no two of them share both. One table would hold 128 · 64 = 8192 numbers.",
                ),
            },
        ),
    ],
    hints=["How many numbers are there in a table of 8 rows, each 24 wide?"],
    misconceptions={
        "full-table": "8192 is the one large table, 128 · 64.",
        "crossed": "704 = 8 · 40 + 16 · 24 swaps the widths: 8 rows go with 24 columns, and 16 "
        "rows with 40.",
        "product": "122,880 is the product of both sizes. The tables are separate: add their "
        "sizes.",
        "widths-both": "1536 = (8 + 16) · 64. Neither table has the full width of 64; their two "
        "widths add up to it.",
        "first-only": "192 is the first table. The second has 16 · 40 more.",
        "second-only": "640 is the second table. The first has 8 · 24 more.",
        "rows": "24 is the number of rows in both tables together, and the width of the first. "
        "Each row holds 24 or 40 numbers.",
        "pairs": "128 is the number of pairs of rows. The question is how many numbers the "
        "tables hold.",
    },
)

"""The model reads *Once the red fox saw the red*. The query is that of the last word, the second
*red*.
"""

from coursekit import match, quiz

quiz(
    id="where-heads-look",
    chapter="circuits",
    title="Where four heads look",
    recalled=False,
    questions=[
        match(
            "looks_at",
            "To which word does each head give its weight?",
            left={
                "1": "a previous-token head",
                "2": "an induction head",
                "3": "a head that looks for the same word",
                "4": "a head that looks five places back",
            },
            right={
                "a": "*fox*",
                "b": "the first *the*",
                "c": "the second *the*",
                "d": "the first *red*",
                "e": "*saw*",
            },
            answer="1c 2a 3d 4b",
            mistakes={
                "what-followed": "a",
                "five-back": "b",
                "one-back": "c",
                "same-word": "d",
                "no-rule": "e",
            },
            success_message="The induction head looks at *fox*, which followed *red* before; the "
            "model can write it now.",
            points=2,
        )
    ],
    hints=[
        "Number the words: *Once* is 0, and the query is 6.",
        "The word *red* occurred before, at place 2. Which head looks there, and which looks at "
        "place 3?",
    ],
    misconceptions={
        "what-followed": "The word *fox* is not the same as the query's, and it is three places "
        "back. It is what followed *red* the last time: only an induction head looks for that.",
        "five-back": "The first *the* is five places back, at place 1. Only a head that counts "
        "looks there.",
        "one-back": "The second *the* is the word just before the query's. Only a previous-token "
        "head looks there.",
        "same-word": "The first *red* is the same word as the query's. An induction head looks at "
        "the word after it.",
        "no-rule": "The word *saw* is two places back, is another word, and followed *fox*. None "
        "of these heads looks for that.",
    },
)

"""There are 16 tokens in a row, numbered from 0 to 15. Each attends to itself and to **two tokens
on each side**, where they exist: a window of 2. Layers are stacked: the second layer attends to the
outputs of the first.
"""

from coursekit import numeric, quiz

quiz(
    id="predict-window",
    chapter="windows",
    title="Predict: what a window costs, and how far it reaches",
    questions=[
        numeric(
            "pairs",
            "How many of the 16 · 16 = 256 pairs of query and key are visible in one layer?",
            answer=74,
            tolerance=0.0,
            success_message="16 rows of 5, minus 3 at each end: token 0 lacks two, token 1 lacks "
            "one.",
            failure_message="Count row by row: how many keys do tokens 0, 1 and 8 see?",
            mistakes={
                "ends-forgotten": 80,
                "four-at-each-end": 72,
                "one-end": 77,
                "token-1-forgotten": 76,
                "window-of-one": 46,
                "without-itself": 58,
                "four-in-a-row": 64,
                "one-side": 45,
                "all-pairs": 256,
            },
        ),
        numeric(
            "reach_of_8",
            "With three such layers, how many of the 16 tokens, token 8 included, can affect the "
            "output at position 8?",
            answer=13,
            tolerance=0.0,
            success_message="2 · 3 = 6 on each side, and itself: tokens 2 to 14.",
            failure_message="Go back layer by layer: which tokens affect position 8 after one "
            "layer, after two, after three?",
            mistakes={
                "window-only": 5,
                "two-layers": 9,
                "windows-added": 15,
                "powers": 125,
                "one-side-of-8": 7,
                "sides-without-itself": 12,
                "all-tokens": 16,
            },
        ),
        numeric(
            "reach_of_1",
            "And how many can affect the output at position 1?",
            answer=8,
            tolerance=0.0,
            success_message="Only token 0 is on its left, and six are on its right: tokens 0 to 7.",
            failure_message="Three layers reach six tokens to each side, where they exist. Which "
            "tokens are these here?",
            mistakes={
                "left-end": 13,
                "one-missing": 7,
                "right-only": 6,
                "first-layer-of-1": 4,
                "all-tokens": 16,
            },
        ),
    ],
    hints=[
        "Take position 8 after two layers. In the second layer it attends to positions 6 to 10. "
        "What did position 10 attend to in the first?",
        "Each layer adds two tokens on each side, where they exist.",
    ],
    misconceptions={
        "ends-forgotten": "80 is 16 rows of 5. What does token 0 have on its left?",
        "four-at-each-end": "72 is 80 minus 4 at each end. Token 0 lacks two keys and token 1 "
        "lacks one: that is 3 at each end.",
        "one-end": "77 is 80 minus the 3 keys missing at one end. The other end lacks 3 as well.",
        "token-1-forgotten": "76 is 80 minus 2 at each end. Token 1 also lacks a key: it has only "
        "one token on its left.",
        "window-of-one": "46 is right for one token on each side. Here a window of 2 means two on "
        "each side; some texts count both sides together.",
        "without-itself": "58 is right without the diagonal. Each token attends to itself as well.",
        "four-in-a-row": "64 is four keys in each of 16 rows. A token away from the ends has two "
        "on each side and itself; tokens at the ends have fewer.",
        "one-side": "45 counts one side and the token itself. The window opens to the left and to "
        "the right.",
        "all-pairs": "256 is the total number of pairs. With this window, a query attends to 5 "
        "keys at most.",
        "window-only": "5 is what one layer sees. In the next layer its neighbours pass on what "
        "they got from *their* neighbours.",
        "two-layers": "9 is the reach of two layers, 4 on each side and itself. There are three.",
        "windows-added": "15 is three windows of 5. They overlap: each further layer adds two "
        "tokens on each side.",
        "powers": "125 = 5 · 5 · 5 counts *paths*, and many of them begin at the same token. There "
        "are only 16 tokens.",
        "one-side-of-8": "7 is six on one side, and the token itself. The window opens both ways.",
        "sides-without-itself": "12 is six on each side. Token 8 itself counts as well.",
        "all-tokens": "Three layers do not reach all 16: they reach at most six tokens to each "
        "side.",
        "left-end": "13 is right in the middle of the row. Position 1 has only one token on its "
        "left.",
        "one-missing": "One is missing: position 1 counts itself, token 0 on its left, and six "
        "tokens on its right.",
        "right-only": "Three layers reach six tokens to the right, 2 to 7. Token 0 and position 1 "
        "itself count as well.",
        "first-layer-of-1": "4 is what one layer sees, tokens 0 to 3. There are three layers.",
    },
)

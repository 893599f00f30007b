"""There are 16 tokens, numbered from 0 to 15. Each sees itself and **two tokens on each side**, as
far as there are any: a window of 2. Layers are stacked: the second sees what the first has made.
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
            success_message="16 rows of 5, less 3 at each end: token 0 lacks two, token 1 lacks "
            "one.",
            mistakes={
                "ends-forgotten": 80,
                "both-sides-together": 46,
                "without-itself": 58,
                "one-side": 45,
                "everything": 256,
            },
        ),
        numeric(
            "reach_of_8",
            "Three such layers. How many of the 16 tokens can have informed what stands in place "
            "8?",
            answer=13,
            tolerance=0.0,
            success_message="2 · 3 = 6 on each side and itself: tokens 2 to 14.",
            mistakes={
                "window-only": 5,
                "windows-added": 15,
                "powers": 125,
                "one-side": 7,
                "everything": 16,
            },
        ),
        numeric(
            "reach_of_1",
            "And in place 1?",
            answer=8,
            tolerance=0.0,
            success_message="To the left there is one token only: tokens 0 to 7.",
            mistakes={"ends-forgotten": 13, "one-side": 7, "window-only": 4, "everything": 16},
        ),
    ],
    hints=[
        "Take token 8 after two layers. In the second layer it sees tokens 6 to 10. What had token "
        "10 seen in the first?",
        "Each layer adds two on each side, where there are any.",
    ],
    misconceptions={
        "ends-forgotten": "That counts every token as if it had two neighbours on each side. What "
        "does token 0 have on its left?",
        "both-sides-together": "That is one token on each side. Here a window of 2 is two on each "
        "side; some texts count both sides together.",
        "without-itself": "A token sees itself as well.",
        "one-side": "That counts one side only. The window opens to the left and to the right.",
        "everything": "That many would be everything. One layer sees 5 tokens at most.",
        "window-only": "That is what one layer sees. In the next, its neighbours have seen "
        "*their* neighbours.",
        "windows-added": "Three windows of 5 overlap: each further layer adds two tokens on each "
        "side, not five.",
        "powers": "There are as many *paths*, 5 · 5 · 5, but most of them end at the same token. "
        "And there are only 16 tokens.",
    },
)

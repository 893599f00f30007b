"""A layer reads 16 tokens, numbered from 0. *Global* means that the whole row and the whole column
of token 0 are visible.
"""

from coursekit import match, quiz

quiz(
    id="patterns-and-keys",
    chapter="windows",
    title="What token 9 sees",
    questions=[
        match(
            "seen_by_nine",
            "Which keys does the query of token 9 see under each pattern?",
            left={
                "1": "full attention",
                "2": "a window of 2",
                "3": "a window of 2 with a causal mask",
                "4": "a window of 2, and token 0 is global",
            },
            right={
                "a": "7, 8 and 9",
                "b": "7 to 11",
                "c": "0 and 7 to 11",
                "d": "0 to 15",
                "e": "0 to 9",
            },
            answer="1d 2b 3a 4c",
            mistakes={
                "full-hides": "1a 1b 1c",
                "window-hides-nothing": "2d 3d 4d",
                "wrong-sides": "2a 3b 3c 4a",
                "wrong-global": "2c 4b",
                "no-window": "e",
            },
            success_message="A window keeps two tokens on each side, a causal mask removes those "
            "after 9, and a global token is added to what every query sees.",
            points=2,
        )
    ],
    hints=[
        "Begin with the two ends of the window: 9 − 2 and 9 + 2.",
        "Which of these tokens does a causal mask hide from 9? And which token does every query "
        "see if token 0 is global?",
    ],
    misconceptions={
        "full-hides": "Full attention has no mask: every query sees all 16 tokens.",
        "window-hides-nothing": "A window of 2 hides every key that is more than two positions "
        "away, unless that key is global.",
        "wrong-sides": "A window has two sides. Only a causal mask takes one of them away, the "
        "one with the later tokens.",
        "wrong-global": "Every query sees a global token, even outside its window, but only one of "
        "these patterns has a global token.",
        "no-window": "0 to 9 is what a causal mask leaves without a window. None of these four "
        "patterns is only causal.",
    },
)

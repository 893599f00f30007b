"""The translator writes 8 tokens, `(end)` included, one after the other. Its first input is the
mark for the beginning.
"""

from coursekit import numeric, quiz

quiz(
    id="predict-cached-tokens",
    chapter="transformer",
    title="Predict: how many tokens pass through the decoder?",
    questions=[
        numeric(
            "without",
            "At each step, the decoder gets everything written so far. How many tokens pass "
            "through it in all 8 steps?",
            answer=36,
            tolerance=0.0,
            success_message="1 + 2 + … + 8 = 36.",
            mistakes={"once-each": 8, "full-length": 64, "one-short": 28, "one-more": 44},
        ),
        numeric(
            "with_cache",
            "With a cache of keys and values, it gets only the newest token. How many tokens pass "
            "through it in the 8 steps then?",
            answer=8,
            tolerance=0.0,
            success_message="One for each step; the mark for the beginning is the first of them.",
            mistakes={"no-gain": 36, "begin-free": 7, "begin-extra": 9, "each-step": 1},
        ),
    ],
    hints=["What does the decoder read at step 1, at step 2, at step 3?"],
    misconceptions={
        "once-each": "That is one token a step. Without a cache, each step computes all earlier "
        "tokens again.",
        "full-length": "That is 8 tokens in each of 8 steps. At step 3, there are only three "
        "tokens to read.",
        "one-short": "That is 1 + 2 + … + 7. The eighth token is written from 8 tokens, including "
        "the mark for the beginning.",
        "one-more": "That starts with two tokens. At the first step only the mark is there.",
        "no-gain": "That is the number without a cache.",
        "begin-free": "The mark for the beginning also passes through the decoder: the first "
        "word is predicted from it.",
        "each-step": "One token passes at each step. The question is about all 8 steps together.",
        "begin-extra": "The last token written, (end), is not read again.",
    },
)

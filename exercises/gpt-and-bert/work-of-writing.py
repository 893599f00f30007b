"""Two models write a sentence of 8 tokens, *(begin)* and *(end)* included. The first two are given,
so 6 are to be written, one after the other. For each of them the masked model passes the whole
sentence through its layers, gaps included. The model of the next token keeps keys and values in a
cache.
"""

from coursekit import numeric, quiz

quiz(
    id="work-of-writing",
    chapter="gpt-and-bert",
    title="Count the work of writing",
    questions=[
        numeric(
            "masked_writer",
            "How many tokens, gaps included, pass through the masked model in all?",
            answer=48,
            tolerance=0.0,
            success_message="6 passes over 8 places.",
            mistakes={
                "new-ones-only": 6,
                "gaps-left-out": 27,
                "new-places-only": 36,
                "given-written-too": 64,
            },
        ),
        numeric(
            "causal_writer",
            "How many tokens pass through the model of the next token, with its cache?",
            answer=7,
            tolerance=0.0,
            success_message="The two that are given, and then each token written but the last.",
            mistakes={"start-is-one": 6, "end-read": 8, "no-cache": 27, "as-masked": 48},
        ),
    ],
    hints=[
        "What does each model read to write the first of the six tokens, and what for the second?"
    ],
    misconceptions={
        "new-ones-only": "That is one token for each pass. Each pass takes in all 8 places.",
        "gaps-left-out": "That is 2 + 3 + … + 7: the tokens that are there already. The gaps are "
        "places, too, and pass through the layers.",
        "new-places-only": "That is 6 passes over 6 places. The two tokens that are given pass "
        "through the model, too.",
        "given-written-too": "That is 8 passes. Two of the tokens are given.",
        "start-is-one": "The first pass reads both tokens that are given. Then five more follow, "
        "one at a time.",
        "end-read": "The last token is written and not read again.",
        "no-cache": "That is 2 + 3 + … + 7, without a cache.",
        "as-masked": "That is the number for the masked model. Under a causal mask, what was "
        "computed for earlier tokens stays valid.",
    },
)

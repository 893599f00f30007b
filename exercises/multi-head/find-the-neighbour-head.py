"""In one of the 72 heads of a trained model, every token attends to **the token before it**, in
every sentence. Find it.

The small maps show one sentence. Rows are queries and columns are keys: where is the key that
stands just before the query? Choose a head, look at its map and its rows, and then check it on
**another sentence**: one of the list or, where the figure has a field for it, your own. Then press
*Use as answer*, or write layer and head yourself, both counted from 1. Your answer is checked on 50
other sentences, which the model has read for us.
"""

from coursekit import check, exercise, expect, expect_integer

exercise(
    title="Find the head that looks at the token before",
    explorable="HeadBrowser",
    binds={"layer": "layer", "head": "head"},
    hints=[
        "Query 5 attends to key 4, query 6 to key 5. Which line do these cells form in a map?",
        "A line just *below* the diagonal. Some heads have a faint one; in the right one nearly "
        "all weight is on it.",
        "Look along the row of layer 1, and read the line below the maps: *the token before*.",
    ],
)

# The lines that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: layer = 1
# STARTER: head = 1
layer = 1
head = 3
# END SOLUTION


MISTAKES = r"""
token-after: `head = 3` → `head = 9`, `layer = 1` → `layer = 2` or `layer = 3`
    This head gives more weight to the token *after* the query than to the one before. Rows are
    queries, so the token before stands to the left of the diagonal.
some-weight: `head = 3` → `head = 6`
or `layer = 1` → `layer = 3`, `head = 3` → `head = 12` or `head = 1`
    This head gives the token before some weight, but gives other tokens more. In the right head
    nearly all weight is there, in every sentence.
another-pattern: `layer = 1` → `layer = 5`, `head = 3` → `head = 6`
    This head attends elsewhere: the token before gets little. Compare its map with the line below
    the maps.
not-a-head: `layer = 1` → `layer = 0`
    The answer needs a layer from 1 to 6 and a head from 1 to 12.
"""

# Mean weights over 50 sentences that the course wrote, one layer in a row: from a token to the one
# before it, and to the one after it.
BEFORE = [
    [0.07, 0.08, 1.00, 0.09, 0.13, 0.31, 0.08, 0.08, 0.05, 0.08, 0.08, 0.08],
    [0.05, 0.08, 0.18, 0.10, 0.03, 0.08, 0.18, 0.07, 0.01, 0.34, 0.09, 0.20],
    [0.22, 0.10, 0.10, 0.05, 0.09, 0.08, 0.08, 0.08, 0.04, 0.08, 0.13, 0.38],
    [0.06, 0.09, 0.12, 0.09, 0.09, 0.08, 0.09, 0.07, 0.19, 0.08, 0.08, 0.07],
    [0.08, 0.07, 0.08, 0.08, 0.08, 0.08, 0.07, 0.15, 0.10, 0.07, 0.08, 0.08],
    [0.08, 0.09, 0.08, 0.08, 0.08, 0.08, 0.08, 0.09, 0.09, 0.10, 0.08, 0.08],
]
AFTER = [
    [0.08, 0.06, 0.00, 0.09, 0.13, 0.03, 0.06, 0.05, 0.04, 0.05, 0.05, 0.06],
    [0.02, 0.00, 0.08, 0.03, 0.27, 0.04, 0.01, 0.15, 0.63, 0.00, 0.02, 0.00],
    [0.01, 0.12, 0.04, 0.07, 0.01, 0.04, 0.03, 0.01, 0.28, 0.00, 0.03, 0.00],
    [0.05, 0.12, 0.03, 0.03, 0.02, 0.03, 0.03, 0.03, 0.05, 0.07, 0.04, 0.07],
    [0.05, 0.04, 0.02, 0.04, 0.04, 0.01, 0.10, 0.02, 0.03, 0.20, 0.03, 0.03],
    [0.04, 0.05, 0.06, 0.04, 0.05, 0.04, 0.06, 0.05, 0.07, 0.06, 0.06, 0.05],
]


@check(points=2)
def it_attends_to_the_token_before(layer, head):
    """On 50 sentences, nearly all weight is on the token before"""
    at = expect_integer(layer, 1, 6, what="layer", misconception="not-a-head") - 1
    which = expect_integer(head, 1, 12, what="head", misconception="not-a-head") - 1
    before, after = BEFORE[at][which], AFTER[at][which]
    if after > max(before, 0.15):
        reason = "token-after"
    else:
        reason = "some-weight" if before >= 0.15 else "another-pattern"
    expect(
        before >= 0.9,
        f"In layer {at + 1}, head {which + 1}, the token before gets {before:.2f} of the weight "
        f"and the token after {after:.2f}, as means over 50 sentences. Expected at least 0.90 on "
        "the token before.",
        reason,
    )


ALSO_RIGHT = {
    "as floats": "layer = 1.0\nhead = 3.0",
    "one after the other": "layer, head = 1, 3",
}

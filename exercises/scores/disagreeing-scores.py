"""Five score functions compare the same query with the same three keys: $k_1 = (1.5, -0.5)$,
$k_2 = (2, 2)$ and $k_3 = (0, 3)$. At the start, the dot product and the cosine give their largest
weights to different keys. The additive score of the figure has $W_q = W_k = I$ and $v = (1, 1)$: of
a query $(a, b)$ and a key $(c, d)$ it is $\\tanh(a + c) + \\tanh(b + d)$. Move **only the query**
until dot product and cosine agree on a key and the additive score gives its largest weight to a
*different* one.

Before you move anything: does it help to make the query longer? Then press *Use as answer*, or
write the two numbers yourself.
"""

import numpy as np

import attn
from attn.formulas import additive_scores
from coursekit import as_array, check, exercise, expect

exercise(
    title="Two score functions disagree",
    explorable="ScoreFunctions",
    binds={"query": "query"},
    hints=[
        "Point the query straight at a key. Which key do dot product and cosine prefer then?",
        "The additive score prefers a key with *two* large components, since no component counts "
        "for more than 1.",
        "Turn the query upwards, towards $k_3$, which has one large component only.",
    ],
)

# The line that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: query = [1.0, 0.0]
query = [0.0, 1.0]
# END SOLUTION


MISTAKES = r"""
only-longer: `0.0, 1.0` → `3, 0` or `0.25, 0.0`
    The query has kept its direction. Its length multiplies every dot product alike and leaves
    cosines as they are, so the order of the keys remains the same in both. Turn it.
still-apart: `0.0, 1.0` → `1.0, 0.0` or `1.0, 0.2`
    Dot product and cosine prefer different keys: only in the first does the length of a key count.
    In which direction do both prefer the same one?
all-agree: `0.0, 1.0` → `1.0, 1.0`
    All three agree. The additive score is large where *both* components of query plus key are
    large. Find a direction in which the best key has only one.
no-winner: `0.0, 1.0` → `0.0, 0.0`
    Two keys share the largest score, so neither key is preferred.
not-two-numbers: `[0.0, 1.0]` → `1.0`
    The query lives in the plane of the keys: query = [a, b].
"""

KEYS = np.array([[1.5, -0.5], [2.0, 2.0], [0.0, 3.0]])


def _scores(query):
    asking = query[None]
    dot = attn.dot_score(asking, KEYS)[0]
    return {
        "the dot product": dot,
        "the cosine": dot / np.linalg.norm(KEYS, axis=1),  # the query's length changes no order
        "the additive score": additive_scores(asking, KEYS, np.ones(2))[0],
    }


def _favourite(name, scores):
    second, first = np.sort(scores)[-2:]
    expect(first - second > 1e-9, f"For {name}, two keys share the first place.", "no-winner")
    return int(scores.argmax()) + 1


@check(points=2)
def they_disagree(query):
    """Dot product and cosine agree, and the additive score prefers another key"""
    seen = as_array(query, "query")
    message = f"query has shape {seen.shape}; expected two numbers."
    expect(seen.shape == (2,), message, "not-two-numbers")
    expect(np.isfinite(seen).all(), "query contains NaN or infinity; expected two finite numbers.")
    dot, cosine, additive = (
        _favourite(name, row) for name, row in _scores(seen.astype(float)).items()
    )
    seen_now = (
        f"The largest weights are on k{dot} (dot), k{cosine} (cosine) and k{additive} (additive)"
    )
    is_longer = seen[0] > 0 and abs(seen[1]) < 1e-9
    expect(
        dot == cosine,
        f"{seen_now}; expected the first two to be equal.",
        "only-longer" if is_longer and seen[0] != 1 else "still-apart",
    )
    expect(additive != dot, f"{seen_now}; expected the third to differ.", "all-agree")


ALSO_RIGHT = {
    "away from everything": "query = [-1, -1]",
    "to the upper left": "query = (-1.0, 1.0)",
    "steep": "query = [0.5, 2.0]",
    "right and down": "query = [1.0, -1.0]",
}

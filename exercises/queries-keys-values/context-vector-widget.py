"""Two books stand on the shelf: $k_1 = (1, 1)$ with $v_1 = (0.5, 0.5)$, and $k_2 = (0, 1)$ with
$v_2 = (0.2, 0.8)$. Leave keys and values as they are and move **only the query**, until the second
book gets at least 80 % of the weight.

Before you move anything: which way would you go? Then press *Use as answer*, or write the two
numbers yourself.
"""

import numpy as np

from coursekit import as_array, check, exercise, expect

exercise(
    title="Ask for the second book",
    explorable="ContextVector",
    binds={"query": "query"},
    hints=[
        "Where do the two keys differ, and where are they the same?",
        "The scores are $q \\cdot k_1 = q_1 + q_2$ and $q \\cdot k_2 = q_2$. What does their "
        "difference depend on?",
        "The second weight is $1 / (1 + e^{q_1})$. It has to reach 0.8, so $e^{q_1}$ has to fall "
        "to 0.25.",
    ],
)

# The line that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: query = [0.5, -0.5]
query = [-1.5, 0.5]
# END SOLUTION


MISTAKES = r"""
no-difference: `-1.5, 0.5` → `0.0, 1.0` or `0.0, 0.0` or `0.0, -3.0` or `0.0, 3.0`
    The first number of your query is 0, or nearly. Both keys have the same second component, so
    they score the same, whatever the second number is. In which direction do the two keys differ?
towards-the-first: `-1.5, 0.5` → `1.0, 0.0` or `1.0, 1.0`
    The first number of your query is positive, and only the first key has a first component to
    multiply it with, so the first book has more weight than the second. Which sign turns that
    around?
copied-the-value: `-1.5, 0.5` → `0.2, 0.8`
    (0.2, 0.8) is the second *value*: what the book says. The query is compared with the keys only.
not-far-enough: `-1.5, 0.5` → `-1.0, 0.0` or `-0.5, -2.0`
    The direction is right: the second book has more weight than the first. The weight grows with
    the difference of the two scores; go further the same way.
not-two-numbers: `[-1.5, 0.5]` → `0.8`
    The query lives in the same space as the keys, so it has two numbers: query = [a, b].
"""


@check(points=2)
def second_book(query):
    """The second book gets at least 80 % of the weight"""
    seen = as_array(query, "query")
    expect(
        seen.shape == (2,),
        f"query has shape {seen.shape}; expected two numbers.",
        "not-two-numbers",
    )
    expect(np.isfinite(seen).all(), "query contains NaN or infinity; expected two finite numbers.")
    first, second = float(seen[0]), float(seen[1])
    share = 1 / (1 + np.exp(np.clip(first, -700, 700)))
    if np.allclose(seen, [0.2, 0.8]):
        mistake = "copied-the-value"
    elif abs(first) < 0.02:
        mistake = "no-difference"
    else:
        mistake = "towards-the-first" if first > 0 else "not-far-enough"
    expect(
        share >= 0.795,
        f"With query ({first:g}, {second:g}) the second weight is {share:.3f}; expected at least "
        "0.8.",
        mistake,
    )


ALSO_RIGHT = {
    "exactly on the line": "query = [-1.4, 0.0]",
    "a tuple, far away": "query = (-2, 2)",
    "from the hint": "query = [-1.3863, 1.0]",
}

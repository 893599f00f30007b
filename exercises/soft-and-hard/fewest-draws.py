"""Of 16 keys only key 4 is right: it costs 0, the others cost 1. At the start all scores are equal.
Training then raises the **score of the right key to 3**. Set that first, and find a `baseline` with
which **50 draws** or fewer are enough: the *standard error* of their mean must be at most 0.1 of
the gradient's length. (The *error seen* is a matter of luck; *Other draws* shows how much.) Try the
expected loss first, 1 minus the weight of the right key.

Press *Use as answer* when you have found one, or write the three numbers yourself.
"""

import numpy as np

from coursekit import as_array, check, exercise, expect

exercise(
    title="A gradient from 50 draws",
    explorable="GradientDraws",
    binds={"score": "score", "baseline": "baseline", "num_draws": "num_draws"},
    hints=[
        "With the score at 3 and the draws at 50, move the baseline. Where is the standard error "
        "smallest?",
        "The right key now has the weight 0.57, so the expected loss is 0.43. But its $e_c - p$ is "
        "short, since $p$ is close to $e_c$ already. Which draws make the error?",
        "The long $e_c - p$ belong to wrong keys, whose loss is 1. A baseline nearer to 1 makes "
        "their estimates small. But then the right key's, with loss 0, get larger.",
    ],
)

# The lines that the figure above writes when you press "Use as answer":
# BEGIN SOLUTION
# STARTER: score = 0.0
# STARTER: baseline = 0.0
# STARTER: num_draws = 10
score = 3.0
baseline = 0.8125
num_draws = 50
# END SOLUTION


MISTAKES = r"""
no-baseline: `0.8125` → `0.0`
    Without a baseline every draw of a wrong key counts with its whole loss, so far more draws are
    needed.
expected-loss: `0.8125` → `0.4375`
    The expected loss was the best baseline while all weights were equal. Now the e_c - p of the
    right key is short and that of a wrong key long, so the error comes mostly from draws of wrong
    keys. What do these cost?
too-low: `0.8125` → `0.5625`
    The baseline is below the best one: draws of wrong keys still have large estimates.
too-high: `0.8125` → `1.0`
    The baseline is above the best one: now the draws of the right key, with loss 0, have large
    estimates.
too-few: `50` → `10`
    The baseline is good enough for 50 draws, but these are too few: the standard error falls with
    the root of their number.
too-many: `50` → `100`
or `0.8125` → `0.0`, `50` → `1000`
    The standard error is small enough, but this takes more than 50 draws. With a good baseline, 50
    are enough.
other-score: `3.0` → `0.0`, `0.8125` → `0.0`, `50` → `10`
or `3.0` → `0.0`, `0.8125` → `0.9375`, `50` → `1500`
    The score of the right key is to be 3.
not-numbers: `50` → `0` or `float("inf")`
or `0.8125` → `[0.8125]`
    score and baseline are numbers, num_draws a whole number of 1 or more.
"""

LOSSES = np.array([1.0] * 3 + [0.0] + [1.0] * 12)
SCORES = np.array([0.0] * 3 + [3.0] + [0.0] * 12)
TARGET, BUDGET = 0.1, 50


def _error_of_one_draw(baseline):
    """Return the root mean square error of one draw, as a share of the gradient's length."""
    p = np.exp(SCORES) / np.exp(SCORES).sum()
    estimates = (LOSSES - baseline)[:, None] * (np.eye(16) - p)  # row c: if c is drawn
    exact = p @ estimates
    return np.sqrt(p @ ((estimates - exact) ** 2).sum(axis=1)) / np.linalg.norm(exact)


def _numbers(score, baseline, num_draws):
    for name, value in (("score", score), ("baseline", baseline), ("num_draws", num_draws)):
        seen = as_array(value, name)
        fine = seen.shape == () and seen.dtype.kind in "iuf" and np.isfinite(seen)
        expect(fine, f"{name} is {value!r}; expected one number.", "not-numbers")
    message = f"num_draws is {num_draws!r}; expected a whole number, 1 or more."
    expect(num_draws >= 1 and float(num_draws).is_integer(), message, "not-numbers")
    return float(score), float(baseline), int(num_draws)


def _what_is_wrong_with(baseline):
    p = np.exp(SCORES) / np.exp(SCORES).sum()
    if baseline == 0:
        return "no-baseline"
    if abs(baseline - p @ LOSSES) < 0.04:
        return "expected-loss"
    longer = np.linspace(0, 1.5, 1501)
    best = longer[np.argmin([_error_of_one_draw(b) for b in longer])]
    return "too-low" if baseline < best else "too-high"


@check(
    points=2,
    success_message="At a score of 3 the best baseline is 0.83, about twice the expected loss of "
    "0.43: wrong keys are drawn less often, but their estimates are the long ones.",
)
def fifty_draws_are_enough(score, baseline, num_draws):
    """A standard error of 0.1 with 50 draws or fewer, the right key's score being 3"""
    score, baseline, num_draws = _numbers(score, baseline, num_draws)
    expect(score == 3, f"score is {score:g}; expected 3.", "other-score")
    one = _error_of_one_draw(baseline)
    reached, needed = one / np.sqrt(num_draws), int(np.ceil((one / TARGET) ** 2))
    seen = f"With baseline {baseline:.4g}, the standard error of {num_draws:,} draws is"
    if needed > BUDGET:
        mistake = "too-many" if reached <= TARGET else _what_is_wrong_with(baseline)
        message = f"{seen} {reached:.3f}; {needed} draws would be needed, expected at most 50."
        expect(False, message, mistake)
    expect(reached <= TARGET, f"{seen} {reached:.3f}; expected at most 0.1.", "too-few")
    message = f"{seen} {reached:.3f}, but expected at most 50 draws."
    expect(num_draws <= BUDGET, message, "too-many")


ALSO_RIGHT = {
    "a little higher": "score = 3\nbaseline = 0.875\nnum_draws = 50",
    "the fewest draws": "score = 3\nbaseline = 0.83\nnum_draws = 46",
    "computed": """
        import numpy as np
        score, num_draws = 3.0, np.int64(48)
        s = np.array([3.0] + 15 * [0.0])
        p = np.exp(s) / np.exp(s).sum()
        squares = ((np.eye(16) - p) ** 2).sum(axis=1)
        baseline = (p * squares) @ (s == 0) / (p @ squares)
    """,
}

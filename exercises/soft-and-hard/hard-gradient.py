"""Hard attention draws one key $c$ with probability $p_c$, where $p = \\operatorname{softmax}(s)$,
and incurs the loss $L_c$ of that key. A draw has no gradient. Yet the **expected** loss
$\\sum_j p_j L_j$ has one with respect to the scores, and each draw gives an estimate of it:

$$
(L_c - b) \\, \\nabla_s \\log p_c , \\qquad \\nabla_s \\log p_c = e_c - p ,
$$

where $e_c$ is 1 at the drawn key and 0 elsewhere, and $b$ is any number, the *baseline*.

Write `hard_gradient`: draw `num_draws` keys independently and return the **mean** of their
estimates, shape `(num_keys,)`. Use the loss of a key only where that key was drawn. Make one
generator in each call, `np.random.default_rng(seed)`, and take all draws from it. Which of its
methods you use is up to you: the checks look at frequencies and means, and ask that the same seed
gives the same result. Scores may be large, such as 1,000. Leave the arguments unchanged.
"""

import numpy as np

from attn import softmax
from coursekit import (
    CheckFailed,
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_shape,
)

exercise(
    title="A gradient from draws: the score-function estimator",
    hints=[
        "`rng = np.random.default_rng(seed)` is a random generator. Which of its methods draws an "
        "index with given probabilities?",
        "`chosen = rng.choice(len(p), size=num_draws, p=p)` holds the drawn keys. What is "
        "`losses[chosen]`, and what shape does it need to multiply a row for each draw?",
        "The rows $e_c - p$ are `np.eye(len(p))[chosen] - p`, shape (num_draws, num_keys). "
        "Multiply each by `(losses[chosen] - baseline)[:, None]` and take the mean over draws.",
    ],
)


def hard_gradient(scores, losses, num_draws, baseline, seed):
    """Return the mean estimate, shape (num_keys,).

    scores, losses (num_keys,)   num_draws, seed: int   baseline: float
    """
    # BEGIN SOLUTION
    rng = np.random.default_rng(seed)
    p = np.exp(scores - scores.max())
    p = p / p.sum()
    chosen = rng.choice(len(p), size=num_draws, p=p)
    score_functions = np.eye(len(p))[chosen] - p  # (num_draws, num_keys)
    return ((losses[chosen] - baseline)[:, None] * score_functions).mean(axis=0)
    # END SOLUTION


MISTAKES = r"""
exact: (also no-baseline) `((losses[chosen] - baseline)[:, None] * score_functions).mean(axis=0)` →
  `p * (losses - p @ losses)`
    This is the exact gradient, computed from all losses. The estimates have it as their mean; they
    use the loss of a key only where that key was drawn.
not-random: `default_rng(seed)` → `default_rng(5)`
    Other seeds gave exactly the same result. Draw with the seed that is given.
unseeded: `default_rng(seed)` → `default_rng()`
    The same seed gave two different results. Draw with default_rng(seed).
same-draw: `chosen = rng.choice(len(p), size=num_draws, p=p)` →
  `chosen = np.full(num_draws, rng.choice(len(p), p=p))`
    The result is that of one draw. Draw as often as asked, with one generator that is made before
    the draws.
uniform: `, p=p)` → `)`
    The keys were drawn with equal probabilities. Key j has to be drawn with probability p_j.
each-key-once: `size=num_draws, p=p)` → `size=min(num_draws, len(p)), p=p, replace=False)`
    Every key counted exactly once, so this is a plain mean over the keys. Draw independently: a key
    may be drawn again.
arg-max: `rng.choice(len(p), size=num_draws, p=p)` → `np.full(num_draws, np.argmax(p))`
    The best key was taken each time. It has to be drawn, or the other keys are never tried.
no-minus-p: `[chosen] - p` → `[chosen]`
    The gradient of log p_c is e_c - p, and the p is missing. Raising one score also lowers all the
    other weights.
grad-of-p: `(losses[chosen] - baseline)` → `(p[chosen] * (losses[chosen] - baseline))`
    This multiplies by p_c once too often: drawing with probability p_c already accounts for it. Use
    the gradient of log p_c.
sign: `np.eye(len(p))[chosen] - p` → `p - np.eye(len(p))[chosen]`
    The sign is the opposite: the row is e_c - p, and the loss minus the baseline multiplies it.
no-baseline: `losses[chosen] - baseline` → `losses[chosen]`
    The baseline has no effect. It is subtracted from the loss of each draw.
adds-baseline: `losses[chosen] - baseline` → `losses[chosen] + baseline`
    The baseline was added. It is subtracted from the loss.
baseline-at-the-end: `((losses[chosen] - baseline)[:, None] * score_functions).mean(axis=0)` →
  `(losses[chosen][:, None] * score_functions).mean(axis=0) - baseline`
    The baseline was subtracted from the gradient. It is subtracted from the loss, before the
    product with e_c - p.
all-losses: (also no-pairing) `(losses[chosen] - baseline)[:, None]` → `(losses - baseline)`
    Each component was multiplied by its own key's loss. The loss of the drawn key multiplies the
    whole row e_c - p.
no-loss:
    The loss is missing: this is e_c - p alone.
no-pairing: `((losses[chosen] - baseline)[:, None] * score_functions).mean(axis=0)` →
  `(losses[chosen] - baseline).mean() * score_functions.mean(axis=0)`
    The mean, near 0, combines losses and rows that do not belong together. In each draw, the loss
    of the drawn key multiplies its own row e_c - p.
divides-by-p: `(losses[chosen] - baseline)` → `((losses[chosen] - baseline) / p[chosen])`
    This divides by p_c. Key c is drawn with probability p_c, which already weights its estimate.
scores-for-losses: `losses[chosen]` → `scores[chosen]`
    The score of the drawn key was used where its loss belongs.
one-component: `[chosen] - p` → `[chosen] * (1 - p)`
    Only the component of the drawn key is there. Every component of e_c - p counts: the other
    weights fall.
not-averaged: `.mean(axis=0)` → ``
    These are the estimates of the draws, one below the other. Return their mean over the draws.
mean-over-keys: `.mean(axis=0)` → `.mean(axis=1)`
    This is one number for each draw: the mean was taken over the keys. Take it over the draws.
one-number: `.mean(axis=0)` → `.mean()`
    This is one number. The gradient has one for each score.
sum: `.mean(axis=0)` → `.sum(axis=0)`
    This is the sum of the draws. The estimate is their mean.
overflow: ` - scores.max()` → ``
    With scores of about 1,000 the probabilities contain NaN: exp(1000) overflows. Subtract the
    largest score first.
"""


SCORES = np.array([0.5, -1.0, 1.5, 0.0, -0.3])
LOSSES = np.array([1.0, 0.2, 3.0, 0.0, 0.7])
DRAWS = 40_000


def _estimates(p, losses, baseline):
    """Return the estimate that each key gives when it is drawn, shape (num_keys, num_keys)."""
    return (losses - baseline)[:, None] * (np.eye(len(p)) - p)


def _mistaken_estimates(p, losses, baseline):
    """Return, for each known mistake, what each key gives when it is drawn."""
    rows, paid = np.eye(len(p)) - p, losses - baseline
    return {
        "sign": -paid[:, None] * rows,
        "no-baseline": losses[:, None] * rows,
        "adds-baseline": (losses + baseline)[:, None] * rows,
        "baseline-at-the-end": losses[:, None] * rows - baseline,
        "no-minus-p": paid[:, None] * np.eye(len(p)),
        "grad-of-p": (p * paid)[:, None] * rows,
        "all-losses": paid * rows,
        "no-loss": rows,
        "divides-by-p": paid[:, None] * rows / p[:, None],
        "one-component": paid[:, None] * np.diag(1 - p),
        "exact": (p @ (paid[:, None] * rows))[None],
    }


def _draw_one(hard_gradient, scores, losses, baseline, seed):
    """Return the estimate of one draw, and the key that was drawn."""
    seen = call_keeping_inputs(hard_gradient, scores, losses, 1, baseline, seed)
    seen = expect_shape(seen, scores.shape, what="hard_gradient(…, num_draws=1)")
    p = softmax(scores)
    gaps = np.abs(_estimates(p, losses, baseline) - seen).max(axis=1)
    if gaps.min() < 1e-9:
        return seen, int(gaps.argmin())
    tables = _mistaken_estimates(p, losses, baseline)
    tables["scores-for-losses"] = _estimates(p, scores, baseline)
    fitting = [
        id for id, table in tables.items() if np.isclose(seen, table, atol=1e-9).all(axis=1).any()
    ]
    raise CheckFailed(
        f"One draw gave {np.round(seen, 3).tolist()}, which is not the estimate of any key.",
        fitting[0] if len(fitting) == 1 else None,
    )


def _always_takes_the_best(hard_gradient):
    """Whether the key with the largest score is taken in many cases, where others are likely."""
    rng = np.random.default_rng(0)
    for seed in range(30):
        scores = rng.permutation(SCORES) / 3
        seen = as_array(hard_gradient(scores, LOSSES.copy(), 1, 0.4, seed))
        best = _estimates(softmax(scores), LOSSES, 0.4)[scores.argmax()]
        if seen.shape != best.shape or not np.allclose(seen, best):
            return False
    return True


def _mistaken_means(p, losses, baseline):
    """Return the known mistakes' means over very many draws, and the errors of such means."""
    rows, paid = np.eye(len(p)) - p, losses - baseline
    estimates = paid[:, None] * rows
    even = np.full(len(p), 1 / len(p))
    tables = {id: (p, table) for id, table in _mistaken_estimates(p, losses, baseline).items()}
    del tables["exact"], tables["all-losses"], tables["no-loss"]
    tables |= {"uniform": (even, estimates), "no-pairing": (p, (p @ paid) * rows)}
    for id, (probabilities, table) in tables.items():
        mean = probabilities @ table
        yield id, mean, np.sqrt(probabilities @ (table - mean) ** 2 / DRAWS)


def _named_mean(hard_gradient, seen, p, losses, baseline):
    """Return the one mistake that has this mean, if there is one."""
    estimates = _estimates(p, losses, baseline)
    if np.allclose(seen, estimates.mean(axis=0), atol=1e-9):
        return "each-key-once"
    if np.isclose(seen, estimates, atol=1e-9).all(axis=1).any():
        return "arg-max" if _always_takes_the_best(hard_gradient) else "same-draw"
    exact = p @ estimates
    error = np.sqrt(p @ (estimates - exact) ** 2 / DRAWS)
    if (np.abs(seen / DRAWS - exact) < 4 * error).all() and np.abs(seen).max() > 100:
        return "sum"
    means = _mistaken_means(p, losses, baseline)
    fitting = [id for id, mean, spread in means if (np.abs(seen - mean) < 4 * spread + 1e-9).all()]
    return fitting[0] if len(fitting) == 1 else None


def _expect_mean(hard_gradient, scores, losses, baseline, seed, sigmas=4.0):
    """The mean of many draws is the enumerated gradient, within a few standard errors."""
    p = softmax(scores)
    estimates = _estimates(p, losses, baseline)
    exact = p @ estimates
    error = np.sqrt(p @ (estimates - exact) ** 2 / DRAWS)  # of the mean, for each score
    what = f"the mean of {DRAWS:,} draws, baseline {baseline:.3g},"
    seen = call_keeping_inputs(hard_gradient, scores, losses, DRAWS, baseline, seed)
    seen = expect_shape(seen, p.shape, what=what)
    expect(np.abs(seen - exact).max() > 1e-9, f"{what} is the gradient to the last digit.", "exact")
    if not (np.abs(seen - exact) <= sigmas * error + 1e-12).all():
        raise CheckFailed(
            f"{what} is {np.round(seen, 3).tolist()}; the gradient of the expected loss is "
            f"{np.round(exact, 3).tolist()}, and such a mean has an error of about "
            f"{error.max():.1g}.",
            _named_mean(hard_gradient, seen, p, losses, baseline),
        )


@check(points=1, success_message="Each draw gives the estimate of the key that was drawn.")
def one_draw(hard_gradient):
    """One draw gives the estimate of one key; scores of about 1,000 as well"""
    for seed in range(4):
        _draw_one(hard_gradient, SCORES, LOSSES, 0.4, seed)
    message = "With scores of about 1,000, one draw "
    try:
        seen = as_array(hard_gradient(SCORES + 1000, LOSSES.copy(), 1, 0.4, 0))
    except ValueError as error:
        known = "overflow" if "nan" in str(error).lower() else None
        raise CheckFailed(f"{message}raises ValueError: {error}", known) from None
    expect(not np.isnan(seen).any(), f"{message}gives {seen.tolist()}.", "overflow")
    _draw_one(hard_gradient, SCORES + 1000, LOSSES, 0.4, 0)


@check(points=1, success_message="The keys come up as often as their probabilities say.")
def draws_differ(hard_gradient):
    """Other seeds draw other keys, each with its probability; the same seed draws the same"""
    p = softmax(SCORES)
    counts = np.zeros(5)
    for seed in range(400):
        counts[_draw_one(hard_gradient, SCORES, LOSSES, 0.4, seed)[1]] += 1
    if counts.max() == 400:
        best = _always_takes_the_best(hard_gradient)
        expect(False, "400 seeds drew the same key.", "arg-max" if best else "not-random")
    # Many keys: two sets of draws then never agree in all counts by chance (1 in 10 ** 58).
    many = np.zeros(50), np.arange(50.0)
    again = [as_array(hard_gradient(*map(np.copy, many), 1000, 0.4, 0)) for _ in range(2)]
    expect(np.array_equal(*again), "Two calls with seed 0 gave different results.", "unseeded")
    gap = np.abs(counts - 400 * p) / np.sqrt(400 * p * (1 - p))
    even = np.abs(counts - 80).max() < 36
    expect(
        gap.max() < 4.5,
        f"In 400 draws the keys came up {counts.astype(int).tolist()} times; expected about "
        f"{np.round(400 * p).astype(int).tolist()}.",
        "uniform" if even else None,
    )


@check(points=2, success_message="The estimates have the exact gradient as their mean.")
def mean_is_the_gradient(hard_gradient):
    """The mean of 40,000 draws is the exact gradient, within the error of a mean"""
    _expect_mean(hard_gradient, SCORES, LOSSES, 0.0, seed=0)


@check(points=1, success_message="The baseline changes the spread and leaves the mean.")
def baseline_keeps_the_mean(hard_gradient):
    """With a baseline: the same mean, and another spread"""
    same = [as_array(hard_gradient(SCORES.copy(), LOSSES.copy(), 20, b, 3)) for b in (0.0, 50.0)]
    expect(not np.array_equal(*same), "Baselines 0 and 50 give the same estimate.", "no-baseline")
    _expect_mean(hard_gradient, SCORES, LOSSES, 1.0, seed=1)


@check(points=1, hidden=True)
def other_scores(hard_gradient, rng):
    """Other scores, losses and numbers of keys"""
    for num_keys in (3, 7):
        scores, losses = rng.normal(size=num_keys), rng.uniform(0, 2, num_keys)
        _draw_one(hard_gradient, scores, losses, 0.5, int(rng.integers(1000)))
        baseline = float(rng.uniform(0, 1))
        _expect_mean(hard_gradient, scores, losses, baseline, int(rng.integers(1000)), 5.0)


ALSO_RIGHT = {
    "counts instead of draws": """
        def hard_gradient(scores, losses, num_draws, baseline, seed):
            p = np.exp(scores - max(scores))
            p = p / p.sum()
            counts = np.random.default_rng(seed).multinomial(num_draws, p)
            paid = counts * (losses - baseline)
            return (paid - p * paid.sum()) / num_draws
    """,
    "draws by hand, in a loop": """
        def hard_gradient(scores, losses, num_draws, baseline, seed):
            p = np.exp(scores - np.max(scores))
            p /= p.sum()
            uniform = np.random.default_rng(seed).random(num_draws)
            total = np.zeros(len(p))
            for c in np.minimum(np.searchsorted(np.cumsum(p), uniform), len(p) - 1):
                estimate = -p * (losses[c] - baseline)
                estimate[c] += losses[c] - baseline
                total += estimate
            return total / num_draws
    """,
}

"""Hard attention draws one key $c$ with probability $p_c$, where $p = \\operatorname{softmax}(s)$,
and pays the loss $L_c$ of that key. A draw has no gradient. Yet the **expected** loss
$\\sum_j p_j L_j$ has one with respect to the scores, and each draw gives an estimate of it:

$$
(L_c - b) \\, \\nabla_s \\log p_c , \\qquad \\nabla_s \\log p_c = e_c - p ,
$$

where $e_c$ is 1 at the drawn key and 0 elsewhere, and $b$ is any number, the *baseline*.

Write `hard_gradient`: draw `num_draws` keys and return the **mean** of their estimates, shape
`(num_keys,)`. You may look at the loss only where a key was drawn.
"""

import numpy as np

from coursekit import check, exercise, expect, expect_shape, wrong

exercise(
    id="hard-gradient",
    chapter="soft-and-hard",
    title="A gradient from draws",
    hints=[
        "`rng = np.random.default_rng(seed)` draws for you. Which of its methods draws an index "
        "with given probabilities?",
        "`chosen = rng.choice(len(p), size=num_draws, p=p)` are the drawn keys. What is "
        "`losses[chosen]`, and what shape does it need to multiply a row for each draw?",
        "The rows $e_c - p$ are `np.eye(len(p))[chosen] - p`, shape (num_draws, num_keys). "
        "Multiply each by `(losses[chosen] - baseline)[:, None]` and take the mean over draws.",
    ],
    misconceptions={
        "exact": "This is the exact gradient, computed from all losses. It is what the estimate "
        "has as its mean, and what you do not have when a loss is known only for drawn keys.",
        "not-random": "Another seed gave exactly the same. Draw with the seed that is given.",
        "uniform": "The keys were drawn all alike. Key j has to be drawn with probability p_j.",
        "arg-max": "The best key was taken each time. It has to be drawn, or the other keys are "
        "never tried.",
        "no-minus-p": "The gradient of log p_c is e_c − p, and the p is missing. Raising a score "
        "also lowers all the other weights.",
        "grad-of-p": "This multiplies by p_c once too often: the draw already takes care of it. "
        "The gradient of log p_c is needed, not that of p_c.",
        "sign": "The sign is turned round. A draw that costs more than the baseline should lower "
        "its own score when the loss is made smaller, so its *gradient* is positive.",
        "no-baseline": "The baseline has no effect. It is taken off the loss of each draw.",
        "adds-baseline": "The baseline was added. It is taken off.",
        "sum": "The sum of all draws was returned. The estimate is their mean.",
        "biased": "The mean over very many draws is not the gradient of the expected loss.",
    },
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


SCORES = np.array([0.5, -1.0, 1.5, 0.0, -0.3])
LOSSES = np.array([1.0, 0.2, 3.0, 0.0, 0.7])
DRAWS = 40_000


def _softmax(scores):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def _estimates(p, losses, baseline):
    """Return the estimate that each key gives when it is drawn, shape (num_keys, num_keys)."""
    return (losses - baseline)[:, None] * (np.eye(len(p)) - p)


def _known(p, losses, baseline):
    """The means, over very many draws, that the known mistakes have."""
    rows = np.eye(len(p)) - p
    paid = losses - baseline
    uniform = np.full(len(p), 1 / len(p))
    best = np.eye(len(p))[np.argmax(p)]
    return {
        "sign": -p @ (paid[:, None] * rows),
        "no-minus-p": p * paid,
        "grad-of-p": p @ ((p * paid)[:, None] * rows),
        "uniform": uniform @ (paid[:, None] * rows),
        "arg-max": best @ (paid[:, None] * rows),
    }


def _expect_mean(hard_gradient, scores, losses, baseline, seed, sigmas=4.0):
    """The mean of many draws is the enumerated gradient, within a few standard errors."""
    p = _softmax(scores)
    estimates = _estimates(p, losses, baseline)
    exact = p @ estimates
    error = np.sqrt(p @ (estimates - exact) ** 2 / DRAWS)  # of the mean, for each score
    what = f"the mean of {DRAWS} draws, baseline {baseline:g},"
    seen = hard_gradient(scores.copy(), losses.copy(), DRAWS, baseline, seed)
    seen = expect_shape(seen, p.shape, what=what)
    if np.allclose(seen, exact * DRAWS, rtol=0.2, atol=20 * DRAWS * error.max()) and (
        np.abs(seen).max() > 100
    ):
        expect(False, f"{what} is {np.round(seen, 1).tolist()}.", "sum")
    expect(np.abs(seen - exact).max() > 1e-9, f"{what} is the gradient to the last digit.", "exact")
    if (np.abs(seen - exact) > sigmas * error + 1e-12).any():
        near = 0.02 + 10 * error.max()
        found = {
            name: np.abs(seen - mean).max() for name, mean in _known(p, losses, baseline).items()
        }
        name = min(found, key=found.__getitem__)
        expect(
            False,
            f"{what} is {np.round(seen, 3).tolist()}; the gradient of the expected loss is "
            f"{np.round(exact, 3).tolist()}, and such a mean has an error of about "
            f"{error.max():.1g}.",
            name if found[name] < near else "biased",
        )


@check(points=1)
def one_draw(hard_gradient):
    """One draw gives the estimate of one key"""
    p = _softmax(SCORES)
    baseline = 0.4
    possible = _estimates(p, LOSSES, baseline)
    rows = np.eye(5) - p
    wrong_ones = {
        "sign": -possible,
        "no-baseline": LOSSES[:, None] * rows,
        "adds-baseline": (LOSSES + baseline)[:, None] * rows,
        "no-minus-p": (LOSSES - baseline)[:, None] * np.eye(5),
        "grad-of-p": p[:, None] * possible,
        "exact": (p @ possible)[None],
    }
    for seed in range(4):
        seen = hard_gradient(SCORES.copy(), LOSSES.copy(), 1, baseline, seed)
        seen = expect_shape(seen, (5,), what="hard_gradient(…, num_draws=1)")
        if not np.isclose(seen, possible, atol=1e-9).all(axis=1).any():
            found = [
                name
                for name, table in wrong_ones.items()
                if np.isclose(seen, table, atol=1e-9).all(axis=1).any()
            ]
            expect(
                False,
                f"One draw gave {np.round(seen, 3).tolist()}, the estimate of no key.",
                found[0] if found else None,
            )


@check(points=1)
def draws_differ(hard_gradient):
    """Other seeds draw other keys, each with its probability"""
    p = _softmax(SCORES)
    estimates = _estimates(p, LOSSES, 0.4)
    counts = np.zeros(5)
    for seed in range(400):
        seen = hard_gradient(SCORES.copy(), LOSSES.copy(), 1, 0.4, seed)
        seen = expect_shape(seen, (5,), what="hard_gradient(…, num_draws=1)")
        counts[np.argmin(np.abs(estimates - seen).sum(axis=1))] += 1
    if counts.max() == 400:
        best = int(counts.argmax()) == int(p.argmax())
        expect(False, "400 seeds drew the same key.", "arg-max" if best else "not-random")
    gap = np.abs(counts - 400 * p) / np.sqrt(400 * p * (1 - p))
    even = np.abs(counts - 80).max() < 40
    expect(
        gap.max() < 4.5,
        f"In 400 draws the keys came up {counts.astype(int).tolist()} times; expected about "
        f"{np.round(400 * p).astype(int).tolist()}.",
        "uniform" if even else None,
    )


@check(points=2)
def mean_is_the_gradient(hard_gradient):
    """The mean of 40,000 draws is the exact gradient, within the error of a mean"""
    _expect_mean(hard_gradient, SCORES, LOSSES, 0.0, seed=0)


@check(points=1)
def baseline_keeps_the_mean(hard_gradient):
    """With a baseline: the same mean, and less spread"""
    p = _softmax(SCORES)
    _expect_mean(hard_gradient, SCORES, LOSSES, float(p @ LOSSES), seed=1)
    far = [hard_gradient(SCORES.copy(), LOSSES.copy(), 20, 50.0, s) for s in range(40)]
    spread = np.std(np.array(far), axis=0).max()
    expect(spread > 0.5, "A baseline of 50 leaves the spread as it is.", "no-baseline")


@check(points=1, hidden=True)
def other_scores(hard_gradient, rng):
    """Other scores, losses and numbers of keys"""
    for num_keys in (2, 7):
        scores, losses = rng.normal(size=num_keys), rng.uniform(0, 2, num_keys)
        possible = _estimates(_softmax(scores), losses, 0.5)
        seen = hard_gradient(scores.copy(), losses.copy(), 1, 0.5, int(rng.integers(1000)))
        seen = expect_shape(seen, (num_keys,), what="hard_gradient(…, num_draws=1)")
        expect(
            np.isclose(seen, possible, atol=1e-9).all(axis=1).any(),
            "One draw gave the estimate of no key.",
        )
        baseline = float(rng.uniform(0, 1))
        _expect_mean(hard_gradient, scores, losses, baseline, int(rng.integers(1000)), 5.0)


WRONG = {
    "the exact gradient": wrong(
        """
        def hard_gradient(scores, losses, num_draws, baseline, seed):
            p = np.exp(scores) / np.exp(scores).sum()
            return p * (losses - p @ losses)
        """,
        rejected_by=["one_draw", "mean_is_the_gradient"],
        misconception="exact",
    ),
    "uniform draws": wrong(
        replace={"size=num_draws, p=p)": "size=num_draws)"},
        rejected_by=["draws_differ", "mean_is_the_gradient"],
        misconception="uniform",
    ),
    "always the best": wrong(
        replace={
            "rng.choice(len(p), size=num_draws, p=p)": "np.full(num_draws, np.argmax(p))",
        },
        rejected_by=["draws_differ", "mean_is_the_gradient"],
        misconception="arg-max",
    ),
    "the p is forgotten": wrong(
        replace={"np.eye(len(p))[chosen] - p": "np.eye(len(p))[chosen]"},
        rejected_by=["one_draw", "mean_is_the_gradient"],
        misconception="no-minus-p",
    ),
    "gradient of p instead of log p": wrong(
        replace={"(losses[chosen] - baseline)": "(p[chosen] * (losses[chosen] - baseline))"},
        rejected_by=["one_draw", "mean_is_the_gradient"],
        misconception="grad-of-p",
    ),
    "the sign": wrong(
        replace={"np.eye(len(p))[chosen] - p": "p - np.eye(len(p))[chosen]"},
        rejected_by=["one_draw", "mean_is_the_gradient"],
        misconception="sign",
    ),
    "no baseline": wrong(
        replace={"(losses[chosen] - baseline)": "losses[chosen]"},
        rejected_by=["one_draw", "baseline_keeps_the_mean"],
        misconception="no-baseline",
    ),
    "baseline added": wrong(
        replace={"losses[chosen] - baseline": "losses[chosen] + baseline"},
        rejected_by=["one_draw"],
        misconception="adds-baseline",
    ),
    "the sum of the draws": wrong(
        replace={".mean(axis=0)": ".sum(axis=0)"},
        rejected_by=["mean_is_the_gradient"],
        misconception="sum",
    ),
    "a seed of its own": wrong(
        replace={"default_rng(seed)": "default_rng(5)"},
        rejected_by=["draws_differ"],
        misconception="not-random",
    ),
}

ALSO_RIGHT = {
    "counts instead of draws": """
        def hard_gradient(scores, losses, num_draws, baseline, seed):
            p = np.exp(scores) / np.exp(scores).sum()
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

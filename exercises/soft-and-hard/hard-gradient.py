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
methods you use is up to you: the checks look at frequencies and means, and require that the same
seed give the same result. Scores may be large, such as 1000. Leave the arguments unchanged.
"""

import numpy as np

from coursekit import (
    CheckFailed,
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
    mistake,
)

exercise(
    id="hard-gradient",
    chapter="soft-and-hard",
    title="A gradient from draws: the score-function estimator",
    pairs=False,
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


SCORES = np.array([0.5, -1.0, 1.5, 0.0, -0.3])
LOSSES = np.array([1.0, 0.2, 3.0, 0.0, 0.7])
DRAWS = 40_000


def _softmax(scores):
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def _estimates(p, losses, baseline):
    """Return the estimate that each key gives when it is drawn, shape (num_keys, num_keys)."""
    return (losses - baseline)[:, None] * (np.eye(len(p)) - p)


def _known(hard_gradient):
    """Check the shape of one draw; return the mistake that the draws of 60 seeds show, or None."""
    seen = call_keeping_inputs(hard_gradient, SCORES, LOSSES, 1, 0.4, 0)
    expect_shape(seen, SCORES.shape, what="hard_gradient(…, num_draws=1)")
    # All keys are likely, so each is drawn, in whichever way it is done: compare the estimates.
    scores = SCORES / 5
    p = _softmax(scores)
    right = _estimates(p, LOSSES, 0.4)
    try:
        rows = [hard_gradient(scores.copy(), LOSSES.copy(), 1, 0.4, seed) for seed in range(60)]
        seen = np.unique(np.round(rows, 9), axis=0)
        if len(seen) == 1:
            return "exact" if np.allclose(seen, p @ right) else None
        expect_close(seen, np.unique(np.round(right, 9), axis=0))
    except CheckFailed as failed:
        return failed.misconception
    except Exception:
        return None


def _draw_one(hard_gradient, scores, losses, baseline, seed, known):
    """Return the key that was drawn."""
    seen = as_array(call_keeping_inputs(hard_gradient, scores, losses, 1, baseline, seed))
    what = f"hard_gradient(…, num_draws=1) has shape {seen.shape}; expected {scores.shape}."
    expect(seen.shape == scores.shape, what)
    gaps = np.abs(_estimates(_softmax(scores), losses, baseline) - seen).max(axis=1)
    if not gaps.min() < 1e-9:
        shown = np.round(seen, 3).tolist()
        message = f"One draw gave {shown}, which is not the estimate of any key."
        raise CheckFailed(message, known)
    return int(gaps.argmin())


def _always_takes_the_best(hard_gradient):
    """Whether the key with the largest score is taken in many cases, where others are likely."""
    rng = np.random.default_rng(0)
    for seed in range(30):
        scores = rng.permutation(SCORES) / 3
        seen = as_array(hard_gradient(scores, LOSSES.copy(), 1, 0.4, seed))
        best = _estimates(_softmax(scores), LOSSES, 0.4)[scores.argmax()]
        if seen.shape != best.shape or not np.allclose(seen, best):
            return False
    return True


def _named_mean(hard_gradient, seen, p, losses, baseline, known):
    """Return the one mistake that has this mean, if there is one."""

    def is_mean(seen, probabilities, table):
        mean = probabilities @ table
        spread = np.sqrt(probabilities @ (table - mean) ** 2 / DRAWS)
        return (np.abs(seen - mean) < 4 * spread + 1e-9).all()

    estimates, even = _estimates(p, losses, baseline), np.full(len(p), 1 / len(p))
    if np.allclose(seen, even @ estimates, atol=1e-9):
        return "each-key-once"
    if np.isclose(seen, estimates, atol=1e-9).all(axis=1).any():
        return "arg-max" if _always_takes_the_best(hard_gradient) else "same-draw"
    if is_mean(seen / DRAWS, p, estimates) and np.abs(seen).max() > 100:
        return "sum"
    tables = {"uniform": (even, estimates)}
    tables["no-pairing"] = (p, (p @ losses - baseline) * (np.eye(len(p)) - p))
    fitting = [id for id, table in tables.items() if is_mean(seen, *table)]
    return known or (fitting[0] if len(fitting) == 1 else None)


def _expect_mean(hard_gradient, scores, losses, baseline, seed, known, sigmas=4.0):
    """The mean of many draws is the enumerated gradient, within a few standard errors."""
    p = _softmax(scores)
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
            _named_mean(hard_gradient, seen, p, losses, baseline, known),
        )


@check(points=1, success_message="Each draw gives the estimate of the key that was drawn.")
def one_draw(hard_gradient):
    """One draw gives the estimate of one key; scores of about 1000 as well"""
    known = _known(hard_gradient)
    for seed in range(4):
        _draw_one(hard_gradient, SCORES, LOSSES, 0.4, seed, known)
    message = "With scores of about 1000, one draw "
    try:
        seen = as_array(hard_gradient(SCORES + 1000, LOSSES.copy(), 1, 0.4, 0))
    except ValueError as error:
        id = "overflow" if "nan" in str(error).lower() else None
        raise CheckFailed(f"{message}raises ValueError: {error}", id) from None
    expect(not np.isnan(seen).any(), f"{message}gives {seen.tolist()}.", "overflow")
    _draw_one(hard_gradient, SCORES + 1000, LOSSES, 0.4, 0, known)


@check(points=1, success_message="The keys come up as often as their probabilities say.")
def draws_differ(hard_gradient):
    """Other seeds draw other keys, each with its probability; the same seed draws the same"""
    p, known = _softmax(SCORES), _known(hard_gradient)
    drawn = [_draw_one(hard_gradient, SCORES, LOSSES, 0.4, seed, known) for seed in range(400)]
    counts = np.bincount(drawn, minlength=5)
    if counts.max() == 400:
        best = _always_takes_the_best(hard_gradient)
        raise CheckFailed("400 seeds drew the same key.", "arg-max" if best else "not-random")
    # Many keys: two sets of draws then never agree in all counts by chance (1 in 10 ** 58).
    many = np.zeros(50), np.arange(50.0)
    again = [as_array(hard_gradient(*map(np.copy, many), 1000, 0.4, 0)) for _ in range(2)]
    expect(np.array_equal(*again), "Two calls with seed 0 gave different results.", "unseeded")
    gap = np.abs(counts - 400 * p) / np.sqrt(400 * p * (1 - p))
    even = np.abs(counts - 80).max() < 36
    right = np.round(400 * p).astype(int).tolist()
    message = f"In 400 draws the keys came up {counts.tolist()} times; expected about {right}."
    expect(gap.max() < 4.5, message, "uniform" if even else None)


@check(points=2, success_message="The estimates have the exact gradient as their mean.")
def mean_is_the_gradient(hard_gradient):
    """The mean of 40,000 draws is the exact gradient, within the error of a mean"""
    _expect_mean(hard_gradient, SCORES, LOSSES, 0.0, 0, _known(hard_gradient))


@check(points=1, success_message="The baseline changes the spread and leaves the mean.")
def baseline_keeps_the_mean(hard_gradient):
    """With a baseline: the same mean, and another spread"""
    known = _known(hard_gradient)
    same = [as_array(hard_gradient(SCORES.copy(), LOSSES.copy(), 20, b, 3)) for b in (0.0, 50.0)]
    expect(not np.array_equal(*same), "Baselines 0 and 50 give the same estimate.", "no-baseline")
    _expect_mean(hard_gradient, SCORES, LOSSES, 1.0, 1, known)


@check(points=1, hidden=True)
def other_scores(hard_gradient, rng):
    """Other scores, losses and numbers of keys"""
    known = _known(hard_gradient)
    for num_keys in (3, 7):
        scores, losses = rng.normal(size=num_keys), rng.uniform(0, 2, num_keys)
        _draw_one(hard_gradient, scores, losses, 0.5, int(rng.integers(1000)), known)
        baseline, seed = float(rng.uniform(0, 1)), int(rng.integers(1000))
        _expect_mean(hard_gradient, scores, losses, baseline, seed, known, 5.0)


_PAID, _ROWS = "(losses[chosen] - baseline)", "np.eye(len(p))[chosen]"
_DRAW = "rng.choice(len(p), size=num_draws, p=p)"
_MEAN = f"({_PAID}[:, None] * score_functions).mean(axis=0)"
mistake(
    "exact",
    "This is the exact gradient, computed from all losses. The estimates have this mean but use "
    "the loss of a key only where that key was drawn.",
    {_MEAN: "p * (losses - p @ losses)"},
)
mistake(
    "not-random",
    "Different seeds gave exactly the same result. Draw with the given seed.",
    {"(seed)": "(5)"},
)
mistake(
    "unseeded",
    "The same seed gave two different results. Draw with default_rng(seed).",
    {"(seed)": "()"},
)
mistake(
    "same-draw",
    "The result is that of one draw. Draw as often as asked, with one generator made before the "
    "draws.",
    {_DRAW: "np.full(num_draws, rng.choice(len(p), p=p))"},
)
mistake(
    "uniform",
    "The keys were drawn with equal probabilities. Key j has to be drawn with probability p_j.",
    {", p=p)": ")"},
)
mistake(
    "each-key-once",
    "Every key counted exactly once, so this is a plain mean over the keys. Draw independently: a "
    "key may be drawn again.",
    {"size=num_draws, p=p)": "size=min(num_draws, len(p)), p=p, replace=False)"},
)
mistake(
    "arg-max",
    "The best key was taken each time. Draw a key instead, or the other keys are never tried.",
    {_DRAW: "np.full(num_draws, p.argmax())"},
)
mistake(
    "no-minus-p",
    "The gradient of log p_c is e_c - p, and the p is missing. Raising one score also lowers all "
    "the other weights.",
    {f"{_ROWS} - p": _ROWS},
)
mistake(
    "grad-of-p",
    "This multiplies by p_c once too often: drawing with probability p_c already accounts for it. "
    "Use the gradient of log p_c.",
    {_PAID: f"(p[chosen] * {_PAID})"},
)
mistake(
    "sign",
    "The sign is wrong: the row is e_c - p, multiplied by the loss minus the baseline.",
    {f"{_ROWS} - p": f"p - {_ROWS}"},
)
mistake(
    "no-baseline",
    "The baseline has no effect. Subtract it from the loss of each draw.",
    {" - baseline": ""},
)
mistake(
    "adds-baseline",
    "The baseline was added. Subtract it from the loss.",
    {"- baseline": "+ baseline"},
)
mistake(
    "baseline-at-the-end",
    "The baseline was subtracted from the gradient. Subtract it from the loss, before the product "
    "with e_c - p.",
    {" - baseline": "", "mean(axis=0)": "mean(axis=0) - baseline"},
)
mistake(
    "all-losses",
    "Each component was multiplied by its own key's loss. The loss of the drawn key multiplies the "
    "whole row e_c - p.",
    {f"{_PAID}[:, None]": "(losses - baseline)"},
)
mistake("no-loss", "The loss is missing: this is e_c - p alone.", {f"{_PAID}[:, None] * ": ""})
mistake(
    "no-pairing",
    "The mean, near 0, combines losses and rows that do not belong together. In each draw, the "
    "loss of the drawn key multiplies its own row e_c - p.",
    {_MEAN: f"{_PAID}.mean() * score_functions.mean(axis=0)"},
)
mistake(
    "divides-by-p",
    "This divides by p_c. Key c is drawn with probability p_c, which already weights its estimate.",
    {_PAID: f"({_PAID} / p[chosen])"},
)
mistake(
    "scores-for-losses",
    "The score of the drawn key was used instead of its loss.",
    {"losses[chosen]": "scores[chosen]"},
)
mistake(
    "one-component",
    "Only the component of the drawn key is there. Every component of e_c - p counts: the other "
    "weights fall.",
    {f"{_ROWS} - p": f"{_ROWS} * (1 - p)"},
)
mistake(
    "not-averaged",
    "These are the estimates of the draws, one per row. Return their mean over the draws.",
    {".mean(axis=0)": ""},
)
mistake(
    "mean-over-keys",
    "This is one number for each draw: the mean was taken over the keys. Take it over the draws.",
    {"mean(axis=0)": "mean(axis=1)"},
)
mistake(
    "one-number",
    "This is one number. The gradient has one number for each score.",
    {"mean(axis=0)": "mean()"},
)
mistake(
    "sum",
    "This is the sum of the draws. The estimate is their mean.",
    {".mean(axis=0)": ".sum(axis=0)"},
)
mistake(
    "overflow",
    "With scores of about 1000 the probabilities contain NaN: exp(1000) overflows. Subtract the "
    "largest score first.",
    {" - scores.max()": ""},
)

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

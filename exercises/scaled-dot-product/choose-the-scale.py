"""The scale $1 / \\sqrt{d_k}$ fits components of variance 1. In a trained layer the variance may be
different. Suppose that all components of queries and keys are independent and have mean 0, that the
components of a query have variance $v_q$, and that those of a key have variance $v_k$.

Write `scale(d_k, query_variance, key_variance)`, the positive factor by which to multiply the dot
products so that the scores have variance 1 at **every** width and for all variances above 0. The
checks ask for six correct digits, so derive the factor; random draws are not exact enough.
"""

import math

import numpy as np

from coursekit import CheckFailed, as_array, check, exercise, expect, expect_close, mistake

exercise(
    id="choose-the-scale",
    chapter="scaled-dot-product",
    title="Choose the scale for other variances",
    practice=True,
    pairs=False,
    hints=[
        "What is the variance of one product $q_r k_r$ of two independent numbers with mean 0? And "
        "the variance of a sum of $d_k$ of them?",
        "The mean of $(q_r k_r)^2$ is the mean of $q_r^2$ times the mean of $k_r^2$, so one "
        "product has variance $v_q v_k$. Variances of independent terms add up.",
        "Multiplying by $c$ multiplies a variance by $c^2$. Solve $c^2 d_k v_q v_k = 1$ for $c$.",
    ],
)


def scale(d_k, query_variance, key_variance):
    """Return the factor for dot products of width d_k, a number."""
    # BEGIN SOLUTION
    return 1 / math.sqrt(d_k * query_variance * key_variance)
    # END SOLUTION


def _expect_unit_variance(scale, cases):
    factors = []
    for case in cases:
        factor = as_array(scale(*case), f"scale{case}")
        expect(factor.shape == (), f"scale{case} has shape {factor.shape}; expected one number.")
        expect(np.isfinite(factor), f"scale{case} is {factor}; expected a finite number.")
        factors.append(float(factor))
    # A dot product of d_k independent products, each of variance v_q v_k; with the factor's sign.
    variances = np.square(factors) * [math.prod(case) for case in cases] * np.sign(factors)
    try:
        expect_close(variances, np.ones(len(cases)))
    except CheckFailed as failed:
        first = int((np.abs(variances - 1) > 1e-6).argmax())
        message = f"scale{cases[first]} is {factors[first]:.6g}; the scores then have variance "
        id = failed.misconception or _pattern(factors, variances)
        raise CheckFailed(f"{message}{abs(variances[first]):.6g}.", id) from None


def _pattern(factors, variances):
    """Return the misconception that the factors show together."""
    if np.ptp(factors) == 0:
        return "constant"
    if (variances > 0).all() and np.allclose(variances, variances[0], rtol=2e-6):
        return "times-a-number"
    return "rough" if (np.abs(np.sqrt(variances.clip(0)) - 1) < 0.1).all() else None


@check(
    points=2,
    success_message="The dot product has variance d_k · v_q · v_k; you divide by its root.",
)
def variance_is_one(scale):
    """Scores of variance 1 for widths of 16 to 1024 and several variances"""
    _expect_unit_variance(scale, [(16, 2.0, 3.0), (67, 0.5, 7.0), (1024, 5.0, 0.1), (256, 1, 1)])


@check(points=1, hidden=True)
def other_variances(scale, rng):
    """Other widths and variances, including small ones"""
    drawn = [(int(rng.integers(3, 2000)), *rng.uniform(0.1, 9, size=2).tolist()) for _ in range(5)]
    _expect_unit_variance(scale, [*drawn, (1, 0.02, 0.3), (4096, 1e-3, 11.0)])


_RIGHT = "1 / math.sqrt(d_k * query_variance * key_variance)"
_PRODUCT = "query_variance * key_variance"
mistake(
    "as-if-one",
    "Your factor is 1/√d_k, which is right for components of variance 1. What is the variance of "
    "one product here?",
    {f" * {_PRODUCT}": ""},
)
mistake(
    "width-missing",
    "Your factor depends on the variances, but not on the width: a dot product is a sum of d_k "
    "terms, and their variances add up.",
    {"d_k * ": ""},
)
mistake(
    "no-root",
    "You divide by the variance of the dot product. Multiplying by c multiplies the variance by "
    "c²: divide by the standard deviation, its root.",
    {"math.sqrt": ""},
)
mistake(
    "root-of-width-only",
    "The root was taken of the width alone. The variances of query and key belong under it, too.",
    {"math.sqrt(d_k": "(math.sqrt(d_k)"},
)
mistake(
    "root-of-variances-only",
    "The root was taken of the variances alone. The width belongs under it, too.",
    {_RIGHT: "1 / (d_k * math.sqrt(query_variance * key_variance))"},
)
mistake(
    "variances-added",
    "You added the two variances. The variance of a product of independent numbers with mean 0 is "
    "the product of their variances.",
    {_PRODUCT: "(query_variance + key_variance)"},
)
mistake(
    "mean-variance",
    "You used the mean of the two variances. The variance of a product of independent numbers with "
    "mean 0 is the product of their variances.",
    {_PRODUCT: "(query_variance + key_variance) / 2"},
)
mistake(
    "standard-deviations",
    "You used the product of the two standard deviations as the variance of one term. Its variance "
    "is the product of the two variances.",
    {_PRODUCT: f"math.sqrt({_PRODUCT})"},
)
mistake(
    "query-only",
    "The variance of the keys has no effect on your factor.",
    {_PRODUCT: "query_variance"},
)
mistake(
    "key-only",
    "The variance of the queries has no effect on your factor.",
    {_PRODUCT: "key_variance"},
)
mistake(
    "multiplies",
    "Your factor is the standard deviation of the dot product. Divide by it.",
    {"1 / ": ""},
)
mistake(
    "precedence",
    "Your factor is 2 divided by the variance. In Python, `a ** 1/2` means `(a ** 1) / 2`; write "
    "`a ** 0.5` or `math.sqrt(a)`.",
    {_RIGHT: "1 / ((d_k * query_variance * key_variance) ** 1 / 2)"},
)
mistake(
    "no-scale",
    "Your factor is 1, so the scores keep the variance of the dot products.",
    {_RIGHT: "1.0"},
)
mistake(
    "constant",
    "The factor is the same in all cases. It has to depend on the width and variances.",
    {_RIGHT: "0.125"},
)
mistake(
    "times-a-number",
    "The variance of the scores is the same in all cases, but not 1: your factor is the right one "
    "times a constant.",
    {"1 / ": "0.5 / "},
)
mistake(
    "negative",
    "Your factor is negative. The variance is 1, but the order of the scores is reversed: the key "
    "that fits best gets the least weight.",
    {"1 / ": "-1 / "},
)
mistake(
    "zero",
    "Your factor is 0, so all scores are equal. (`1 // x` is 0 for every x above 1.)",
    {"1 / math.sqrt(": "1 // math.sqrt(1 + "},
)
mistake(
    "rounded",
    "Your factor is the right one, rounded: it has too few digits.",
    *({_RIGHT: f"round({_RIGHT}, {digits})"} for digits in range(1, 7)),
)
mistake(
    "rough",
    "The variance is near 1, but not exactly 1 in every case. The exact factor can be derived.",
    {_RIGHT: f"{_RIGHT} / np.random.default_rng(d_k).normal(size=1000).std()"},
)

ALSO_RIGHT = {
    "a power": """
        def scale(d_k, query_variance, key_variance):
            return (d_k * query_variance * key_variance) ** -0.5
    """,
    "in NumPy, step by step": """
        def scale(d_k, query_variance, key_variance):
            of_a_product = query_variance * key_variance
            return np.reciprocal(np.sqrt(float(d_k) * of_a_product))
    """,
}

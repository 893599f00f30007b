"""Queries and keys with independent components of mean 0 and variance 1 have dot products of
mean 0. Their spread depends on the width: over 1024 components it is large, and a softmax of such
scores puts nearly all weight on one key.

Write `scale(d_k)`: the positive factor by which the dot products are multiplied so that the scores
have variance 1 at **every** width.
"""

import math

import numpy as np

from coursekit import as_array, check, exercise, expect, wrong

exercise(
    id="choose-the-scale",
    chapter="scaled-dot-product",
    title="Choose the scale",
    practice=True,
    hints=[
        "One product of two such components has variance 1. What is the variance of the sum of "
        "$d_k$ independent ones?",
        "The variance of a sum of independent terms is the sum of their variances: $d_k$. "
        "Multiplying by $c$ multiplies the variance by $c^2$.",
        "Solve $c^2 d_k = 1$ for $c$.",
    ],
    misconceptions={
        "divides-by-d": "The variance falls like 1/d_k: the scores shrink as the width grows, and "
        "the softmax becomes nearly uniform. Multiplying by c multiplies the variance by c².",
        "precedence": "Your factor is 2 / d_k at every width. In Python, `d_k ** 1/2` means "
        "`(d_k ** 1) / 2`; write `d_k ** 0.5` or `math.sqrt(d_k)`.",
        "no-scale": "Your factor is 1, so the scores keep the variance of the dot products, d_k.",
        "fits-one-width": "Your factor is the same at every width, but the variance of the dot "
        "products is d_k. The factor has to depend on it.",
        "multiplies": "Your factor grows with d_k. The dot products grow with the width already, "
        "so "
        "the factor has to become smaller.",
        "too-slow": "Your factor falls too slowly: the variance of the scores still grows with the "
        "width.",
        "constant": "The variance is the same at every width, so the power of d_k is right. A "
        "constant factor is not.",
        "negative": "Your factor is negative. The variance may be 1, but the order of the scores "
        "is turned around: the key that fits best gets the least weight.",
        "zero": "Your factor is 0, so all scores are equal. (`1 // x` is 0 for every x above 1.)",
        "rough": "The variance is near 1, but more than 10 % away from it at some widths. The "
        "exact factor can be derived.",
    },
)


def scale(d_k):
    """Return the factor for dot products of width d_k, a number."""
    # BEGIN SOLUTION
    return 1 / math.sqrt(d_k)
    # END SOLUTION


def _expect_unit_variance(scale, widths):
    factors = []
    for d_k in widths:
        factor = as_array(scale(d_k), f"scale({d_k})")
        expect(factor.shape == (), f"scale({d_k}) has shape {factor.shape}; expected one number.")
        expect(np.isfinite(factor), f"scale({d_k}) is {factor}; expected a finite number.")
        factors.append(float(factor))
    sizes = np.array(widths, float)
    # A dot product of d_k independent terms of variance 1 has variance d_k.
    variances = np.square(factors) * sizes
    if min(factors) <= 0 or not ((variances > 0.9) & (variances < 1.1)).all():
        written = ", ".join(f"{f:.3g}" for f in factors)
        seen = ", ".join(f"{v:.3g} at {d}" for d, v in zip(widths, variances, strict=True))
        expect(
            False,
            f"The factors are {written}; the variance of the scores is {seen}.",
            _why(np.array(factors), sizes),
        )


def _why(factors, widths):
    """Return the misconception that these factors show."""
    if (factors == 0).all():
        return "zero"
    if (factors < 0).all():
        return "negative"
    if (factors <= 0).any():
        return None
    if np.allclose(factors, factors[0]):
        return "no-scale" if np.isclose(factors[0], 1) else "fits-one-width"
    if np.allclose(factors * widths, 2):
        return "precedence"
    if np.allclose(factors * np.sqrt(widths), factors[0] * np.sqrt(widths[0])):
        return "constant"
    growth = np.polyfit(np.log(widths), np.log(factors), 1)[0]
    variances = factors**2 * widths
    if (np.diff(factors) > 0).all():
        return "multiplies"
    if np.allclose(factors * widths, factors[0] * widths[0]):
        return "divides-by-d"
    if (np.abs(np.log(variances)) < np.log(2)).all() and abs(growth + 0.5) < 0.1:
        return "rough"
    return "too-slow" if variances[-1] > variances[-2] > 1.1 and growth < 0 else None


@check(points=2)
def variance_is_one(scale):
    """A positive factor, and scores of variance 0.9 to 1.1 for d_k = 4 … 1024"""
    _expect_unit_variance(scale, (4, 16, 64, 256, 1024))


@check(points=1, hidden=True)
def other_widths(scale):
    """Other widths, odd ones among them"""
    _expect_unit_variance(scale, (3, 29, 101, 509))


WRONG = {
    "divides by d_k": wrong(
        replace={"math.sqrt(d_k)": "d_k"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="divides-by-d",
    ),
    "no scale": wrong(
        replace={"1 / math.sqrt(d_k)": "1.0"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="no-scale",
    ),
    "multiplies by the root": wrong(
        replace={"1 / math.sqrt(d_k)": "math.sqrt(d_k)"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="multiplies",
    ),
    "one number for the usual width": wrong(
        replace={"1 / math.sqrt(d_k)": "0.125"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="fits-one-width",
    ),
    "a logarithm": wrong(
        replace={"math.sqrt(d_k)": "math.log(1 + d_k)"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="too-slow",
    ),
    "half the width": wrong(
        replace={"math.sqrt(d_k)": "math.sqrt(d_k / 2)"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="constant",
    ),
    "negative": wrong(
        replace={"1 / math.sqrt(d_k)": "-1 / math.sqrt(d_k)"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="negative",
    ),
    "half of the factor": wrong(
        replace={"1 / math.sqrt(d_k)": "0.5 / math.sqrt(d_k)"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="constant",
    ),
    "floor division": wrong(
        replace={"1 / math.sqrt(d_k)": "1 // math.sqrt(d_k)"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="zero",
    ),
    "precedence of **": wrong(
        replace={"1 / math.sqrt(d_k)": "1 / (d_k ** 1 / 2)"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="precedence",
    ),
    "from forty samples": wrong(
        """
        def scale(d_k):
            samples = np.random.default_rng(3).normal(size=(2, 40, d_k))
            return 1 / (samples[0] * samples[1]).sum(axis=1).std()
        """,
        rejected_by=["variance_is_one"],
        misconception="rough",
    ),
    "the fourth root": wrong(
        replace={"math.sqrt(d_k)": "d_k ** 0.25"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="too-slow",
    ),
}

ALSO_RIGHT = {
    "a power": """
        def scale(d_k):
            return d_k ** -0.5
    """,
    "in NumPy": """
        def scale(d_k):
            return np.reciprocal(np.sqrt(float(d_k)))
    """,
    "measured by simulation": """
        def scale(d_k):
            samples = np.random.default_rng(0).normal(size=(2, 4000, d_k))
            return 1 / (samples[0] * samples[1]).sum(axis=1).std()
    """,
}

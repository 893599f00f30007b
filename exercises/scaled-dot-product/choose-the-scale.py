"""Queries and keys with independent components of mean 0 and variance 1 have dot products of
mean 0. Their spread depends on the width: over 1024 components it is large, and a softmax of such
scores puts nearly everything on one key.

Write `scale(d_k)`, the factor by which the dot products are multiplied so that the scores have
variance 1 at **every** width.
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
        "divides-by-d": "The scores now have variance 1/d_k: they shrink as the width grows, and "
        "softmax becomes nearly uniform. Multiplying by c multiplies the variance by c², not by c.",
        "no-scale": "The scores keep variance d_k, so their spread grows with the width.",
        "multiplies": "The dot products were made larger. They must become smaller as d_k grows.",
        "fits-one-width": "The scores have variance 1 at one width only. The factor has to depend "
        "on d_k.",
        "log": "The factor falls too slowly: the variance grows linearly with d_k, and no "
        "logarithm keeps up with it.",
        "off-by-two": "The scores have variance 2 or 1/2 at every width: the power of d_k is right "
        "and a constant is not.",
    },
)


def scale(d_k):
    """Return the factor for dot products of width d_k, a number."""
    # BEGIN SOLUTION
    return 1 / math.sqrt(d_k)
    # END SOLUTION


WIDTHS = (4, 16, 64, 256, 1024)


def _variances(scale, rng, widths):
    found = []
    for d_k in widths:
        factor = as_array(scale(d_k), f"scale({d_k})")
        expect(factor.shape == (), f"scale({d_k}) has shape {factor.shape}; expected one number.")
        query, key = rng.normal(size=(2, 6007, d_k))
        found.append(float(np.var(float(factor) * (query * key).sum(axis=-1))))
    return np.array(found)


def _why(variances, widths):
    growth = np.polyfit(np.log(widths), np.log(np.maximum(variances, 1e-300)), 1)[0]
    if abs(growth - 3) < 0.2 or abs(growth - 2) < 0.2:
        return "multiplies"
    if abs(growth - 1) < 0.1:
        fits = np.abs(variances - 1).min() < 0.1
        return "fits-one-width" if fits else "no-scale"
    if 0.1 <= growth < 0.9:
        return "log"
    if abs(growth + 1) < 0.2:
        return "divides-by-d"
    return "off-by-two" if abs(growth) < 0.1 else None


@check(points=2)
def variance_is_one(scale):
    """Measured: the variance of the scores lies in [0.9, 1.1] for d_k = 4 … 1024"""
    variances = _variances(scale, np.random.default_rng(0), WIDTHS)
    if not ((variances > 0.9) & (variances < 1.1)).all():
        seen = ", ".join(f"{v:.3g} at {d}" for d, v in zip(WIDTHS, variances, strict=True))
        expect(False, f"The variance of the scores is {seen}.", _why(variances, WIDTHS))


@check(points=1, hidden=True)
def other_widths(scale, rng):
    """Other widths, odd ones among them"""
    widths = (3, 29, 101, 509)
    variances = _variances(scale, rng, widths)
    if not ((variances > 0.9) & (variances < 1.1)).all():
        seen = ", ".join(f"{v:.3g}" for v in variances)
        expect(False, f"At other widths the variance is {seen}.", _why(variances, widths))


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
        misconception="log",
    ),
    "half the width": wrong(
        replace={"math.sqrt(d_k)": "math.sqrt(d_k / 2)"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="off-by-two",
    ),
    "the fourth root": wrong(
        replace={"math.sqrt(d_k)": "d_k ** 0.25"},
        rejected_by=["variance_is_one", "other_widths"],
        misconception="log",
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

"""The scale $1 / \\sqrt{d_k}$ fits components of variance 1. In a trained layer the variance may be
any other. Suppose that all components of queries and keys are independent and have mean 0, that the
components of a query have variance $v_q$, and that those of a key have variance $v_k$.

Write `scale(d_k, query_variance, key_variance)`: the positive factor by which the dot products are
multiplied so that the scores have variance 1 at **every** width and for all variances above 0. The
checks ask for six correct digits, so derive the factor; random draws are not exact enough.
"""

import math

import numpy as np

from coursekit import as_array, check, exercise, expect, expect_close

exercise(
    title="Choose the scale for other variances",
    practice=True,
    hints=[
        "What is the variance of one product $q_r k_r$ of two independent numbers with mean 0? "
        "And that of a sum of $d_k$ such products?",
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


MISTAKES = r"""
as-if-one: ` * query_variance * key_variance` → ``
    Your factor is 1/√d_k, which is right for components of variance 1. Which variance does one
    product have here?
width-missing: `d_k * ` → ``
    Your factor depends on the variances, but not on the width: a dot product is a sum of d_k terms,
    and their variances add up.
no-root: `math.sqrt(` → `(`
    You divide by the variance of the dot product. Multiplying by c multiplies the variance by c²:
    divide by the standard deviation, its root.
root-of-width-only: `math.sqrt(d_k *` → `(math.sqrt(d_k) *`
    The root was taken of the width alone. The variances of query and key belong under it, too.
root-of-variances-only: `math.sqrt(d_k * query_variance * key_variance)` →
  `(d_k * math.sqrt(query_variance * key_variance))`
    The root was taken of the variances alone. The width belongs under it, too.
variances-added: `query_variance * key_variance` → `(query_variance + key_variance)`
    You used the sum of the two variances. A product of two independent numbers with mean 0 has the
    product of their variances.
mean-variance: `query_variance * key_variance` → `(query_variance + key_variance) / 2`
    You used the mean of the two variances. A product of two independent numbers with mean 0 has the
    product of their variances.
standard-deviations: `query_variance * key_variance` → `math.sqrt(query_variance * key_variance)`
    You used the product of the two standard deviations as the variance of one term. Its variance is
    the product of the two variances.
query-only: ` * key_variance` → ``
    The variance of the keys has no effect on your factor.
key-only: `query_variance * ` → ``
    The variance of the queries has no effect on your factor.
multiplies: `1 / ` → ``
    Your factor is the standard deviation of the dot product. Divide by it.
precedence: `math.sqrt(d_k * query_variance * key_variance)` →
  `((d_k * query_variance * key_variance) ** 1 / 2)`
    Your factor is 2 divided by the variance. In Python, `a ** 1/2` means `(a ** 1) / 2`; write `a
    ** 0.5` or `math.sqrt(a)`.
no-scale: `1 / math.sqrt(d_k * query_variance * key_variance)` → `1.0`
    Your factor is 1, so the scores keep the variance of the dot products.
constant: `1 / math.sqrt(d_k * query_variance * key_variance)` → `0.125`
    The factor is the same in all cases. It has to depend on width and variances.
times-a-number: `1 /` → `0.5 /`
    The variance of the scores is the same in all cases, but not 1: your factor is the right one
    times a number.
negative: `1 /` → `-1 /`
    Your factor is negative. The variance is 1, but the order of the scores is turned around: the
    key that fits best gets the least weight.
zero: `1 / math.sqrt(` → `1 // math.sqrt(1 + `
    Your factor is 0, so all scores are equal. (`1 // x` is 0 for every x above 1.)
rounded: `1 / math.sqrt(d_k * query_variance * key_variance)` →
  `round(1 / math.sqrt(d_k * query_variance * key_variance), 3)`
    Your factor is the right one, rounded: it has too few digits.
rough:
    ```
    def scale(d_k, query_variance, key_variance):
        samples = np.random.default_rng(3).normal(size=(2, 1000, d_k))
        products = samples[0] * samples[1] * math.sqrt(query_variance * key_variance)
        return 1 / products.sum(axis=1).std()
    ```
    The variance is near 1, but not exactly 1 in every case. The exact factor can be derived.
"""


def _expect_unit_variance(scale, cases):
    factors = []
    for case in cases:
        factor = as_array(scale(*case), f"scale{case}")
        expect(factor.shape == (), f"scale{case} has shape {factor.shape}; expected one number.")
        expect(np.isfinite(factor), f"scale{case} is {factor}; expected a finite number.")
        factors.append(float(factor))
    # A dot product has d_k independent products, each of variance v_q v_k.
    spread = np.sqrt([math.prod(case) for case in cases])
    for case, factor, root in zip(cases, factors, spread, strict=True):
        seen, variance = f"scale{case} is {factor:.6g}; the scores", np.square(factor * root)
        is_turned = factor < 0 and abs(variance - 1) <= 1e-6
        expect(not is_turned, f"{seen} have the opposite sign.", "negative")
        message = f"{seen} then have the variance {variance:.6g}."
        why = _why(np.array(factors), spread)
        expect_close(variance, 1.0, message=message, misconception=why)


def _why(factors, spread):
    """Return the misconception of factors that no known mistake gives."""
    if any(np.allclose(factors, np.round(1 / spread, digits), atol=1e-12) for digits in range(7)):
        return "rounded"
    if np.ptp(factors) == 0:
        return "constant"
    if (factors > 0).all() and np.allclose(factors * spread, factors[0] * spread[0], rtol=1e-6):
        return "times-a-number"
    return "rough" if (np.abs(factors * spread - 1) < 0.1).all() else None


@check(
    points=2,
    success_message="The dot product has the variance d_k · v_q · v_k; you divide by its root.",
)
def variance_is_one(scale):
    """Scores of variance 1 for widths of 16 to 1024 and several variances"""
    _expect_unit_variance(scale, [(16, 2.0, 3.0), (67, 0.5, 7.0), (1024, 5.0, 0.1), (256, 1, 1)])


@check(points=1, hidden=True)
def other_variances(scale, rng):
    """Other widths and variances, small ones among them"""
    drawn = [(int(rng.integers(3, 2000)), *rng.uniform(0.1, 9, size=2).tolist()) for _ in range(5)]
    _expect_unit_variance(scale, [*drawn, (1, 0.02, 0.3), (4096, 1e-3, 11.0)])


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

"""Layer normalisation brings the features of each token to mean 0 and variance 1. Then a learned
`scale` multiplies each feature, and a learned `shift` is added:

$$
\\mathrm{Norm}(x) = \\frac{x - \\mu}{\\sqrt{\\sigma^2 + \\varepsilon}}
\\odot \\text{scale} + \\text{shift}
$$

$\\mu$ and $\\sigma^2$ are the mean and the variance of one token's features. The variance is the
mean of the squared deviations. Write `layer_norm` for `x` with any number of leading axes. Leave
the arguments as they are.
"""

import numpy as np

from attnlab.gpt import layer_norm as library_norm
from coursekit import (
    as_array,
    call_keeping_inputs,
    check,
    exercise,
    expect,
    expect_close,
    expect_shape,
)

exercise(
    title="Layer normalisation",
    version=2,
    withhold=["attnlab.gpt.layer_norm"],
    hints=[
        "Each token has a mean of its own. Over which axis do you take it?",
        "Keep the axis, `keepdims=True`, so that the mean of a token is subtracted from its own "
        "features.",
        "`(x - mean) / np.sqrt(variance + epsilon) * scale + shift`, mean and variance over the "
        "last axis.",
    ],
)


def layer_norm(x, scale, shift, epsilon=1e-5):
    """Return the normalised tokens, shape of x.

    x: (..., tokens, d_model)   scale, shift: (d_model,)
    """
    # BEGIN SOLUTION
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + epsilon) * scale + shift
    # END SOLUTION


MISTAKES = r"""
over-tokens: `axis=-1` → `axis=-2`
    Mean and variance were taken over the tokens, for each feature. Each token is normalised on its
    own: over the features, the last axis.
over-everything: (also over-sequence) `(axis=-1, keepdims=True)` → `()`
    One mean and one variance were taken of the whole array. Each token has its own.
over-sequence: (also over-everything) `axis=-1` → `axis=(-2, -1)`
    Mean and variance were taken over all tokens and features of a sequence. Each token has its own.
divides-by-variance: `np.sqrt(` → `(`
    The deviations were divided by the variance plus epsilon. To get variance 1, divide by its
    square root.
not-centred: `return (x - mean)` → `return x`
    The mean was not subtracted.
root-mean-square: `((x - mean) ** 2).mean(` → `(x**2).mean(`, `return (x - mean)` → `return x`
    The features were divided by the root of their mean square, and their mean was left in. That is
    RMS normalisation; here the mean is subtracted first.
unbiased: `((x - mean) ** 2).mean(` → `x.var(ddof=1, `
    The variance was computed with d − 1 in the denominator. Here it is the mean of the squared
    deviations, with d.
epsilon-outside: `np.sqrt(variance + epsilon)` → `(np.sqrt(variance) + epsilon)`
    Epsilon was added to the standard deviation. It belongs under the root, with the variance.
no-epsilon: `variance + epsilon` → `variance`
    Epsilon was left out. It keeps the result finite for a token whose features are all equal.
epsilon-ignored: `variance + epsilon` → `variance + 1e-5`
    The argument epsilon has no effect: 1e-5 is its default, and another number was given here.
no-scale-shift: ` * scale + shift` → ``
    The normalised features are right. Scale and shift are missing.
no-shift: ` + shift` → ``
    The shift was not added.
no-scale: ` * scale` → ``
    The features were not multiplied by the scale.
shift-before-scale: `return (x` → `return ((x`, ` * scale + shift` → ` + shift) * scale`
    The shift was added before the multiplication by the scale. First multiply, then add.
"""


def _compare(layer_norm, seed, shape, epsilon):
    rng = np.random.default_rng(seed)
    x = 2 * rng.normal(size=shape) + rng.normal(size=(*shape[:-1], 1))
    scale, shift = rng.normal(size=(2, shape[-1])) + 1
    what = f"layer_norm(…) for x of shape {shape}"
    seen = expect_shape(call_keeping_inputs(layer_norm, x, scale, shift, epsilon), shape, what=what)
    expect_close(seen, library_norm(x, scale, shift, epsilon), atol=1e-8, what=what)


@check(points=1)
def one_sequence(layer_norm):
    """5 tokens of width 7"""
    _compare(layer_norm, 1, (5, 7), 0.3)


@check(points=1)
def a_batch(layer_norm):
    """2 sentences of 3 tokens of width 11"""
    _compare(layer_norm, 2, (2, 3, 11), 0.1)


@check(points=1)
def equal_features(layer_norm):
    """A token whose features are all equal gives the shift, and one with other features does not"""
    x, shift = np.full((3, 5), 4.0), np.arange(5.0)
    with np.errstate(all="ignore"):
        seen = expect_shape(layer_norm(x, np.ones(5), shift), (3, 5), what="layer_norm(…)")
    expected = np.tile(shift, (3, 1))
    expect_close(seen, expected, what="layer_norm of equal features")
    other = as_array(layer_norm(x + 2.0 * (shift == 3), np.ones(5), shift))
    expect(not np.allclose(other, expected), "A token with other features gives the shift, too.")


@check(points=1, hidden=True)
def other_sizes(layer_norm, rng):
    """Other numbers and sizes"""
    _compare(layer_norm, int(rng.integers(1 << 30)), (2, 5, 3, 13), 0.2)


ALSO_RIGHT = {
    "with var": """
        def layer_norm(x, scale, shift, epsilon=1e-5):
            centred = x - np.mean(x, -1)[..., None]
            return scale * centred / (x.var(-1)[..., None] + epsilon) ** 0.5 + shift
    """,
    "token by token": """
        def layer_norm(x, scale, shift, epsilon=1e-5):
            tokens = x.reshape(-1, x.shape[-1])
            done = []
            for token in tokens:
                variance = np.mean(token * token) - np.mean(token) ** 2
                done.append((token - token.mean()) / np.sqrt(variance + epsilon) * scale + shift)
            return np.array(done).reshape(x.shape)
    """,
}

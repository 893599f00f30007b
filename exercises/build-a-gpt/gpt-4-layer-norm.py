"""Before a part of a block reads the tokens, each token is brought to the same scale by itself:

$$\\frac{x - \\text{mean}(x)}{\\sqrt{\\text{var}(x) + 10^{-5}}} \\cdot \\text{gain} + \\text{bias}$$

Mean and variance are those of one token's features, the last axis; the variance is the mean of the
squared distances from the mean. `gain` and `bias` have one learned number for each feature.

Write `layer_norm(x, gain, bias)` for `x` of shape `(tokens, d_model)`.
"""

import numpy as np

from attnlab.gpt import layer_norm as library_norm
from coursekit import call_keeping_inputs, check, exercise, expect_close, wrong

exercise(
    id="gpt-4-layer-norm",
    chapter="build-a-gpt",
    title="Step 4: layer normalisation",
    withhold=["attnlab.gpt.layer_norm"],
    stand_in="attnlab.gpt",
    hints=[
        "`x` has one row for each token. Which axis has the features of one token?",
        "`x.mean(axis=-1, keepdims=True)` and `x.var(axis=-1, keepdims=True)` broadcast against "
        "`x`; the small number is added to the variance, inside the root.",
        "`(x - mean) / np.sqrt(variance + 1e-5) * gain + bias`.",
    ],
    misconceptions={
        "over-tokens": "Mean and variance run over the tokens: what one token gets then depends on "
        "the others, and on later ones as well. Use the last axis.",
        "over-everything": "One mean and one variance serve all tokens. Each token needs its own.",
        "unbiased": "The variance was divided by d_model - 1. Here it is the mean of the squared "
        "distances: divide by d_model.",
        "no-root": "The distances were divided by the variance. Divide by its square root.",
        "no-mean": "The mean was not subtracted. (RMS norm, which leaves it out, divides by the "
        "root of the mean square.)",
        "no-centring": "Each token was divided by its standard deviation, but its mean was not "
        "subtracted first.",
        "no-epsilon": "The small number in the root is missing. It matters for a token whose "
        "features are nearly alike, and without it equal features give 0/0.",
        "epsilon-outside": "The small number was added to the root. It belongs to the variance, "
        "inside the root.",
        "no-gain": "`gain` is missing.",
        "no-bias": "`bias` is missing.",
        "bias-scaled": "`bias` was added before the product with `gain`; add it last.",
    },
)


def layer_norm(x, gain, bias):
    """Return each token normalised, times gain, plus bias, (tokens, d_model)."""
    # BEGIN SOLUTION
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * gain + bias
    # END SOLUTION


def _norm(x, mean, variance):
    return (x - mean) / np.sqrt(variance + 1e-5)


def _mistakes(x, gain, bias):
    mean, variance = x.mean(axis=-1, keepdims=True), x.var(axis=-1, keepdims=True)
    normed = _norm(x, mean, variance)
    unbiased = variance * x.shape[-1] / (x.shape[-1] - 1)
    return {
        "over-tokens": _norm(x, x.mean(axis=0), x.var(axis=0)) * gain + bias,
        "over-everything": _norm(x, x.mean(), x.var()) * gain + bias,
        "unbiased": _norm(x, mean, unbiased) * gain + bias,
        "no-root": (x - mean) / (variance + 1e-5) * gain + bias,
        "no-mean": _norm(x, 0, (x**2).mean(axis=-1, keepdims=True)) * gain + bias,
        "no-centring": _norm(x, 0, variance) * gain + bias,
        "no-gain": normed + bias,
        "no-bias": normed * gain,
        "bias-scaled": (normed + bias) * gain,
    }


@check(points=1)
def three_tokens(layer_norm):
    """Three tokens of width 5, gain 1 and bias 0"""
    x = np.array([[1.0, 2, 3, 4, 10], [0.5, -1, 0, 2, 0.5], [-3.0, -2, 4, 1, 2]])
    gain, bias = np.ones(5), np.zeros(5)
    known = _mistakes(x, gain, bias)
    for without in ("no-gain", "no-bias", "bias-scaled"):
        del known[without]
    expect_close(
        call_keeping_inputs(layer_norm, x, gain, bias),
        library_norm(x, gain, bias),
        what="layer_norm(x, 1, 0)",
        mistakes=known,
    )


@check(points=1)
def gain_and_bias(layer_norm):
    """Seven tokens of width 11 with gain and bias"""
    rng = np.random.default_rng(2)
    x, gain, bias = rng.normal(1, 2, size=(7, 11)), rng.normal(size=11), rng.normal(size=11)
    expect_close(
        call_keeping_inputs(layer_norm, x, gain, bias),
        library_norm(x, gain, bias),
        what="layer_norm(x, gain, bias)",
        mistakes=_mistakes(x, gain, bias),
    )


@check(points=1)
def nearly_alike(layer_norm):
    """A token whose features are nearly alike"""
    x = np.array([[2.0, 2.001, 1.998, 2.0, 2.001]])
    distance, variance = x - x.mean(), x.var()
    expect_close(
        call_keeping_inputs(layer_norm, x, np.ones(5), np.zeros(5)),
        library_norm(x, np.ones(5), np.zeros(5)),
        what=f"layer_norm({x.tolist()}, 1, 0)",
        mistakes={
            "no-epsilon": distance / np.sqrt(variance),
            "epsilon-outside": distance / (np.sqrt(variance) + 1e-5),
        },
    )


@check(points=1, hidden=True)
def other_tokens(layer_norm, rng):
    """Other sizes"""
    for tokens, width in ((1, 3), (13, 17)):
        x, gain, bias = rng.normal(size=(tokens, width)), rng.normal(size=width), np.ones(width)
        expect_close(
            layer_norm(x, gain, bias), library_norm(x, gain, bias), what="layer_norm(x, gain, bias)"
        )


WRONG = {
    "over the tokens": wrong(
        replace={"axis=-1": "axis=0"},
        rejected_by=["three_tokens", "gain_and_bias", "nearly_alike", "other_tokens"],
        misconception="over-tokens",
    ),
    "one mean for all": wrong(
        replace={"axis=-1, keepdims=True": ""},
        rejected_by=["three_tokens", "gain_and_bias", "other_tokens"],
        misconception="over-everything",
    ),
    "no root": wrong(
        replace={"np.sqrt(variance + 1e-5)": "(variance + 1e-5)"},
        rejected_by=["three_tokens", "gain_and_bias", "nearly_alike", "other_tokens"],
        misconception="no-root",
    ),
    "no epsilon": wrong(
        replace={"variance + 1e-5": "variance"},
        rejected_by=["nearly_alike"],
        misconception="no-epsilon",
    ),
    "epsilon outside of the root": wrong(
        replace={"np.sqrt(variance + 1e-5)": "(np.sqrt(variance) + 1e-5)"},
        rejected_by=["nearly_alike"],
        misconception="epsilon-outside",
    ),
    "d_model - 1": wrong(
        replace={"x.var(axis=-1, keepdims=True)": "x.var(axis=-1, keepdims=True, ddof=1)"},
        rejected_by=["three_tokens", "gain_and_bias", "other_tokens"],
        misconception="unbiased",
    ),
    "not centred": wrong(
        replace={"(x - mean)": "x"},
        rejected_by=["three_tokens", "gain_and_bias", "nearly_alike", "other_tokens"],
        misconception="no-centring",
    ),
    "bias before gain": wrong(
        replace={
            "(x - mean) / np.sqrt(variance + 1e-5) * gain + bias": "((x - mean) / "
            "np.sqrt(variance + 1e-5) + bias) * gain"
        },
        rejected_by=["gain_and_bias", "other_tokens"],
        misconception="bias-scaled",
    ),
    "bias forgotten": wrong(
        replace={" * gain + bias": " * gain"},
        rejected_by=["gain_and_bias", "other_tokens"],
        misconception="no-bias",
    ),
}

ALSO_RIGHT = {
    "step by step": """
        def layer_norm(x, gain, bias):
            centred = x - x.mean(axis=1)[:, None]
            scale = ((centred**2).mean(axis=1) + 1e-5) ** -0.5
            return bias + gain * (centred * scale[:, None])
    """,
    "a loop over tokens": """
        def layer_norm(x, gain, bias):
            rows = [(row - np.mean(row)) / (np.var(row) + 1e-5) ** 0.5 for row in x]
            return np.array(rows) * gain + bias
    """,
}

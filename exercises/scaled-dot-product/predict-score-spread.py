"""Queries and keys have independent components with mean 0 and variance 1; their width is
$d_k = 256$.
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="predict-score-spread",
    chapter="scaled-dot-product",
    title="Predict: the spread of the scores",
    questions=[
        numeric(
            "spread",
            "What is the standard deviation of the dot product $q \\cdot k$?",
            answer=16,
            tolerance=0.05,
            success_message="A sum of 256 independent products, each of variance 1, has variance "
            "256; its root is 16.",
            mistakes={
                "variance": 256,
                "one": 1,
                "fourth-root": 4,
                "half": 128,
                "the-factor": 0.0625,
            },
        ),
        choice(
            "gradient",
            "The softmax turns these dot products into weights, without any scaling. There are 64 "
            "keys. How strongly do a typical query's weights react to a small change in its scores "
            "(the derivatives of the weights with respect to the scores) as $d_k$ grows from 4 to "
            "1024?",
            {
                "a": option(
                    "Less and less, steadily from the start",
                    failure_message="It ends that way but does not begin that way with 64 keys. A "
                    "softmax of 64 nearly equal scores also passes little gradient; look at the "
                    "curve for 64 keys below.",
                    misconception="monotone",
                ),
                "b": option(
                    "More and more, since the scores grow",
                    failure_message="Larger scores make a sharper softmax. Once one weight is "
                    "nearly 1, no small change in the scores moves it.",
                    misconception="large-scores-large-gradient",
                ),
                "c": option(
                    "First a little more, then hardly at all",
                    correct=True,
                    success_message="Yes. A gently sharpened softmax responds more than a flat "
                    "one, and a saturated one hardly responds at all.",
                ),
                "d": option(
                    "Always the same: the weights always sum to 1",
                    failure_message="The sum stays 1, but how the weights react to a change in the "
                    "scores does not stay the same.",
                    misconception="sum-is-all",
                ),
            },
        ),
    ],
    hints=[
        "What is the variance of a sum of independent terms?",
        "Each product of two components has variance 1, and there are 256. The standard deviation "
        "is the root of the variance.",
    ],
    misconceptions={
        "variance": "256 is the variance. The standard deviation, which has the unit of the "
        "scores, is its root.",
        "one": "1 is the spread of a single component. The dot product adds 256 products, and "
        "their variances add.",
        "fourth-root": "4 is the root of 16. The variance of the sum is 256; take one root only.",
        "the-factor": "0.0625 is 1/16, the factor that would bring the spread back to 1. The "
        "question asks for the spread before scaling.",
        "half": "128 is half of 256. The 256 products have variance 1 each, and variances add: "
        "take the root of their sum.",
    },
)

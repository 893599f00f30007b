"""Answer three questions on earlier chapters from memory."""

from coursekit import choice, numeric, option, quiz

quiz(
    id="recall-scores",
    chapter="scores",
    title="From memory",
    questions=[
        numeric(
            "ratio",
            "A layer with $d_\\text{model} = 64$ has 4 heads of width 16. In one head, a query's "
            "dot products with two keys are 6 and 2. By what factor is the first weight larger "
            "than the second, after scaling? Two decimals are enough.",
            answer=2.718,
            tolerance=0.02,
            success_message="The scores are 6/4 and 2/4, as √16 = 4. They differ by 1, and a score "
            "that is larger by 1 gives e times the weight.",
            mistakes={
                "unscaled": 54.6,
                "by-d": 1.284,
                "by-root-of-model": 1.6487,
                "ratio-of-scores": 3,
                "difference": 1,
                "inverse": 0.368,
                "first-alone": 4.4817,
            },
        ),
        choice(
            "hidden",
            "A mask hides a key from a query that has given it a weight of 0.5. What happens to "
            "that query's other weights?",
            {
                "a": option(
                    "They stay the same, and the row sums to 0.5",
                    failure_message="The mask sets a *score* to −∞ before the softmax, and the "
                    "softmax makes every row sum to 1.",
                    misconception="mask-after-softmax",
                ),
                "b": option(
                    "Each gets an equal share of the 0.5",
                    failure_message="Weights are ratios of exponentials. Removing one key leaves "
                    "the ratios of the others as they are.",
                    misconception="equal-parts",
                ),
                "c": option(
                    "They are doubled",
                    correct=True,
                    success_message="Yes. Their ratios stay the same; their sum grows from 0.5 to "
                    "1.",
                ),
            },
        ),
        choice(
            "gradient",
            "One weight of a row is 0.9999. What does a small change in the scores do to the row?",
            {
                "a": option(
                    "Almost nothing: the softmax is saturated, and its gradient is nearly 0",
                    correct=True,
                    success_message="Yes. Every derivative is a product of two factors, one of "
                    "which is nearly 0.",
                ),
                "b": option(
                    "A lot: large scores have large gradients",
                    failure_message="The opposite is true: with one weight near 1, a small change "
                    "in the scores hardly changes any weight.",
                    misconception="large-scores-large-gradient",
                ),
                "c": option(
                    "It changes only the largest weight",
                    failure_message="The row always sums to 1, so a weight cannot change alone.",
                    misconception="one-weight-moves",
                ),
                "d": option(
                    "The row no longer sums to 1",
                    failure_message="Weights sum to 1, whatever the scores.",
                    misconception="sum-breaks",
                ),
            },
        ),
    ],
    misconceptions={
        "unscaled": "54.6 is e⁴, without the scaling: divide both products by √16 = 4 first.",
        "by-d": "1.28 is e to the 4/16: both products were divided by 16. The scale is √16 = 4.",
        "by-root-of-model": "1.65 is e to the 4/8: both products were divided by √64. A head's "
        "keys are 16 wide.",
        "ratio-of-scores": "3 is the ratio of the scores. The ratio of the weights is the "
        "exponential of the scores' difference.",
        "difference": "1 is the difference of the scaled scores. By what factor do the weights "
        "differ, then?",
        "first-alone": "4.48 is e to the 6/4, from the first score alone. Divide it by the second "
        "exponential.",
        "inverse": "0.37 is the second weight divided by the first. The first is the larger one.",
    },
)

"""Added sinusoids, rotary positions, ALiBi or none: which is which?"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="choose-a-place",
    chapter="positions",
    title="Choose a position encoding",
    questions=[
        choice(
            "values",
            "In the first layer, with which of the three encodings do the *values* depend on the "
            "position?",
            {
                "a": option(
                    "Rotary",
                    failure_message="Queries and keys are turned. Values are left alone.",
                    misconception="values-turned",
                ),
                "b": option(
                    "Added sinusoids",
                    correct=True,
                    success_message="Yes: they are added to the tokens, from which values are "
                    "computed.",
                ),
                "c": option(
                    "ALiBi",
                    failure_message="ALiBi changes only the scores.",
                    misconception="bias-in-values",
                ),
                "d": option(
                    "All of them",
                    failure_message="Two of the three affect only the scores.",
                    misconception="all-the-same",
                ),
            },
        ),
        numeric(
            "bias",
            "An ALiBi head has slope 0.5. Without the bias, two keys would have the same score; "
            "one is 1 position back and the other 3. How many times as large is the nearer key's "
            "weight? Two decimals are enough.",
            answer=2.718,
            tolerance=0.01,
            success_message="The biases are −0.5 and −1.5. They differ by 1, which gives a factor "
            "of e.",
            mistakes={
                "distance": 3,
                "one-place": 1.649,
                "two-steps": 7.389,
                "difference": 1,
                "power-of-two": 4,
                "farther-only": 4.482,
                "other-way-round": 0.368,
            },
        ),
        choice(
            "heads",
            "Two ALiBi heads have slopes 1/4 and 1/256, and there is a causal mask. Which head "
            "attends further back?",
            {
                "a": option(
                    "The one with 1/4",
                    failure_message="Its bias at a distance of 20 is −5, so a key there has 0.007 "
                    "of the weight that it would have without the bias.",
                    misconception="steep-is-far",
                ),
                "b": option(
                    "Neither: a causal mask hides tokens that are far back",
                    failure_message="A causal mask hides the future but not the past.",
                    misconception="mask-hides-past",
                ),
                "c": option(
                    "The one with 1/256",
                    correct=True,
                    success_message="Yes: at a distance of 20 its bias is only −0.08, so distant "
                    "keys keep 0.92 of their weight before normalisation.",
                ),
            },
        ),
        choice(
            "longer",
            "A model with rotary positions was trained on texts of 16 tokens. One text has 16 "
            "tokens at positions 100 to 115; another has 64 tokens. What do you expect?",
            {
                "a": option(
                    "The first works as before; the second may fail",
                    correct=True,
                    success_message="Yes. Its scores do not depend on the position itself, so "
                    "position 100 is not new. Distances beyond 15 are new.",
                ),
                "b": option(
                    "Both work, as only distances count",
                    failure_message="The second text has distances that never occurred in "
                    "training.",
                    misconception="distance-is-enough",
                ),
                "c": option(
                    "Both may fail, as the model never saw position 100",
                    failure_message="It cannot tell position 100 from position 0: the scores are "
                    "the same.",
                    misconception="absolute-place",
                ),
            },
        ),
    ],
    misconceptions={
        "distance": "3 is the ratio of the distances. The factor is the exponential of the "
        "difference between the two scores.",
        "one-place": "That is the factor for one position, e to 0.5. The keys are two positions "
        "apart.",
        "two-steps": "That is e². The distances differ by 2, and the slope is 0.5, so the scores "
        "differ by 1.",
        "farther-only": "That is e to 1.5, from the bias of the farther key alone. What counts is "
        "the difference between the two biases.",
        "other-way-round": "That is the factor of the farther key. The question asks for the "
        "nearer one.",
        "difference": "1 is the difference between the scores. By what factor do the weights "
        "differ?",
        "power-of-two": "Weights are powers of e, not of 2.",
    },
)

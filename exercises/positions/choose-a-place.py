"""Added sinusoids, rotary, ALiBi, or none. Which is which?"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="choose-a-place",
    chapter="positions",
    title="Choose how to say where",
    questions=[
        choice(
            "values",
            "In which of them do the *values* carry the place?",
            {
                "a": option(
                    "Rotary",
                    failure_message="Queries and keys are turned. Values are left alone.",
                    misconception="values-turned",
                ),
                "b": option(
                    "Added sinusoids",
                    correct=True,
                    success_message="Yes: they are added to the tokens, of which the values are "
                    "made.",
                ),
                "c": option(
                    "ALiBi",
                    failure_message="ALiBi changes scores and nothing else.",
                    misconception="bias-in-values",
                ),
                "d": option(
                    "All of them",
                    failure_message="Two of the three enter the scores only.",
                    misconception="all-the-same",
                ),
            },
        ),
        numeric(
            "bias",
            "A head of ALiBi has the slope 0.5. Two keys would have the same score, one stands 1 "
            "place back and the other 3. By which factor is the weight of the nearer larger? Two "
            "decimals are enough.",
            answer=2.718,
            tolerance=0.01,
            success_message="The biases are −0.5 and −1.5. They differ by 1, and that is a factor "
            "of e.",
            mistakes={"distance": 3, "two-steps": 7.389, "difference": 1, "power-of-two": 4},
        ),
        choice(
            "cache",
            "A key-value cache holds rotary keys. A new token comes. Which keys have to be turned?",
            {
                "a": option(
                    "All of them, by one place more",
                    failure_message="Their places did not change. The new query is turned by its "
                    "own, and the distances are right.",
                    misconception="turn-again",
                ),
                "b": option(
                    "The new one only, by its true place",
                    correct=True,
                    success_message="Yes. By its place in the text, not by its place in the piece "
                    "that was passed.",
                ),
                "c": option(
                    "None: distances take care of it",
                    failure_message="Only turned vectors have scores that depend on the distance.",
                    misconception="no-turn",
                ),
            },
        ),
        choice(
            "longer",
            "A model with rotary positions was trained on 16 tokens. A text of 16 tokens stands at "
            "places 100 to 115. And another text has 64 tokens. What do you expect?",
            {
                "a": option(
                    "The first is no problem; the second may be one",
                    correct=True,
                    success_message="Yes. Of places it knows nothing, so they cannot be new. "
                    "Distances beyond 15 are.",
                ),
                "b": option(
                    "Both are no problem, as only distances count",
                    failure_message="In the second text there are distances that it never met.",
                    misconception="distance-is-enough",
                ),
                "c": option(
                    "Both are one, as it never saw place 100",
                    failure_message="It cannot tell place 100 from place 0: the scores are the "
                    "same.",
                    misconception="absolute-place",
                ),
            },
        ),
    ],
    misconceptions={
        "distance": "3 is the ratio of the distances. Weights go by the exponential of a "
        "difference of scores.",
        "two-steps": "The distances differ by 2, and each place costs half a nat.",
        "difference": "1 is the difference of the scores. What factor in the weights is that?",
        "power-of-two": "Weights go by powers of e.",
    },
)

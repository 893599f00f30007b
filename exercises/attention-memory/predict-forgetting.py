"""A state of 8 features reads 16 pairs, one after another, and is then asked for one of them. There
are three such states. One keeps all pairs equally. One is multiplied by 0.8 before each pair is
added. In the third, each pair computes its own factor in a learned way.
"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="predict-forgetting",
    chapter="attention-memory",
    title="Predict: three ways to keep pairs",
    questions=[
        numeric(
            "left",
            "With the factor 0.8, what share of the first of the 16 pairs is left when all have "
            "been read? Answer with two significant digits.",
            answer=0.8**15,
            tolerance=0.0006,
            success_message="0.8 to the power of 15: fifteen pairs came after it.",
            failure_message="Each pair that comes later multiplies it by 0.8. How many come later?",
            mistakes={
                "sixteen": 0.8**16,
                "linear": 0.8 / 15,
                "fourteen": 0.8**14,
                "one": 0.8,
                "percent": 3.5,
                "subtracted": 1 - 15 * 0.2,
                "subtracted-sixteen": 1 - 16 * 0.2,
            },
        ),
        choice(
            "text_ends",
            "Now the state reads 8 pairs, a mark for the end of the text, and 8 pairs of another "
            "text, about which it is asked. Which state answers the most questions?",
            {
                "a": option(
                    "The one whose factor each pair computes",
                    correct=True,
                    success_message="Yes. It can multiply by nearly 0 at the mark, and by 1 "
                    "elsewhere.",
                ),
                "b": option(
                    "The one with 0.8: the first text has faded, the second has not",
                    failure_message="After the mark and eight pairs, an eighth of the first text's "
                    "newest pair is still left, but only a fifth of the second text's own first "
                    "pair.",
                    misconception="fixed-fits",
                ),
                "c": option(
                    "The one that keeps all: nothing is lost",
                    failure_message="The first text is in the way: 16 pairs share the 8 features, "
                    "and the same name may occur there with another value.",
                    misconception="keeping-never-hurts",
                ),
                "d": option(
                    "All the same: there are 16 pairs either way",
                    failure_message="They differ in how much of the first text, which is not asked "
                    "for, is still in the state.",
                    misconception="only-the-count",
                ),
            },
        ),
    ],
    misconceptions={
        "sixteen": "0.8¹⁶ counts the pair itself. It is multiplied by those that come after it.",
        "linear": "The factor is applied once for each later pair: a power, not a quotient.",
        "fourteen": "0.8¹⁴ is one factor short. Fifteen pairs come later.",
        "one": "0.8 is left after only one more pair.",
        "percent": "That is the share in percent. As a factor it is 100 times smaller.",
        "subtracted": "Each later pair takes a fifth of what is left, not a fifth of the "
        "beginning: multiply, and it never falls below 0.",
        "subtracted-sixteen": "Each later pair takes a fifth of what is left, not a fifth of the "
        "beginning: multiply, and it never falls below 0. And fifteen pairs come later.",
    },
)

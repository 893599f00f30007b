"""A model has to find two words of a sentence: the first, which has the gender, and the verb at
the end. A head adds to each score a number that grows or falls with the position, at a rate that
training may change. The models are trained on sentences with up to 4 phrases between the two words,
and tested on up to 12.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-single-head",
    chapter="multi-head",
    title="Predict: one head for two tasks, and two heads that start alike",
    questions=[
        choice(
            "one_head",
            "One model has a single head, which starts with a preference for the beginning of the "
            "sentence. What does it learn?",
            {
                "a": option(
                    "Only one of the two: it finds the gender and guesses the verb, at all lengths",
                    failure_message="It divides its weight between the two, and with up to 4 "
                    "phrases every participle is right.",
                    misconception="always-one",
                ),
                "b": option(
                    "Both, at all lengths: the matrices behind it undo the mixing",
                    failure_message="With up to 4 phrases they do. In longer sentences the two "
                    "words get different shares of the weight, but the matrices stay the same.",
                    misconception="mixing-is-undone",
                ),
                "c": option(
                    "Both, but only at the lengths of its training",
                    correct=True,
                    success_message="Yes. It divides its weight between the two words, and each "
                    "further phrase shifts the shares.",
                ),
            },
        ),
        choice(
            "two_alike",
            "Nine models have two heads that start alike: both with a preference for the end, both "
            "with one for the beginning, or both without, three models each. How many are right "
            "with 12 phrases?",
            {
                "a": option(
                    "All nine: training moves the heads apart, since one word alone is not enough",
                    failure_message="It does in some models but not in others. The figure and the "
                    "table show which.",
                    misconception="training-divides-work",
                ),
                "b": option(
                    "Some of them, and it depends on chance",
                    correct=True,
                    success_message="Yes: in each group of three, one model is.",
                ),
                "c": option(
                    "None: heads that start alike stay alike",
                    failure_message="Only their preference is the same. Their random queries and "
                    "keys differ, so training can move them apart, and in some models it does.",
                    misconception="alike-stays-alike",
                ),
            },
        ),
    ],
    hints=[
        "What do the two words' shares of the weight depend on, besides their scores?",
        "Training changes slopes, queries and keys step by step, from where they start.",
    ],
)

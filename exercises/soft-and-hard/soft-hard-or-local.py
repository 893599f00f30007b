"""Soft, hard, local, global: which is which?"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="soft-hard-or-local",
    chapter="soft-and-hard",
    title="Soft, hard or local?",
    questions=[
        numeric(
            "mean_answer",
            "Three keys have the weights 0.5, 0.3, 0.2 and the values 10, 20, 30. Hard attention "
            "answers a million queries. Roughly what is the mean of the answers?",
            answer=17,
            tolerance=0.1,
            success_message="It is 5 + 6 + 6 = 17, as with soft attention.",
            mistakes={"best-only": 10, "plain-mean": 20, "reversed": 23, "tenths": 1.7, "sum": 60},
        ),
        choice(
            "two_globals",
            "“Global attention” in Luong's paper and “global attention” in the Longformer: what do "
            "they mean?",
            {
                "a": option(
                    "The same: every query attends to every key",
                    failure_message="That is Luong's meaning. In the Longformer most queries have "
                    "a window; a few chosen tokens are global.",
                    misconception="one-meaning",
                ),
                "b": option(
                    "Luong: a few chosen tokens. Longformer: every query attends to every key",
                    failure_message="The opposite is true.",
                    misconception="swapped",
                ),
                "c": option(
                    "Luong: attention over all layers. Longformer: over all documents",
                    failure_message="Neither refers to layers or documents here; both refer to the "
                    "keys that a query attends to.",
                    misconception="other-axis",
                ),
                "d": option(
                    "Luong: every query attends to every key. Longformer: a few chosen tokens "
                    "attend to all, and all attend to them",
                    correct=True,
                    success_message="Yes. In one paper it names a whole mechanism, in the other a "
                    "property of a few tokens.",
                ),
            },
        ),
        choice(
            "differentiable",
            "For which of these does backpropagation find a gradient with respect to the *scores*?",
            {
                "a": option(
                    "the value of the key with the largest score",
                    failure_message="It stays the same when a score moves a little and jumps when "
                    "another key takes over: its slope is 0 wherever it has one.",
                    misconception="argmax-differentiable",
                ),
                "b": option(
                    "the value of a key that was drawn",
                    failure_message="The drawn value does not move with the scores; only its "
                    "probability does. That needs the score-function estimator.",
                    misconception="draw-differentiable",
                ),
                "c": option(
                    "the weighted mean of all values",
                    correct=True,
                    success_message="Yes, soft attention: every weight depends smoothly on every "
                    "score.",
                ),
                "d": option(
                    "all three",
                    failure_message="A choice of one key, by draw or by maximum, changes in jumps.",
                    misconception="all-differentiable",
                ),
            },
        ),
    ],
    misconceptions={
        "best-only": "10 is the value of the best key. It is drawn in only half of the cases.",
        "plain-mean": "20 is the plain mean, as if every key were drawn equally often. Keys are "
        "drawn with their weights as probabilities.",
        "reversed": "23 has the weights in reverse order: 0.5 belongs to 10.",
        "sum": "60 is the sum of the values. The mean weights each value by its probability.",
        "tenths": "That is ten times too small: the mean lies between 10 and 30.",
    },
)

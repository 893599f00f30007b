"""Soft, hard, local, global. Which is which?"""

from coursekit import choice, numeric, option, quiz

quiz(
    id="soft-hard-or-local",
    chapter="soft-and-hard",
    title="Soft, hard or local?",
    questions=[
        numeric(
            "mean_answer",
            "Three keys have the weights 0.5, 0.3, 0.2 and the values 10, 20, 30. A million "
            "queries are answered by hard attention. What is the mean of the answers, about?",
            answer=17,
            tolerance=0.1,
            success_message="0.5 times 10, 0.3 times 20 and 0.2 times 30: what soft attention "
            "returns.",
            mistakes={"best-only": 10, "plain-mean": 20, "reversed": 23},
        ),
        choice(
            "two_globals",
            "“Global attention” in Luong's paper and “global attention” in the Longformer: what do "
            "they mean?",
            {
                "a": option(
                    "The same: every query sees every key",
                    failure_message="That is Luong's meaning. In the Longformer most queries see a "
                    "window; a few chosen tokens are global.",
                    misconception="one-meaning",
                ),
                "b": option(
                    "Luong: every query sees every key. Longformer: a few chosen tokens see all "
                    "and are seen by all",
                    correct=True,
                    success_message="Yes. One names a whole mechanism, the other a few tokens in "
                    "it.",
                ),
                "c": option(
                    "Luong: a few chosen tokens. Longformer: every query sees every key",
                    failure_message="The other way round.",
                    misconception="swapped",
                ),
                "d": option(
                    "Luong: attention over all layers. Longformer: over all documents",
                    failure_message="Neither speaks of layers or documents here; both speak of "
                    "which keys a query sees.",
                    misconception="other-axis",
                ),
            },
        ),
        choice(
            "differentiable",
            "For which of these does backpropagation find a gradient with respect to the *scores*?",
            {
                "a": option(
                    "the value of the key with the largest score",
                    failure_message="It stays the same when a score moves a little, and jumps when "
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
                    "the mean of all values, by weight",
                    correct=True,
                    success_message="Yes, soft attention: every weight moves with every score.",
                ),
                "d": option(
                    "all three",
                    failure_message="Choosing one key, by draw or by maximum, is a jump.",
                    misconception="all-differentiable",
                ),
            },
        ),
    ],
    misconceptions={
        "best-only": "10 is the value of the best key. It is drawn in half of the cases only.",
        "plain-mean": "20 is the plain mean: every key drawn equally often. Keys are drawn by "
        "their weights.",
        "reversed": "The weights went to the values in reverse order.",
    },
)

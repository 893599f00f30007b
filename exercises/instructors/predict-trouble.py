"""Ten notebooks are graded in one go. Grace's function never returns when it is given a long
sentence, though it handles short ones well. Hugo returns an array that claims to equal whatever it
is compared with, and his first cell replaces `np.allclose` by a function that always says yes.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-trouble",
    chapter="instructors",
    title="Predict: what becomes of Grace and Hugo?",
    questions=[
        choice(
            "endless",
            "What does Grace get?",
            {
                "a": option(
                    "Nothing: her notebook ran out of time",
                    failure_message="Her answers are collected one by one, and points earned "
                    "before the timeout stay.",
                    misconception="all-or-nothing",
                ),
                "b": option(
                    "All points but those of the checks that ask for long sentences",
                    correct=True,
                    success_message="Yes. The call is stopped, the check fails with that reason, "
                    "and the rest of her notebook counts.",
                ),
                "c": option(
                    "It does not matter: the batch stands still until someone stops it",
                    failure_message="Every call has a time limit. A batch that one learner can "
                    "stop would be of no use at two in the morning.",
                    misconception="batch-hangs",
                ),
                "d": option(
                    "What she deserves, but the student graded after her gets nothing",
                    failure_message="Each submission runs in its own processes, which end with it.",
                    misconception="shared-kernel",
                ),
            },
        ),
        choice(
            "cheat",
            "And Hugo, for that exercise?",
            {
                "a": option(
                    "Full marks, since every comparison says yes",
                    failure_message="They would, if his array and the check met in one process. "
                    "His array crosses over as plain numbers and can no longer claim anything.",
                    misconception="same-process",
                ),
                "b": option(
                    "Full marks, and a flag for a person to look",
                    failure_message="Points are neither given nor taken on suspicion. What counts "
                    "is what his function returned.",
                    misconception="flagged",
                ),
                "c": option(
                    "Nothing: the numbers that he returned are wrong",
                    correct=True,
                    success_message="Yes. Checks run in a process that his code never sees; what "
                    "he replaced, he replaced for himself.",
                ),
                "d": option(
                    "Nothing, and the batch ends with an error",
                    failure_message="No submission ends a batch.",
                    misconception="batch-hangs",
                ),
            },
        ),
    ],
    hints=[
        "From which process could a program change a verdict? In which one does Hugo's code run?",
        "A check asks a function for its result. What should it do when it has waited in vain for "
        "long enough?",
    ],
)

"""A network reads *the apple under the tree behind the garden had been picked* into one vector of
64 numbers. From that vector alone a second network writes the whole sentence in French. Both are
trained on sentences with up to six phrases. Then the sentences get longer and longer.
"""

from coursekit import choice, option, quiz

quiz(
    id="predict-what-is-lost",
    chapter="motivation",
    title="Predict: what goes first?",
    questions=[
        choice(
            "lost_first",
            "What goes wrong first as the sentences grow?",
            {
                "a": option(
                    "The ending of *ramassée*: the subject is the oldest word in the vector.",
                    failure_message="That is the usual story, and the next cell tests it. The "
                    "ending needs one bit of the subject. Compare it with what the other words "
                    "need.",
                    misconception="gender-first",
                ),
                "b": option(
                    "Everything at the same time: a vector is either full or not.",
                    failure_message="A vector of real numbers does not overflow like a box. "
                    "Training decides what to keep, and a single bit is cheap to keep.",
                    misconception="all-at-once",
                ),
                "c": option(
                    "Nothing, as long as the lengths were in the training.",
                    failure_message="Training can only use the room that there is. Whether 64 "
                    "numbers are enough for six phrases is what the next cell measures.",
                    misconception="training-suffices",
                ),
                "d": option(
                    "The other words: which nouns stood there, and in which order.",
                    correct=True,
                    success_message="Yes. Each noun is one of 40, more than five bits; six "
                    "phrases make over forty bits with their prepositions, and the gender is one.",
                ),
            },
        ),
    ],
)

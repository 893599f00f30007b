"""A classifier of film reviews uses attention. On one review it puts 0.9 of its weight on *awful*
and answers "bad". What may be said?
"""

from coursekit import choice, option, quiz

quiz(
    id="what-may-be-said",
    chapter="interpretation",
    title="What may be said?",
    questions=[
        choice(
            "from_the_map",
            "Which sentence follows from the weights alone?",
            {
                "a": option(
                    "The model answered “bad” because of *awful*.",
                    failure_message="To see a cause, you must change something. Take the word out, "
                    "or put another in its place, and look at the answer.",
                    misconception="weight-is-cause",
                ),
                "b": option(
                    "In this layer, 0.9 of the mixture is the value at the position of *awful*.",
                    correct=True,
                    success_message="Yes, and no more than that. It is what weights are by "
                    "definition.",
                ),
                "c": option(
                    "Other words had nothing to do with the answer.",
                    failure_message="The layer before may have mixed them into that position, and "
                    "the other 0.1 of the weight is theirs.",
                    misconception="rest-is-nothing",
                ),
                "d": option(
                    "The model understands that *awful* is negative.",
                    failure_message="The weights say where a vector came from, not what it "
                    "means to the layers that read it.",
                    misconception="weight-is-understanding",
                ),
            },
        ),
        choice(
            "the_test",
            "Which experiment tests “the answer depends on *awful*” most directly?",
            {
                "a": option(
                    "Replace *awful* by *superb* in this and in many other reviews, and count how "
                    "often the answer changes.",
                    correct=True,
                    success_message="Yes: change the cause, keep everything else, watch the "
                    "effect, and do so many times.",
                ),
                "b": option(
                    "Draw the weights of all heads for this review.",
                    failure_message="These are more pictures of the same kind. None of them "
                    "changes anything.",
                    misconception="more-maps",
                ),
                "c": option(
                    "Train the model again with another seed and compare the weights.",
                    failure_message="That shows how stable the map is, but does not test whether "
                    "the answer depends on the word.",
                    misconception="stability-is-cause",
                ),
                "d": option(
                    "Ask ten readers which word they find most important.",
                    failure_message="That shows whether the map is plausible to people. The model "
                    "may work in another way.",
                    misconception="plausible-is-faithful",
                ),
            },
        ),
    ],
)

"""The figure and the tables show runs A to D of the same program on the same text, each with the
seed 0. One is in order, and each of the others has one fault.
"""

from coursekit import choice, option, quiz

quiz(
    id="fault-in-a-log",
    chapter="workshop",
    title="Find the fault in a training log",
    recalled=False,
    questions=[
        choice(
            "too_good",
            "How can you tell from its loss alone, without looking at what it writes, that run D "
            "has a fault?",
            {
                "a": option(
                    "Its training loss ends below its held-out loss.",
                    failure_message="By 0.01 or less, and so it does in a run without a fault at "
                    "times. The held-out loss is nearly as low.",
                    misconception="calls-it-overfitting",
                ),
                "b": option(
                    "It falls more slowly than that of run A.",
                    failure_message="Runs differ in speed for many reasons. A loss can be too low, "
                    "whatever the way it went.",
                    misconception="speed-is-the-fault",
                ),
                "c": option(
                    "It ends below 0.69.",
                    correct=True,
                    success_message="Yes: two tokens are equally likely each time, so a model that "
                    "does not see the answer loses ln 2 = 0.69 nats or more. Runs A and D see it.",
                ),
                "d": option(
                    "You cannot: the held-out loss shows that the model is nearly perfect.",
                    failure_message="Held-out text protects from memorising, not from a model that "
                    "is shown the answer there as well.",
                    misconception="held-out-is-proof",
                ),
            },
        ),
        choice(
            "two_leaks",
            "In one of the runs A and D the causal mask is missing. In the other the targets are "
            "not shifted: the target at each place is the very token that stands there. Which is "
            "which?",
            {
                "a": option(
                    "A has no shift, D has no mask.",
                    correct=True,
                    success_message="Yes: without a shift the answer is the model's own input, "
                    "which 25 steps are enough to learn. Without a mask it stands one place "
                    "further on, and attention first has to learn to look there.",
                ),
                "b": option(
                    "A has no mask, D has no shift.",
                    failure_message="In run A the loss is 0.04 after 25 steps. Where is the answer "
                    "easier to find: in the token itself, or in its neighbour?",
                    misconception="leak-is-found-at-once",
                ),
            },
        ),
        choice(
            "slow_run",
            "What is the likely fault of run C?",
            {
                "a": option(
                    "The causal mask is missing.",
                    failure_message="Its loss ends at 0.71, just above the 0.69 that a model can "
                    "reach without seeing the answer, and it decodes well.",
                    misconception="every-fault-is-a-leak",
                ),
                "b": option(
                    "The learning rate is too high.",
                    correct=True,
                    success_message="Yes: the first step throws the held-out loss from about 2.4 "
                    "to 22, and the run needs the rest of its steps to recover.",
                ),
                "c": option(
                    "The learning rate is too low.",
                    failure_message="Small steps change the loss little. Here the first one throws "
                    "the held-out loss to 22.",
                    misconception="slow-means-low",
                ),
                "d": option(
                    "None: training takes its time.",
                    failure_message="Guessing without looking loses ln 11 = 2.40. After its first "
                    "step this run loses 22, and another run reaches 0.71 in half the steps.",
                    misconception="spike-is-normal",
                ),
            },
        ),
    ],
    hints=[
        "What does a model lose that knows the two allowed tokens and guesses between them?",
        "Compare the rows of one step across the runs: 1, 25, 800.",
    ],
)

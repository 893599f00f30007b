"""The figure and the tables show runs A to D of the same program, each with seed 0 on the same
text. One of them is correct, and each of the others has one fault.
"""

from coursekit import choice, option, quiz

quiz(
    id="fault-in-a-log",
    chapter="workshop",
    title="Find the fault in a training log",
    recalled=False,
    questions=[
        choice(
            "low_loss_bad_text",
            "On held-out text, run D ends with a loss of 0.04, yet only 0.16 of the tokens that it "
            "writes are allowed. How can both be true?",
            {
                "a": option(
                    "It has memorised its training text.",
                    failure_message="The held-out text was never trained on, and the loss is as "
                    "low there.",
                    misconception="calls-it-overfitting",
                ),
                "b": option(
                    "Greedy decoding is to blame: a model should draw its tokens.",
                    failure_message="Run B decodes greedily as well, and all its tokens are "
                    "allowed.",
                    misconception="blames-decoding",
                ),
                "c": option(
                    "Its loss is measured on inputs that contain the answer. When it writes, the "
                    "answer is not there yet.",
                    correct=True,
                    success_message="Yes. On a given text, held-out or not, the token to predict "
                    "can be read from the input. At the end of a text that is being written, it "
                    "cannot.",
                ),
                "d": option(
                    "A loss of 0.04 is still too high: more steps would help.",
                    failure_message="Two tokens are equally likely each time, so an honest model "
                    "cannot go below ln 2. This loss is far too low, not too high.",
                    misconception="more-steps",
                ),
            },
        ),
        choice(
            "fault_of_run_a",
            "Runs A and D end with the same loss but have different faults. What is the likely "
            "fault of run A?",
            {
                "a": option(
                    "The targets are not shifted: the target at each position is the token at that "
                    "same position.",
                    correct=True,
                    success_message="Yes: the answer is the model's own input, and 25 steps are "
                    "enough to learn to copy it. In run D, the causal mask is missing. There, "
                    "attention must first learn to look one position further on.",
                ),
                "b": option(
                    "The causal mask is missing.",
                    failure_message="In run A the loss is 0.04 after 25 steps. Where is the answer "
                    "easier to find: in the token itself, or in its neighbour?",
                    misconception="leak-is-found-at-once",
                ),
                "c": option(
                    "It was trained on the held-out text.",
                    failure_message="Two tokens are equally likely each time, so 25 steps are not "
                    "enough to reach a loss of 0.04 by memory alone, and the model's texts would "
                    "then be allowed.",
                    misconception="trained-on-the-test",
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
                    success_message="Yes: the first step raises the held-out loss from about 2.4 "
                    "to 22, and the run needs the rest of its steps to recover.",
                ),
                "c": option(
                    "The learning rate is too low.",
                    failure_message="Small steps change the loss little. Here the first step "
                    "raises the held-out loss to 22.",
                    misconception="slow-means-low",
                ),
                "d": option(
                    "None: training takes time.",
                    failure_message="Guessing blindly has a loss of ln 11 = 2.40. After its first "
                    "step, this run has 22, and another run reaches 0.71 in half the steps.",
                    misconception="spike-is-normal",
                ),
            },
        ),
    ],
    hints=[
        "What is in the input when the loss is measured, and what when the model writes?",
        "Compare the rows of one step across the runs: 1, 25, 800.",
    ],
)

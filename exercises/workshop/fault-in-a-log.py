"""The figure and the tables show runs A to D of the same program on the same text, each with the
seed 0. One of them is correct, and each of the others has one fault.
"""

from coursekit import quiz

quiz(
    title="Find the fault in a training log",
    recalled=False,
    hints=[
        "What stands in the input when the loss is measured, and what when the model writes?",
        "Compare the rows of one step across the runs: 1, 25, 800.",
    ],
    questions=r"""
## low_loss_bad_text
On held-out text run D ends with a loss of 0.04, yet only 0.16 of the tokens that it writes are
allowed. How can both be true?
- [ ] It has memorised its training text.
  > calls-it-overfitting: The held-out text was never trained on, and the loss is as low there.
- [ ] Greedy decoding is to blame: a model should draw its tokens.
  > blames-decoding: Run B decodes greedily as well, and all its tokens are allowed.
- [x] Its loss is measured where the answer stands in its input. When it writes, the answer is not
  there yet.
  > Yes. On a given text, held-out or not, the token to predict can be read off. At the end of a
    text that is being written it cannot.
- [ ] A loss of 0.04 is still too high: more steps would help.
  > more-steps: Two tokens are equally likely each time, so an honest model cannot go below ln 2.
    This loss is far too low, not too high.

## two_leaks
In one of the runs A and D the causal mask is missing. In the other the targets are not shifted: the
target at each place is the very token that stands there. Which is which?
- [x] A has no shift, D has no mask.
  > Yes: without a shift the answer is the model's own input, which 25 steps are enough to learn.
    Without a mask it stands one place further on, and attention first has to learn to look there.
- [ ] A has no mask, D has no shift.
  > leak-is-found-at-once: In run A the loss is 0.04 after 25 steps. Where is the answer easier to
    find: in the token itself, or in its neighbour?

## slow_run
What is the likely fault of run C?
- [ ] The causal mask is missing.
  > every-fault-is-a-leak: Its loss ends at 0.71, just above the 0.69 that a model can reach without
    seeing the answer, and it decodes well.
- [x] The learning rate is too high.
  > Yes: the first step throws the held-out loss from about 2.4 to 22, and the run needs the rest of
    its steps to recover.
- [ ] The learning rate is too low.
  > slow-means-low: Small steps change the loss little. Here the first one throws the held-out loss
    to 22.
- [ ] None: training takes its time.
  > spike-is-normal: Guessing blindly has a loss of ln 11 = 2.40. After its first step this run has
    22, and another run reaches 0.71 in half the steps.
""",
)

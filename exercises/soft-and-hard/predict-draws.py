"""A hard attention has 16 keys and all its scores are equal. One key is right and costs 0, the
others cost 1. Each draw of a key gives an estimate of the gradient of the expected loss, without a
baseline at first. A single draw is typically off by about 15.5 times the gradient's length.
"""

from coursekit import quiz

quiz(
    title="Predict: how many draws make a gradient?",
    hints=[
        "The standard error of a mean of n draws is √n times smaller than the error of one draw.",
    ],
    questions=r"""
## draws
How many draws until the standard error of their mean is a tenth of the gradient's length?
- [ ] about 16, one for each key
  > once-each: Then each key was drawn about once, and the error is still far larger than the
    gradient.
- [ ] about 100, as an error falls with the root of the number
  > root-only: That would be so if one draw had an error as large as the gradient. Here one draw is
    off by much more: 15 of 16 estimates come from wrong keys.
- [ ] about 1,400 > too-few: That is enough with a good baseline. Without one it takes many more.
- [x] about 24,000
  > Yes: (15.5 / 0.1)² is about 24,000. If the loss of every key were known, one pass would give the
    gradient exactly. The next question reduces the number.

## role_of_the_baseline
Now the expected loss, 15/16, is subtracted from the loss of every draw. What changes?
- [ ] The mean of the estimates: they now estimate a different gradient.
  > baseline-moves-the-mean: The gradients of log p have mean 0 over the draws, so a constant times
    them drops out of the mean.
- [ ] Only their spread: it gets larger, since some losses are now negative.
  > negative-is-worse: What counts is how far the losses are from 0, and most of them are now
    closer.
- [x] Only their spread: it gets smaller.
  > Yes. A draw of a wrong key now costs 1/16 and not 1, so these estimates, nearly all of them, are
    small.
- [ ] Nothing: a constant has no gradient.
  > constant-has-no-effect: The constant multiplies the gradient of log p of each draw. Its mean is
    0, but its spread is not.
""",
)
